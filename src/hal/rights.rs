//! What a realtime thread asks of the system: priority and memory that stays. The one place with `unsafe`.
//!
//! Neither nix nor rustix has these calls in the form that works with every C library: musl's `sched_setscheduler`
//! always fails, so the thread call is used and the policy read back.

#![expect(unsafe_code, reason = "calls of the C library, each on plain values or on memory that this function owns")]

use std::io::Error;
use std::mem::MaybeUninit;

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

/// Locks the process's memory, each page as soon as it is touched: a page fault would be a wait for a disk.
///
/// # Errors
/// The system refused.
pub fn lock_memory() -> Result<(), Refused> {
    // SAFETY: the call takes flags alone.
    let code = unsafe { libc::mlockall(libc::MCL_CURRENT | libc::MCL_FUTURE | libc::MCL_ONFAULT) };
    if code == 0 { Ok(()) } else { Err(Refused::Memory(Error::last_os_error())) }
}
