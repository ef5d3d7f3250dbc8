//! What a realtime thread asks of the system: priority, processors, memory that stays. The one place with `unsafe`.
//!
//! Neither nix nor rustix has these calls in the form that works with every C library: musl's `sched_setscheduler`
//! always fails, so the thread call is used and the policy read back.

#![expect(unsafe_code, reason = "calls of the C library, each on plain values or on memory that this function owns")]

use std::io::Error;
use std::mem::MaybeUninit;

use rustix::thread::{CpuSet, sched_setaffinity};

/// A right that was refused, with the cure.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// No realtime priority.
    #[error(
        "no realtime priority {priority} ({error}): give the service CAP_SYS_NICE or LimitRTPRIO={priority}; \
         presses are booked exactly all the same, only the picture may come late"
    )]
    Priority {
        /// What was asked for.
        priority: i32,
        /// What the system answered.
        error: Error,
    },
    /// Not bound to its processors.
    #[error("the clock thread is not bound to the processors {cpus} ({error}): correct realtime.cpus")]
    Cpus {
        /// What was asked for.
        cpus: String,
        /// What the system answered.
        error: Error,
    },
    /// Memory may be paged out.
    #[error("memory is not locked ({0}): give the service CAP_IPC_LOCK or LimitMEMLOCK=infinity")]
    Memory(Error),
}

/// Gives the calling thread SCHED_FIFO with this priority, 1 to 99, and reads it back.
///
/// # Errors
/// The system refused, or said yes and did nothing.
pub fn realtime_priority(priority: i32) -> Result<(), Refused> {
    let refused = |code| Refused::Priority { priority, error: Error::from_raw_os_error(code) };
    let (_, mut wanted) = scheduling().map_err(refused)?;
    wanted.sched_priority = priority;
    // SAFETY: `pthread_self` is the calling thread, which lives as long as the call; `wanted` is a valid parameter.
    let code = unsafe { libc::pthread_setschedparam(libc::pthread_self(), libc::SCHED_FIFO, &raw const wanted) };
    if code != 0 {
        return Err(refused(code));
    }
    match scheduling() {
        Ok((libc::SCHED_FIFO, _)) => Ok(()),
        Ok(_) => Err(refused(libc::EPERM)),
        Err(code) => Err(refused(code)),
    }
}

/// Policy and parameters of the calling thread; not every C library has the same parameters. Else the error's number.
fn scheduling() -> Result<(i32, libc::sched_param), i32> {
    let mut policy = 0;
    let mut given = MaybeUninit::<libc::sched_param>::zeroed();
    // SAFETY: both out-pointers are valid for writes for the length of the call.
    let code = unsafe { libc::pthread_getschedparam(libc::pthread_self(), &raw mut policy, given.as_mut_ptr()) };
    // SAFETY: every field is a number or made of numbers, for which zeros are valid.
    if code == 0 { Ok((policy, unsafe { given.assume_init() })) } else { Err(code) }
}

/// Binds the calling thread to these processors.
///
/// # Errors
/// There is none of them, or the system refused.
pub fn bind_to(cpus: impl Iterator<Item = usize>) -> Result<(), Refused> {
    let (mut set, mut names) = (CpuSet::new(), Vec::new());
    for cpu in cpus.filter(|cpu| *cpu < CpuSet::MAX_CPU) {
        set.set(cpu);
        names.push(cpu.to_string());
    }
    sched_setaffinity(None, &set).map_err(|error| Refused::Cpus { cpus: names.join(", "), error: error.into() })
}

/// Locks the process's memory: a page fault would be a wait for a disk. What is there now (program, stacks, queues) is
/// brought in and stays; what comes later stays once it is touched.
///
/// # Errors
/// The system refused.
pub fn lock_memory() -> Result<(), Refused> {
    for flags in [libc::MCL_CURRENT, libc::MCL_FUTURE | libc::MCL_ONFAULT] {
        // SAFETY: the call takes flags alone.
        if unsafe { libc::mlockall(flags) } != 0 {
            return Err(Refused::Memory(Error::last_os_error()));
        }
    }
    Ok(())
}

/// How much of its stack a realtime thread touches before it begins, in bytes.
const TOUCHED_STACK: usize = 128 * 1024;

/// Touches the stack below, so that no page of it is missing later, locked or not.
#[inline(never)]
pub fn touch_stack() {
    let mut below = [0_u8; TOUCHED_STACK];
    std::hint::black_box(&mut below);
}
