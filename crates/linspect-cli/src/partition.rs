//! `--partition count:1/3`: a part of what there is to run, for the jobs of a CI matrix, as cargo-nextest has it.

use std::str::FromStr;

/// Every so many-th item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Partition {
    /// Which part, from 0.
    index: usize,
    /// Of how many.
    count: usize,
}

impl FromStr for Partition {
    type Err = String;

    fn from_str(typed: &str) -> Result<Self, String> {
        let parts = typed
            .strip_prefix("count:")
            .and_then(|parts| parts.split_once('/'));
        let number = |text: &str| text.parse::<usize>().ok();
        let parts = parts.and_then(|(index, count)| Some((number(index)?, number(count)?)));
        match parts {
            Some((index, count)) if (1..=count).contains(&index) => Ok(Self {
                index: index - 1,
                count,
            }),
            _ => Err("write for example count:1/3, the first of three parts".into()),
        }
    }
}

impl Partition {
    /// Those of its part, dealt out one by one.
    pub(crate) fn of<T>(self, items: Vec<T>) -> Vec<T> {
        let own = items.into_iter().skip(self.index);
        own.step_by(self.count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However many parts there are, each item is in one of them.
    #[test]
    fn nothing_is_left_out_and_nothing_comes_twice() {
        for count in 1..=12 {
            let part = |index: usize| -> Partition {
                format!("count:{index}/{count}").parse().expect("a part")
            };
            let parts = (1..=count).map(|index| part(index).of((0..10).collect::<Vec<_>>()));
            let parts: Vec<Vec<i32>> = parts.collect();
            let sizes = parts.iter().map(Vec::len);
            let (least, most) = (sizes.clone().min(), sizes.max());
            assert!(most <= least.map(|least| least + 1), "{parts:?}");
            let mut all = parts.concat();
            all.sort_unstable();
            assert_eq!(all, (0..10).collect::<Vec<_>>());
        }
    }

    #[test]
    fn other_words_are_no_parts() {
        for typed in [
            "1/3",
            "count:0/3",
            "count:4/3",
            "count:1",
            "hash:1/2",
            "count:a/b",
        ] {
            assert!(typed.parse::<Partition>().is_err(), "{typed}");
        }
    }
}
