//! What Jepsen's nemesis did to the system while clients worked: from when to when.
//!
//! A nemesis tells twice what it does, before and after, both as `:info`. What it does lasts until it does the opposite: `start` until `stop`, `start-partition`
//! until `stop-partition`, and in `jepsen.nemesis.combined` also `kill` until `start`, `pause` until `resume`, a change of clocks until `reset-clock`. Anything else
//! lasts from the first telling to the second.

use linspect_core::history::Time;
use linspect_core::value::Value;

/// Something that was done to the system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disturbance {
    /// What: `partition`, `kill`, …
    pub what: String,
    /// What was said of it, such as which nodes were cut off; may be empty.
    pub details: String,
    /// When it began.
    pub from: Time,
    /// When it was over, if it ever was.
    pub to: Option<Time>,
}

/// Longer details are cut.
const LONG: usize = 300;

/// The disturbances of a history under construction.
#[derive(Debug, Default)]
pub(crate) struct Nemesis {
    told: Vec<Told>,
}

#[derive(Debug)]
struct Told {
    disturbance: Disturbance,
    /// What it was called.
    f: String,
    /// How it ended: by what, and whether that was told for the second time.
    ended: Option<(String, bool)>,
}

impl Nemesis {
    /// Takes an event: at `now` the nemesis did, or had done, `f`.
    pub(crate) fn tell(&mut self, f: &str, value: Option<&Value>, now: Time) {
        let details = match value {
            None | Some(Value::Nil | Value::Unit) => String::new(),
            Some(Value::Text(text)) => text.chars().take(LONG).collect(),
            Some(value) => value.to_string().chars().take(LONG).collect(),
        };
        if self.tell_end_again(f, now) {
            return;
        }
        // The second telling of what was told last.
        let mut open = self.told.iter_mut().rev();
        if let Some(again) = open.find(|told| told.ended.is_none() && told.f == f) {
            if !details.is_empty() {
                again.disturbance.details = details;
            }
            if !lasts(f) {
                again.disturbance.to = Some(now);
                again.ended = Some((f.to_owned(), true));
            }
            return;
        }
        let mut is_end = false;
        for open in self.told.iter_mut().filter(|told| told.ended.is_none()) {
            if ends(&open.f, f) {
                open.ended = Some((f.to_owned(), false));
                open.disturbance.to = Some(now);
                is_end = true;
            }
        }
        if !is_end && !f.starts_with("stop") {
            let what = f.strip_prefix("start-").unwrap_or(f);
            self.told.push(Told {
                disturbance: Disturbance {
                    what: if what == "start" { "nemesis" } else { what }.to_owned(),
                    details,
                    from: now,
                    to: None,
                },
                f: f.to_owned(),
                ended: None,
            });
        }
    }

    /// Takes the second telling of what ended something, or several things; says whether there is any.
    fn tell_end_again(&mut self, f: &str, now: Time) -> bool {
        let mut is_told = false;
        for told in &mut self.told {
            if let Some((by, twice @ false)) = &mut told.ended
                && by == f
            {
                *twice = true;
                told.disturbance.to = Some(now);
                is_told = true;
            }
        }
        is_told
    }

    /// All of them, in order of their beginning.
    pub(crate) fn finish(self) -> Vec<Disturbance> {
        let told = self.told.into_iter();
        told.map(|told| told.disturbance).collect()
    }
}

/// Whether what `f` does lasts until something else ends it.
fn lasts(f: &str) -> bool {
    f.starts_with("start") || OPPOSITES.iter().any(|(begin, _)| *begin == f)
}

const OPPOSITES: [(&str, &str); 5] = [
    ("kill", "start"),
    ("pause", "resume"),
    ("bump-clock", "reset-clock"),
    ("strobe-clock", "reset-clock"),
    ("partition", "heal"),
];

/// Whether `end` ends what `begin` began.
fn ends(begin: &str, end: &str) -> bool {
    let stopped = end.strip_prefix("stop");
    stopped.is_some() && begin.strip_prefix("start") == stopped || OPPOSITES.contains(&(begin, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was done from when to when, if event n happens at n.
    fn told(events: &[&str]) -> Vec<(String, Time, Option<Time>)> {
        let mut nemesis = Nemesis::default();
        for (now, f) in (0..).zip(events) {
            nemesis.tell(f, None, now);
        }
        let all = nemesis.finish().into_iter();
        all.map(|d| (d.what, d.from, d.to)).collect()
    }

    fn one(what: &str, from: Time, to: Option<Time>) -> (String, Time, Option<Time>) {
        (what.to_owned(), from, to)
    }

    #[test]
    fn what_is_done_lasts_until_it_is_undone() {
        assert_eq!(
            told(&["start", "start", "stop", "stop", "start", "start"]),
            [one("nemesis", 0, Some(3)), one("nemesis", 4, None)]
        );
        assert_eq!(
            told(&[
                "start-partition",
                "start-partition",
                "kill",
                "kill",
                "stop-partition",
                "stop-partition",
                "start",
                "start"
            ]),
            [one("partition", 0, Some(5)), one("kill", 2, Some(7))]
        );
        assert_eq!(
            told(&[
                "bump-clock",
                "bump-clock",
                "strobe-clock",
                "strobe-clock",
                "reset-clock",
                "reset-clock"
            ]),
            [
                one("bump-clock", 0, Some(5)),
                one("strobe-clock", 2, Some(5))
            ]
        );
    }

    #[test]
    fn what_is_not_undone_lasts_from_the_first_telling_to_the_second() {
        assert_eq!(
            told(&[
                "check-clock-offsets",
                "check-clock-offsets",
                "stop",
                "stop",
                "snarf",
                "snarf"
            ]),
            [
                one("check-clock-offsets", 0, Some(1)),
                one("snarf", 4, Some(5))
            ]
        );
    }

    #[test]
    fn the_second_telling_says_more() {
        let mut nemesis = Nemesis::default();
        nemesis.tell("start", Some(&Value::Nil), 3);
        nemesis.tell("start", Some(&Value::text("Cut off n1")), 4);
        let all = nemesis.finish();
        assert_eq!(all[0].details, "Cut off n1");
        assert_eq!((all[0].from, all[0].to), (3, None));
    }
}
