//! The local socket between the clock and everybody who talks to it: the arbiter port, `zeitnot ctl`, a publisher.
//!
//! One JSON object a line, both ways. The clock's side is a [`port::Port`], served by plain threads ([`server`]); the
//! other side is [`client`] (async, for the arbiter port) or [`blocking`] (for a shell).
//!
//! Promised: a repeated `request_id` acts once, whoever repeats it and by whichever connection; a bad line is answered
//! with a sentence and harms nobody; everything is bounded ([`limits`]); the state is passed on as the text that the
//! clock made and never edited; a command's answer comes when it is durable, and says with `"durable":false` in its state
//! that no disk takes the log for now. Absent on purpose: the game, any rule of it, and any right beyond the socket's mode
//! (0600).
//!
//! | asked | answered |
//! | --- | --- |
//! | `{"id":1,"get":"state"}` | `{"id":1,"state":{…}}` |
//! | `{"id":4,"get":"log","format":"pgn"}` | `{"id":4,"log":"…"}`, or an error |
//! | `{"id":6,"get":"metrics"}` | `{"id":6,"metrics":"…"}` |
//! | `{"id":5,"get":"moves"}`, `"games"` | the same: a JSON text |
//! | `{"id":2,"command":{…},"version":7,"request_id":"x"}` | `{"id":2,"ok":true,"state":{…}}`, or `{"id":2,"error":{"status":409,"field":"version","sentence":"…"},"state":{…}}` |
//! | `{"id":5,"offer":1234,"name":"game.jsonl"}` and 1234 bytes | `{"id":5,"candidates":[…]}`, or an error |
//! | `{"id":6,"get":"candidates"}` | `{"id":6,"candidates":[…]}` |
//! | `{"id":5,"access":…}` | see [`access`] |
//! | `{"id":3,"watch":true}` | from then on one whole state a line: the present one, then one for each update |
pub mod access;
pub mod blocking;
pub mod client;
pub mod metrics;
pub mod offer;
pub mod port;
pub mod repeats;
pub mod server;
pub mod wire;

/// The bounds of the socket.
pub mod limits {
    use std::time::Duration;

    /// The longest line that the clock reads, in bytes, its end included.
    pub const REQUEST_LINE: usize = 64 * 1024;
    /// The longest line that a client reads, in bytes.
    pub const ANSWER_LINE: usize = 1024 * 1024;
    /// The longest log or report that is handed over, in bytes; a longer one is taken from its file.
    pub const LOG: usize = 8 * 1024 * 1024;
    /// The longest line with a log that a client reads: each of its bytes may be an escape of six.
    pub const LOG_LINE: usize = 6 * LOG + 1024;
    /// Connections at a time; one more is told so and closed.
    pub const CONNECTIONS: usize = 16;
    /// Request ids remembered.
    pub const REPEATS: usize = 256;
    /// The longest request id, in bytes.
    pub const REQUEST_ID: usize = 128;
    /// A reader that takes nothing for so long is cut off.
    pub const WRITE: Duration = Duration::from_secs(2);
    /// A reader of a log has so long to take it.
    pub const LOG_TIME: Duration = Duration::from_secs(20);
    /// A client waits so long for an answer: longer than the clock waits for a disk that stands still.
    pub const ANSWER: Duration = Duration::from_secs(20);
}
