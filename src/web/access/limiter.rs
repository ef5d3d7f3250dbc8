//! How often somebody may try: a small account for each network, and one for all strangers together.
//!
//! A network is an IPv4 address or an IPv6 /64. The table is bounded: the account that is fullest goes first, which is
//! the one of whom tried least. Whoever has a device that is let in is not held back by the account of all strangers,
//! so that no stranger can lock out who is known.

use std::net::IpAddr;

use tokio::time::{Duration, Instant};

use crate::link::access::network;

/// Networks that are remembered.
const MOST: usize = 256;

/// An account: so many tries at once, and one more after each of these times.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rate {
    pub(crate) burst: u32,
    pub(crate) each: Duration,
}

#[derive(Clone, Copy, Debug)]
struct Account {
    left: u32,
    since: Instant,
}

impl Account {
    fn full(rate: Rate, now: Instant) -> Self {
        Self { left: rate.burst, since: now }
    }

    /// What is there now.
    fn refill(&mut self, rate: Rate, now: Instant) {
        let passed = now.duration_since(self.since).as_millis() / rate.each.as_millis().max(1);
        let more = u32::try_from(passed).unwrap_or(u32::MAX);
        self.left = self.left.saturating_add(more).min(rate.burst);
        self.since = if self.left == rate.burst { now } else { self.since + rate.each * more };
    }
}

/// All accounts.
#[derive(Debug)]
pub(crate) struct Limiter {
    of_one: Rate,
    of_all: Rate,
    all: Account,
    table: Vec<(IpAddr, Account)>,
}

impl Limiter {
    pub(crate) fn new(of_one: Rate, of_all: Rate) -> Self {
        Self { of_one, of_all, all: Account::full(of_all, Instant::now()), table: Vec::new() }
    }

    /// Takes one try of a network; after how many seconds there is one again, if there is none now. `known`: somebody
    /// from there is let in already.
    pub(crate) fn take(&mut self, from: IpAddr, known: bool) -> Result<(), u64> {
        let now = Instant::now();
        let (of_one, of_all) = (self.of_one, self.of_all);
        self.all.refill(of_all, now);
        let wait = |rate: Rate| rate.each.as_secs().max(1);
        if self.all.left == 0 && !known {
            return Err(wait(of_all));
        }
        let account = self.account(network(from), now);
        account.refill(of_one, now);
        if account.left == 0 {
            return Err(wait(of_one));
        }
        account.left -= 1;
        self.all.left = self.all.left.saturating_sub(u32::from(!known));
        Ok(())
    }

    fn account(&mut self, network: IpAddr, now: Instant) -> &mut Account {
        let index = match self.table.iter().position(|(known, _)| *known == network) {
            Some(index) => index,
            None => {
                if self.table.len() >= MOST {
                    let rate = self.of_one;
                    self.table.iter_mut().for_each(|(_, account)| account.refill(rate, now));
                    let fullest = (0..self.table.len()).max_by_key(|index| self.table[*index].1.left).unwrap_or(0);
                    self.table.swap_remove(fullest);
                }
                self.table.push((network, Account::full(self.of_one, now)));
                self.table.len() - 1
            }
        };
        &mut self.table[index].1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limiter() -> Limiter {
        let of_one = Rate { burst: 3, each: Duration::from_secs(20) };
        Limiter::new(of_one, Rate { burst: 10, each: Duration::from_secs(5) })
    }

    fn host(number: u32) -> IpAddr {
        IpAddr::V4((0x0a00_0000 + number).into())
    }

    #[tokio::test(start_paused = true)]
    async fn asvs_6_3_1_one_network_has_its_tries_and_they_come_back() {
        let mut limiter = limiter();
        for _ in 0..3 {
            assert_eq!(limiter.take(host(1), false), Ok(()));
        }
        assert_eq!(limiter.take(host(1), false), Err(20));
        assert_eq!(limiter.take(host(2), false), Ok(()), "another is not held back");
        tokio::time::advance(Duration::from_secs(20)).await;
        assert_eq!(limiter.take(host(1), false), Ok(()));
        assert_eq!(limiter.take(host(1), false), Err(20));
    }

    #[tokio::test(start_paused = true)]
    async fn many_strangers_share_one_account_and_lock_nobody_out_who_is_known() {
        let mut limiter = limiter();
        let taken = (0..1000).filter(|number| limiter.take(host(*number), false).is_ok()).count();
        assert_eq!(taken, 10);
        assert_eq!(limiter.take(host(5000), false), Err(5));
        assert_eq!(limiter.take(host(5000), true), Ok(()));
        assert!(limiter.table.len() <= MOST);
    }

    #[tokio::test(start_paused = true)]
    async fn the_table_is_bounded_and_forgets_who_tried_least() {
        let mut limiter = limiter();
        while limiter.take(host(7), true).is_ok() {}
        for number in 100..100 + 2 * u32::try_from(MOST).unwrap() {
            assert_eq!(limiter.take(host(number), true), Ok(()));
        }
        assert_eq!(limiter.table.len(), MOST);
        assert!(limiter.take(host(7), true).is_err(), "whoever used up his tries is remembered");
    }
}
