//! The memory of request ids: a request that is sent again, because its answer was lost or slow, acts once (B23).

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::limits;
use super::port::{Answer, Request};

struct Entry {
    id: String,
    command: Value,
    /// `None` while it is being decided.
    answer: Option<Answer>,
}

/// The last requests that had an id, with what was answered.
#[derive(Default)]
pub struct Repeats {
    entries: Mutex<VecDeque<Entry>>,
    decided: Condvar,
}

impl Repeats {
    /// Lets `act` decide the request, or answers as the same request was answered before, waiting if it is still being
    /// decided. A request that found the clock busy is forgotten: sent again it is tried again.
    pub fn once(&self, request: Request, act: impl FnOnce(Request) -> Answer) -> Answer {
        let Some(id) = request.request_id.clone() else { return act(request) };
        if let Some(answer) = self.known(&id, &request.command) {
            return answer;
        }
        let mut pending = Pending { repeats: self, id: &id, answer: None };
        let answer = act(request);
        if !matches!(answer, Answer::Busy(_)) {
            pending.answer = Some(answer.clone());
        }
        answer
    }

    /// The answer to an earlier request with this id; `None`: there was none, and this one is noted as being decided.
    fn known(&self, id: &str, command: &Value) -> Option<Answer> {
        let mut entries = self.lock();
        let Some(entry) = entries.iter().find(|entry| entry.id == id) else {
            if entries.len() >= limits::REPEATS
                && let Some(oldest) = entries.iter().position(|entry| entry.answer.is_some())
            {
                entries.remove(oldest);
            }
            entries.push_back(Entry { id: id.to_owned(), command: command.clone(), answer: None });
            return None;
        };
        if entry.command != *command {
            let sentence = "This request_id was used for another command; a new command takes a new one.";
            return Some(Answer::Bad { field: "request_id".to_owned(), reason: sentence.into() });
        }
        let undecided = |entries: &mut VecDeque<Entry>| find(entries, id).is_some_and(|entry| entry.answer.is_none());
        let (mut entries, _) =
            self.decided.wait_timeout_while(entries, limits::ANSWER, undecided).unwrap_or_else(PoisonError::into_inner);
        let answer = find(&mut entries, id).and_then(|entry| entry.answer.clone());
        Some(answer.unwrap_or_else(|| Answer::Busy("The same request is not decided yet; send it again.".to_owned())))
    }

    // What is kept is whole at every instant, so a thread that died with the lock leaves nothing broken.
    fn lock(&self) -> MutexGuard<'_, VecDeque<Entry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn find<'a>(entries: &'a mut VecDeque<Entry>, id: &str) -> Option<&'a mut Entry> {
    entries.iter_mut().find(|entry| entry.id == id)
}

/// A request that is being decided; settled when it goes, also when the deciding thread dies.
struct Pending<'a> {
    repeats: &'a Repeats,
    id: &'a str,
    answer: Option<Answer>,
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        let mut entries = self.repeats.lock();
        match self.answer.take() {
            Some(answer) => {
                if let Some(entry) = find(&mut entries, self.id) {
                    entry.answer = Some(answer);
                }
            }
            None => entries.retain(|entry| entry.id != self.id),
        }
        drop(entries);
        self.repeats.decided.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};
    use std::sync::mpsc;

    use serde_json::json;

    use super::super::port::Source;
    use super::*;

    fn request(id: &str, by: &str) -> Request {
        let command = json!({"command": "adjust", "by": by});
        Request { command, version: None, request_id: Some(id.to_owned()), source: Source::Socket }
    }

    fn done(text: &str) -> Answer {
        Answer::Done(text.to_owned())
    }

    #[test]
    fn b23_the_same_sixty_seconds_sent_three_times_act_once() {
        let repeats = Repeats::default();
        let mut acted = 0;
        for _ in 0..3 {
            let answer = repeats.once(request("a", "+60s"), |_| {
                acted += 1;
                done("first")
            });
            assert_eq!(answer, done("first"));
        }
        assert_eq!(acted, 1);
    }

    #[test]
    fn b23_a_repeat_that_comes_while_the_first_is_being_decided_waits_for_it() {
        let repeats = Repeats::default();
        let acted = AtomicU32::new(0);
        let (inside, is_inside) = mpsc::channel();
        let (go, may_go) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            let first = scope.spawn(|| {
                repeats.once(request("a", "+60s"), move |_| {
                    inside.send(()).unwrap();
                    may_go.recv().unwrap();
                    done("first")
                })
            });
            is_inside.recv().unwrap();
            let second = scope.spawn(|| {
                repeats.once(request("a", "+60s"), |_| {
                    acted.fetch_add(1, Ordering::Relaxed);
                    done("second")
                })
            });
            go.send(()).unwrap();
            assert_eq!(first.join().unwrap(), done("first"));
            assert_eq!(second.join().unwrap(), done("first"));
        });
        assert_eq!(acted.into_inner(), 0);
    }

    #[test]
    fn an_id_used_for_another_command_is_refused_and_a_busy_clock_is_asked_again() {
        let repeats = Repeats::default();
        let busy = Answer::Busy("The queue is full.".to_owned());
        assert_eq!(repeats.once(request("a", "+60s"), |_| busy.clone()), busy);
        assert_eq!(repeats.once(request("a", "+60s"), |_| done("now")), done("now"));
        let Answer::Bad { field, .. } = repeats.once(request("a", "+61s"), |_| done("never")) else { panic!("taken") };
        assert_eq!(field, "request_id");
    }

    #[test]
    fn the_memory_is_bounded_and_keeps_the_newest() {
        let repeats = Repeats::default();
        for number in 0..=limits::REPEATS {
            repeats.once(request(&number.to_string(), "+60s"), |_| done("first"));
        }
        assert_eq!(repeats.lock().len(), limits::REPEATS);
        assert_eq!(repeats.once(request("1", "+60s"), |_| done("again")), done("first"));
        assert_eq!(repeats.once(request("0", "+60s"), |_| done("again")), done("again"));
    }
}
