//! The live stream as a client reads it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::Value;

/// A beat comes each second: so long a silence is none of the clock's making.
const SILENCE: Duration = Duration::from_secs(10);
/// So many beats are as many seconds of waiting.
const MOST_BEATS: u32 = 15;

/// One server-sent event.
pub(crate) struct Frame {
    pub(crate) id: Option<u64>,
    pub(crate) event: String,
    pub(crate) data: Value,
}

/// An open stream.
pub(crate) struct Stream(BufReader<TcpStream>);

impl Stream {
    /// Opens it, as a client that saw the version `last`.
    pub(crate) fn open(address: &str, last: Option<u64>) -> Self {
        let host = address.strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        stream.set_read_timeout(Some(SILENCE)).unwrap();
        let last = last.map_or_else(String::new, |last| format!("Last-Event-ID: {last}\r\n"));
        // HTTP/1.0: the body comes as it is, not in chunks.
        write!(stream, "GET /api/v1/events HTTP/1.0\r\nHost: {host}\r\n{last}\r\n").unwrap();
        let mut lines = BufReader::new(stream);
        let mut head = String::new();
        while lines.read_line(&mut head).unwrap() > 2 {}
        assert!(head.starts_with("HTTP/1.0 200 ") || head.starts_with("HTTP/1.1 200 "), "{head}");
        assert!(head.to_ascii_lowercase().contains("content-type: text/event-stream"), "{head}");
        Self(lines)
    }

    /// The next event.
    pub(crate) fn next(&mut self) -> Frame {
        self.try_next(SILENCE).expect("the stream goes on")
    }

    /// The next event, if it begins within `patience`.
    pub(crate) fn try_next(&mut self, patience: Duration) -> Option<Frame> {
        let mut frame = Frame { id: None, event: String::new(), data: Value::Null };
        self.0.get_ref().set_read_timeout(Some(patience)).unwrap();
        self.0.fill_buf().ok()?;
        self.0.get_ref().set_read_timeout(Some(SILENCE)).unwrap();
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).unwrap() > 0, "the stream has ended");
            match line.trim_end().split_once(": ") {
                Some(("id", id)) => frame.id = id.parse().ok(),
                Some(("event", event)) => event.clone_into(&mut frame.event),
                Some(("data", data)) => frame.data = serde_json::from_str(data).unwrap(),
                _ => return Some(frame),
            }
        }
    }

    /// The state of the first change, or of the whole state at the beginning, that is as wanted.
    pub(crate) fn until(&mut self, what: &str, wanted: impl Fn(&str, &Value) -> bool) -> Value {
        let (mut beats, mut seen) = (0, Value::Null);
        while beats < MOST_BEATS {
            let frame = self.next();
            if frame.id.is_none() {
                beats += 1;
            } else if wanted(&frame.event, &frame.data) {
                return frame.data;
            } else {
                seen = frame.data;
            }
        }
        panic!("{what}: not in time; last {seen}")
    }

    /// The next event of this name.
    pub(crate) fn event(&mut self, name: &str) -> Value {
        self.until(name, |event, _| event == name)
    }
}
