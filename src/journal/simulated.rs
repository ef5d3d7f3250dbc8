//! A disk in memory for tests: it loses power at any call and any byte, and any call of it can fail.
//!
//! What was written is seen at once and durable only after a sync, as on a real one; after a failed sync what was
//! written before it is lost for good though a later sync succeeds (the kernel marks such pages clean). Names are
//! durable only after their own sync.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::disk::{Disk, Listed, LogFile};

/// What a sector that was not written in time reads as, and how long it is here: small, so that a line has several.
const SECTOR: usize = 16;

/// What a power cut leaves of the bytes that were written and not yet durable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// Nothing.
    Lost,
    /// All of them.
    Kept,
    /// So many of them.
    Torn(usize),
    /// The later sectors, and zeros where the first should be.
    Reordered,
    /// Their length, and zeros.
    Zeroed,
    /// All of them, with one bit turned: of this byte, counted around.
    Flipped(usize),
}

/// How a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The device has an error.
    Device,
    /// The disk is full; half of what was to be written is.
    Full,
    /// A signal came.
    Interrupted,
    /// Half of what was to be written is, without an error; other calls succeed.
    Short,
    /// The disk may only be read.
    ReadOnly,
}

/// Which calls fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The number of the first call that fails, from 1.
    pub from: usize,
    /// How many do; `usize::MAX`: all from then on.
    pub count: usize,
    /// How.
    pub failure: Failure,
}

#[derive(Clone, Debug, Default)]
struct Content {
    seen: Vec<u8>,
    durable: Vec<u8>,
    /// Written before a sync that failed.
    lost: Vec<Range<usize>>,
}

#[derive(Clone, Debug, Default)]
struct State {
    files: Vec<Content>,
    names: BTreeMap<String, usize>,
    durable_names: BTreeMap<String, usize>,
    calls: usize,
    /// How many bytes each call was to write.
    lengths: Vec<usize>,
    plan: Option<Plan>,
    /// The call at which power goes, and how many bytes of a write are seen before.
    cut: Option<(usize, usize)>,
    dark: bool,
}

/// A disk; clones are the same disk.
#[derive(Clone, Debug, Default)]
pub struct SimulatedDisk(Arc<Mutex<State>>);

impl SimulatedDisk {
    /// An empty disk.
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A disk of its own with the same content, to be treated differently.
    #[must_use]
    pub fn twin(&self) -> Self {
        Self(Arc::new(Mutex::new(self.lock().clone())))
    }

    /// How many calls there were.
    pub fn calls(&self) -> usize {
        self.lock().calls
    }

    /// How many bytes each call was to write since the count began; zero for other calls.
    pub fn lengths(&self) -> Vec<usize> {
        self.lock().lengths.clone()
    }

    /// From here on calls fail as planned; call 1 is the next. `None`: none fails.
    pub fn fail(&self, plan: Option<Plan>) {
        let mut state = self.lock();
        state.count_anew();
        state.plan = plan;
    }

    /// Power goes at this call (1 is the next), a write having been seen up to `byte`.
    pub fn lose_power_at(&self, call: usize, byte: usize) {
        let mut state = self.lock();
        state.count_anew();
        state.cut = Some((call, byte));
    }

    /// Whether power is gone.
    pub fn is_dark(&self) -> bool {
        self.lock().dark
    }

    /// Power comes back, after a cut or in the middle of everything. `names`: whether names that were not durable
    /// outlived it.
    pub fn power_back(&self, tail: Tail, names: bool) {
        let mut state = self.lock();
        for file in &mut state.files {
            let kept = file.after_a_cut(tail);
            *file = Content { seen: kept.clone(), durable: kept, lost: Vec::new() };
        }
        if names {
            state.durable_names = state.names.clone();
        } else {
            state.names = state.durable_names.clone();
        }
        state.count_anew();
        (state.plan, state.cut, state.dark) = (None, None, false);
    }

    /// A file's content as it is seen, if it is there.
    pub fn content(&self, name: &str) -> Option<Vec<u8>> {
        let state = self.lock();
        state.names.get(name).map(|id| state.files[*id].seen.clone())
    }

    /// What a file holds from this byte on, as it is seen, if it is there and so long.
    pub fn content_from(&self, name: &str, byte: usize) -> Option<Vec<u8>> {
        let state = self.lock();
        state.files[*state.names.get(name)?].seen.get(byte..).map(<[u8]>::to_vec)
    }

    /// Puts a file there, durably.
    pub fn put(&self, name: &str, content: &[u8]) {
        let mut state = self.lock();
        let id = state.files.len();
        state.files.push(Content { seen: content.to_vec(), durable: content.to_vec(), lost: Vec::new() });
        state.names.insert(name.to_owned(), id);
        state.durable_names.insert(name.to_owned(), id);
    }
}

impl Content {
    fn after_a_cut(&self, tail: Tail) -> Vec<u8> {
        let mut kept = self.durable.clone();
        let pending = &self.seen[self.durable.len().min(self.seen.len())..];
        if pending.is_empty() {
            return kept;
        }
        let first = kept.len();
        match tail {
            Tail::Lost => {}
            Tail::Kept => kept.extend_from_slice(pending),
            Tail::Torn(length) => kept.extend_from_slice(&pending[..length.min(pending.len())]),
            Tail::Zeroed => kept.resize(first + pending.len(), 0),
            Tail::Reordered => {
                kept.extend_from_slice(pending);
                let end = (first + SECTOR).min(kept.len());
                kept[first..end].fill(0);
            }
            Tail::Flipped(byte) => {
                kept.extend_from_slice(pending);
                kept[first + byte % pending.len()] ^= 0x10;
            }
        }
        kept
    }

    fn sync(&mut self) {
        // Only what is new is copied: a long game is synced at each of its presses.
        self.durable.truncate(self.seen.len());
        self.durable.extend_from_slice(&self.seen[self.durable.len()..]);
        for range in &self.lost {
            self.durable[range.clone()].fill(0);
        }
    }

    fn sync_failed(&mut self) {
        self.lost.push(self.durable.len()..self.seen.len());
    }
}

fn no_power() -> io::Error {
    io::Error::other("the power is gone")
}

impl State {
    fn count_anew(&mut self) {
        self.calls = 0;
        self.lengths.clear();
    }

    /// Counts a call; tells how it fails, if it does, or that power goes at it.
    fn call(&mut self, length: usize) -> io::Result<Option<Failure>> {
        if self.dark {
            return Err(no_power());
        }
        self.calls += 1;
        self.lengths.push(length);
        if self.cut.is_some_and(|(call, _)| call == self.calls) {
            self.dark = true;
        }
        let calls = self.calls;
        let planned = |plan: &Plan| calls >= plan.from && calls - plan.from < plan.count;
        Ok(self.plan.filter(planned).map(|plan| plan.failure))
    }

    /// As [`State::call`], for calls that are done wholly or not at all.
    fn whole_call(&mut self) -> io::Result<()> {
        match self.call(0)? {
            _ if self.dark => Err(no_power()),
            None | Some(Failure::Short) => Ok(()),
            Some(failure) => Err(failure.error()),
        }
    }

    fn id(&self, name: &str) -> io::Result<usize> {
        self.names.get(name).copied().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Failure {
    fn error(self) -> io::Error {
        match self {
            Self::Device | Self::Short => io::Error::from_raw_os_error(libc::EIO),
            Self::Full => io::Error::from_raw_os_error(libc::ENOSPC),
            Self::Interrupted => io::Error::from_raw_os_error(libc::EINTR),
            Self::ReadOnly => io::Error::from_raw_os_error(libc::EROFS),
        }
    }
}

struct SimulatedFile {
    disk: SimulatedDisk,
    id: usize,
}

impl Write for SimulatedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut state = self.disk.lock();
        let failure = state.call(bytes.len())?;
        let cut_after = state.cut.map_or(0, |(_, byte)| byte);
        let dark = state.dark;
        let seen = &mut state.files[self.id].seen;
        let half = bytes.len().div_ceil(2);
        match failure {
            _ if dark => {
                seen.extend_from_slice(&bytes[..cut_after.min(bytes.len())]);
                Err(no_power())
            }
            None => {
                seen.extend_from_slice(bytes);
                Ok(bytes.len())
            }
            Some(Failure::Short) => {
                seen.extend_from_slice(&bytes[..half]);
                Ok(half)
            }
            Some(failure) => {
                if failure == Failure::Full {
                    seen.extend_from_slice(&bytes[..half]);
                }
                Err(failure.error())
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl LogFile for SimulatedFile {
    fn sync(&mut self) -> io::Result<()> {
        let mut state = self.disk.lock();
        let called = state.whole_call();
        let dark = state.dark;
        let file = &mut state.files[self.id];
        match called {
            Ok(()) => file.sync(),
            Err(_) if !dark => file.sync_failed(),
            Err(_) => {}
        }
        called
    }
}

impl Disk for SimulatedDisk {
    fn list(&mut self) -> io::Result<Vec<Listed>> {
        let mut state = self.lock();
        state.whole_call()?;
        let listed = |(name, id): (&String, &usize)| {
            let size = u64::try_from(state.files[*id].seen.len()).unwrap_or(u64::MAX);
            Listed { name: name.clone(), size, written: 0 }
        };
        Ok(state.names.iter().map(listed).collect())
    }

    fn read(&mut self, name: &str) -> io::Result<Box<dyn Read + '_>> {
        let mut state = self.lock();
        state.whole_call()?;
        let id = state.id(name)?;
        Ok(Box::new(io::Cursor::new(state.files[id].seen.clone())))
    }

    fn create(&mut self, name: &str) -> io::Result<Box<dyn LogFile>> {
        let mut state = self.lock();
        state.whole_call()?;
        if state.names.contains_key(name) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let id = state.files.len();
        state.files.push(Content::default());
        state.names.insert(name.to_owned(), id);
        Ok(Box::new(SimulatedFile { disk: self.clone(), id }))
    }

    fn append(&mut self, name: &str) -> io::Result<Box<dyn LogFile>> {
        let mut state = self.lock();
        state.whole_call()?;
        let id = state.id(name)?;
        Ok(Box::new(SimulatedFile { disk: self.clone(), id }))
    }

    fn cut(&mut self, name: &str, length: u64) -> io::Result<()> {
        let mut state = self.lock();
        state.whole_call()?;
        let id = state.id(name)?;
        let file = &mut state.files[id];
        file.seen.truncate(usize::try_from(length).unwrap_or(usize::MAX));
        file.lost.retain(|range| range.end <= file.seen.len());
        file.sync();
        Ok(())
    }

    fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        let mut state = self.lock();
        state.whole_call()?;
        let id = state.id(from)?;
        state.names.remove(from);
        state.names.insert(to.to_owned(), id);
        Ok(())
    }

    fn remove(&mut self, name: &str) -> io::Result<()> {
        let mut state = self.lock();
        state.whole_call()?;
        state.id(name)?;
        state.names.remove(name);
        Ok(())
    }

    fn sync_names(&mut self) -> io::Result<()> {
        let mut state = self.lock();
        state.whole_call()?;
        state.durable_names = state.names.clone();
        Ok(())
    }

    fn place(&self, name: &str) -> PathBuf {
        PathBuf::from("disk").join(name)
    }
}
