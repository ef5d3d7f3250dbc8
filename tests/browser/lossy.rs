//! A way between a page and the arbiter port that can be lost as Wi-Fi is: nothing is closed, nothing comes through.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// A port of this machine that passes everything on, until it is lost.
pub(crate) struct Lossy {
    pub(crate) address: SocketAddr,
    listener: TcpListener,
    target: Mutex<Option<Arc<Mutex<SocketAddr>>>>,
    lost: Arc<AtomicBool>,
}

impl Lossy {
    /// A free port, so that its address is known before there is anything behind it.
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        Self { address: listener.local_addr().unwrap(), listener, target: Mutex::default(), lost: Arc::default() }
    }

    /// Passes new connections on to `target` from now on.
    pub(crate) fn lead_to(&self, target: SocketAddr) {
        let mut known = self.target.lock().unwrap();
        if let Some(known) = &*known {
            *known.lock().unwrap() = target;
            return;
        }
        let target = Arc::new(Mutex::new(target));
        *known = Some(Arc::clone(&target));
        let (listener, lost) = (self.listener.try_clone().unwrap(), Arc::clone(&self.lost));
        std::thread::spawn(move || {
            for page in listener.incoming().map_while(Result::ok) {
                let target = *target.lock().unwrap();
                let port = TcpStream::connect(target).unwrap();
                pass(page.try_clone().unwrap(), port.try_clone().unwrap(), Arc::clone(&lost));
                pass(port, page, Arc::clone(&lost));
            }
        });
    }

    /// Loses everything from now on, or nothing more. A connection that lost something stays dead, as one does whose
    /// next retransmission is far away.
    pub(crate) fn lose(&self, lost: bool) {
        self.lost.store(lost, Ordering::SeqCst);
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream, lost: Arc<AtomicBool>) {
    std::thread::spawn(move || {
        let mut bytes = [0; 16 * 1024];
        let mut dead = false;
        while let Ok(read) = from.read(&mut bytes) {
            if read == 0 {
                break;
            }
            dead |= lost.load(Ordering::SeqCst);
            if !dead && to.write_all(&bytes[..read]).is_err() {
                break;
            }
        }
        if !dead {
            let _ = to.shutdown(std::net::Shutdown::Both);
        }
    });
}
