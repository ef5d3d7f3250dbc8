//! A way between a page and the arbiter port that can be lost as Wi-Fi is: nothing is closed, nothing comes through.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// A port of this machine that passes everything on, until it is lost.
pub(crate) struct Lossy {
    pub(crate) address: SocketAddr,
    listener: TcpListener,
    lost: Arc<AtomicBool>,
    /// Where new connections lead.
    target: Arc<Mutex<Option<SocketAddr>>>,
}

impl Lossy {
    /// A free port, so that its address is known before there is anything behind it.
    pub(crate) fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        Self { address, listener, lost: Arc::default(), target: Arc::default() }
    }

    /// Passes on to `target` from now on. Where it led elsewhere before, a connection of that time is broken off when
    /// something more is said in it: nobody there knows it.
    pub(crate) fn lead_to(&self, target: SocketAddr) {
        let led = self.target.lock().unwrap().replace(target).is_some();
        if led {
            return;
        }
        let listener = self.listener.try_clone().unwrap();
        let (lost, target) = (Arc::clone(&self.lost), Arc::clone(&self.target));
        std::thread::spawn(move || {
            for page in listener.incoming().map_while(Result::ok) {
                let leads_to = target.lock().unwrap().unwrap();
                let port = TcpStream::connect(leads_to).unwrap();
                let target = Arc::clone(&target);
                let way = Way { lost: Arc::clone(&lost), leads_to, target };
                pass(page.try_clone().unwrap(), port.try_clone().unwrap(), way.clone());
                pass(port, page, way);
            }
        });
    }

    /// Loses everything from now on, or nothing more. A connection that lost something stays dead, as one does whose
    /// next retransmission is far away.
    pub(crate) fn lose(&self, lost: bool) {
        self.lost.store(lost, Ordering::SeqCst);
    }
}

/// What a connection goes by.
#[derive(Clone)]
struct Way {
    lost: Arc<AtomicBool>,
    leads_to: SocketAddr,
    target: Arc<Mutex<Option<SocketAddr>>>,
}

fn pass(mut from: TcpStream, mut to: TcpStream, way: Way) {
    std::thread::spawn(move || {
        let mut bytes = [0; 16 * 1024];
        let mut dead = false;
        while let Ok(read) = from.read(&mut bytes) {
            if read == 0 {
                break;
            }
            dead |= way.lost.load(Ordering::SeqCst);
            if !dead && *way.target.lock().unwrap() != Some(way.leads_to) {
                let _ = from.shutdown(std::net::Shutdown::Both);
                break;
            }
            if !dead && to.write_all(&bytes[..read]).is_err() {
                break;
            }
        }
        if !dead {
            let _ = to.shutdown(std::net::Shutdown::Both);
        }
    });
}
