//! The state as of now, asked once for all who ask at the same time.
//!
//! Promised: an answer was made after it was asked for, never before, so that whoever reads after something happened sees
//! it. Whoever asks while a question is on its way waits for the next one, and shares it with all others who do: a hall of
//! readers costs the clock one question at a time.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::body::Bytes;
use tokio::sync::OnceCell;

use super::hide;
use super::hub::Frame;
use crate::link::access::Role;
use crate::link::client::{Client, LinkError};
use crate::link::wire::label;

/// A state that the clock told, and its forms, each made once.
pub(super) struct Told {
    line: Bytes,
    public: OnceLock<Bytes>,
    frame: OnceLock<Frame>,
}

impl Told {
    fn new(state: String) -> Self {
        Self { line: state.into(), public: OnceLock::new(), frame: OnceLock::new() }
    }

    /// Its version.
    pub(super) fn version(&self) -> u64 {
        label(self.text()).map_or(0, |label| label.version)
    }

    /// Whether its game hides the moves from others than the arbiter.
    pub(super) fn hides(&self) -> bool {
        hide::hides(self.text())
    }

    /// As a role sees it.
    pub(super) fn to(&self, role: Role) -> Bytes {
        let public = || hide::public(self.text()).unwrap_or_else(|| "{}".to_owned()).into();
        if role == Role::Arbiter { self.line.clone() } else { self.public.get_or_init(public).clone() }
    }

    /// As a live stream begins with it.
    pub(super) fn frame(&self) -> Frame {
        self.frame.get_or_init(|| Frame::state(None, self.version(), self.text())).clone()
    }

    fn text(&self) -> &str {
        // It came as text.
        std::str::from_utf8(&self.line).unwrap_or("{}")
    }
}

type Answer = Result<Arc<Told>, Arc<LinkError>>;
/// One question, and all who wait for its answer.
type Round = Arc<OnceCell<Answer>>;

/// The questions of all who want the state.
#[derive(Default)]
pub(super) struct Now {
    /// The round that is not asked yet.
    gathering: Mutex<Round>,
    /// One question at a time.
    turn: tokio::sync::Mutex<()>,
}

impl Now {
    /// The state as of now.
    ///
    /// # Errors
    /// The clock does not answer.
    pub(super) async fn told(&self, client: &Client) -> Answer {
        let round = Arc::clone(&self.gathering.lock().unwrap_or_else(PoisonError::into_inner));
        // Whoever asks for all may go away meanwhile: then another of the same round does.
        let asked = round.get_or_init(|| async {
            let _turn = self.turn.lock().await;
            // Whoever comes from here on may want to see what happens after this question.
            *self.gathering.lock().unwrap_or_else(PoisonError::into_inner) = Round::default();
            client.state().await.map(|state| Arc::new(Told::new(state))).map_err(Arc::new)
        });
        asked.await.clone()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::mpsc::Receiver;
    use std::time::Duration;

    use super::*;
    use crate::link::port::{Answer as Answered, Port, Request, Update};
    use crate::link::server::Server;

    /// A clock whose version is the number of questions so far; each takes a moment.
    #[derive(Default)]
    struct Counting(AtomicU64);

    impl Port for Counting {
        fn state(&self) -> String {
            let version = self.0.fetch_add(1, Ordering::SeqCst) + 1;
            let (_sender, never) = std::sync::mpsc::channel::<()>();
            let _ = never.recv_timeout(Duration::from_millis(5));
            format!("{{\"at\":\"0:00:00\",\"version\":{version}}}")
        }

        fn submit(&self, _: Request) -> Answered {
            Answered::Busy(String::new())
        }

        fn subscribe(&self) -> Receiver<Update> {
            std::sync::mpsc::channel().1
        }
    }

    #[tokio::test]
    async fn many_who_ask_at_once_share_a_question_and_nobody_gets_an_older_answer() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("zeitnot.sock");
        let clock = Arc::new(Counting::default());
        let _server = Server::start(&socket, Arc::clone(&clock) as Arc<dyn Port>).unwrap();
        let (now, client) = (Now::default(), Client::new(&socket));
        let asked = futures_util::future::join_all((0..200).map(|_| now.told(&client))).await;
        let versions: Vec<u64> = asked.iter().map(|told| told.as_ref().unwrap().version()).collect();
        assert!(clock.0.load(Ordering::SeqCst) <= 2, "{versions:?}");
        for _ in 0..20 {
            let before = clock.0.load(Ordering::SeqCst);
            let both = futures_util::future::join(now.told(&client), now.told(&client)).await;
            for told in [both.0, both.1] {
                assert!(told.unwrap().version() > before, "an answer from before it was asked for");
            }
        }
    }
}
