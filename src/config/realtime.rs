//! `[realtime]`: the rights of the clock thread.

use std::fmt::{Display, Formatter};
use std::path::PathBuf;

use super::sections::path_or_none;
use crate::document::{Fields, Report, Value, value};

/// `[realtime]`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Realtime {
    /// The clock thread's SCHED_FIFO priority, 1 to 99.
    pub priority: u8,
    /// Whether the memory is locked, so that the thread never waits for a page.
    pub lock_memory: bool,
    /// The processors that the thread may use.
    pub cpus: Cpus,
    /// Where the kernel takes the wish that processors wake up quickly, held while a clock runs; `None`: no such wish.
    pub cpu_dma_latency: Option<PathBuf>,
    /// Whether the clock refuses to run without these rights (priority, processors, locked memory); else it says so and
    /// runs.
    pub require_realtime: bool,
}

impl Default for Realtime {
    fn default() -> Self {
        Self {
            priority: 45,
            lock_memory: true,
            cpus: Cpus::default(),
            cpu_dma_latency: Some(PathBuf::from("/dev/cpu_dma_latency")),
            require_realtime: false,
        }
    }
}

impl Realtime {
    pub(super) const KEYS: &'static [&'static str] =
        &["priority", "lock_memory", "cpus", "cpu_dma_latency", "require_realtime"];
}

/// Processors by their numbers, 0 to 63; none of them: all may be used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cpus(u64);

impl Cpus {
    /// The numbers, in order.
    pub fn numbers(self) -> impl Iterator<Item = usize> {
        (0..64).filter(move |number| self.0 & (1 << number) != 0)
    }

    /// Whether all processors may be used.
    pub const fn is_any(self) -> bool {
        self.0 == 0
    }
}

impl FromIterator<u8> for Cpus {
    fn from_iter<T: IntoIterator<Item = u8>>(numbers: T) -> Self {
        Self(numbers.into_iter().filter(|number| *number < 64).fold(0, |set, number| set | 1 << number))
    }
}

/// As the configuration has it: `[2, 3]`.
impl Display for Cpus {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.numbers()).finish()
    }
}

pub(super) fn read(fields: &Fields<'_>, realtime: &mut Realtime, report: &mut Report<'_>) {
    fields.read("priority", &mut realtime.priority, report, value::whole(1..=99));
    fields.read("lock_memory", &mut realtime.lock_memory, report, value::boolean);
    fields.read("cpus", &mut realtime.cpus, report, cpus);
    fields.read("cpu_dma_latency", &mut realtime.cpu_dma_latency, report, path_or_none);
    fields.read("require_realtime", &mut realtime.require_realtime, report, value::boolean);
}

fn cpus(written: &Value<'_>) -> Result<Cpus, String> {
    let expected = "it is a list of processors' numbers from 0 to 63, such as [3]; [] = all of them";
    let list = written.as_array().ok_or(expected)?;
    let number = |each| value::whole::<u8>(0..=63)(each).map_err(|_| expected.to_owned());
    list.iter().map(|each| number(each.as_ref())).collect()
}

impl Display for Realtime {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "\n[realtime]\npriority = {}\nlock_memory = {}", self.priority, self.lock_memory)?;
        writeln!(f, "cpus = {}", self.cpus)?;
        writeln!(f, "cpu_dma_latency = {}", super::show::path_or_none(self.cpu_dma_latency.as_deref()))?;
        writeln!(f, "require_realtime = {}", self.require_realtime)
    }
}
