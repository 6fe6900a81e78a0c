//! Of configurations that differ only in operations that need not take effect, those with the fewest placed are enough: who has more of them still to place can do
//! whatever the other can.

use super::frontier::{Config, TrailId};
use super::mask::Mask;
use crate::verdict::Limit;

/// A configuration is compared with so many of which each might do whatever it can.
const COMPARED: usize = 256;
/// So many comparisons, and so many configurations looked at, take as long as to try an operation.
const COMPARISONS: usize = 64;
const LOOKS: usize = 8;

/// Hears how much was done, in operations that might have been tried, and what is held; says whether to go on.
type Ask<'a, M> = dyn FnMut(usize, &Vec<(Config<M>, TrailId)>) -> Result<(), Limit> + 'a;

/// Leaves out of `configs` those that others make needless, where `optional` need not take effect. Goes on for as long as `ask` says.
pub(super) fn drop_dominated<M: Mask>(
    configs: &mut Vec<(Config<M>, TrailId)>,
    optional: &M,
    ask: &mut Ask<'_, M>,
) -> Result<(), Limit> {
    configs.sort_by_cached_key(|(c, _)| (c.state, c.note, c.placed.count_in(optional)));
    // Those before `kept` stay; of these, those from `group` on are in the same state as the one looked at.
    let (mut kept, mut group) = (0, 0);
    for at in 0..configs.len() {
        let (config, _) = &configs[at];
        if (configs[group].0.state, configs[group].0.note) != (config.state, config.note) {
            group = kept;
        }
        let compared = &configs[group..kept.min(group + COMPARED)];
        let work = usize::from(at % LOOKS == 0) + compared.len() / COMPARISONS;
        let is_dominated = compared.iter().any(|(better, _)| {
            better.placed.agrees_outside(&config.placed, optional)
                && better.placed.is_within(&config.placed)
        });
        if !is_dominated {
            configs.swap(kept, at);
            kept += 1;
        }
        ask(work, configs)?;
    }
    configs.truncate(kept);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slots 2 and 3 need not take effect. The trail numbers the configurations.
    fn left(configs: &[(u32, u64)]) -> Vec<u32> {
        let config = |(trail, &(state, placed))| {
            let note = 0;
            (
                Config {
                    state,
                    note,
                    placed,
                },
                trail,
            )
        };
        let mut all: Vec<(Config<u64>, TrailId)> = (0..).zip(configs).map(config).collect();
        drop_dominated(&mut all, &0b1100, &mut |_, _| Ok(())).expect("no limit");
        all.into_iter().map(|(_, trail)| trail).collect()
    }

    #[test]
    fn who_has_placed_less_is_enough() {
        assert_eq!(left(&[(1, 0b1101), (1, 0b0101), (1, 0b0001)]), [2]);
        // Neither has placed less than the other.
        assert_eq!(left(&[(1, 0b1001), (1, 0b0101)]), [0, 1]);
        // What must take effect differs, or the state does.
        assert_eq!(left(&[(1, 0b0001), (1, 0b0110)]), [0, 1]);
        assert_eq!(left(&[(2, 0b0101), (1, 0b0001)]), [1, 0]);
        // States come one after the other, each with what is left of it.
        assert_eq!(
            left(&[(3, 0b0100), (1, 0b0101), (3, 0), (1, 0b0001), (2, 0b1000)]),
            [3, 4, 2]
        );
    }

    #[test]
    fn a_limit_ends_it() {
        let config = |placed| {
            let (state, note) = (0, 0);
            (
                Config {
                    state,
                    note,
                    placed,
                },
                0,
            )
        };
        let mut all: Vec<(Config<u64>, TrailId)> = vec![config(1), config(2)];
        let said = drop_dominated(&mut all, &0, &mut |_, _| Err(Limit::Memory));
        assert_eq!(said, Err(Limit::Memory));
    }
}
