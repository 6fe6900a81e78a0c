//! Registers, by zones.
//!
//! Gibbons and Korach, "Testing shared memories" (SIAM Journal on Computing, 1997). Where it is clear which write each read
//! read, the write and its reads form a cluster. Let f be the first return and s the last call in it. If f < s, the
//! register surely held the value from f to s: a *forward zone*. Otherwise all of the cluster overlap, and the register
//! held the value at some moment from s to f: a *backward zone*. The history is linearizable iff no read returns before its
//! write is called, no two forward zones overlap and no backward zone lies inside a forward one.

use super::intern::{Interner, NONE};
use super::pattern::Pattern;
use super::slots::Slots;
use crate::history::{History, OpId, Time};
use crate::spec::{RegisterDeed as Deed, RegisterLike, ValueAccess};

/// Decides the operations `ops` of a history of a register, or all those on one key of a map.
pub(super) fn decide(
    history: &History,
    spec: &impl RegisterLike,
    ops: &[OpId],
) -> Option<Result<(), Pattern>> {
    let clusters = match Clusters::read(history, spec, ops)? {
        Ok(clusters) => clusters,
        Err(pattern) => return Some(Err(pattern)),
    };
    match clusters.clash() {
        Some(pattern) => Some(Err(pattern)),
        None => clusters.exact.then_some(Ok(())),
    }
}

/// The zone of a write and its reads.
#[derive(Clone, Copy)]
struct Zone {
    /// The slot of the first return.
    f: u32,
    /// The slot of the last call.
    s: u32,
}

struct Clusters<'h> {
    history: &'h History,
    ops: &'h [OpId],
    slots: Slots,
    /// Per row, its cluster; [`NONE`] for those that have none.
    cluster: Vec<u32>,
    /// Cluster 0 is that of the initial value, which was written before all time.
    zones: Vec<Zone>,
    /// The row of each cluster's write.
    write: Vec<u32>,
    /// Nothing was left out that could make a difference.
    exact: bool,
}

/// A value that more than one write wrote.
const REPEATED: u32 = NONE - 1;

impl<'h> Clusters<'h> {
    /// Finds the clusters, or a read that has none; `None` if it is not clear which write was read.
    fn read(
        history: &'h History,
        spec: &'h impl RegisterLike,
        ops: &'h [OpId],
    ) -> Option<Result<Self, Pattern>> {
        let access: Vec<ValueAccess> = (history.methods.iter())
            .map(|name| spec.access(name))
            .collect();
        // Operations on one key lie far apart in memory: visit them once.
        let rows: Vec<(Deed<'h>, Time, Time)> = (ops.iter())
            .map(|&id| &history.operations[id as usize])
            .map(|op| {
                (
                    spec.deed(access[usize::from(op.method)], op),
                    op.call,
                    op.ret,
                )
            })
            .collect();
        let written = rows.iter().filter_map(|(deed, ..)| match deed {
            Deed::Write(v) => Some(*v),
            _ => None,
        });
        let mut interner = Interner::for_values(written);
        let mut this = Self {
            history,
            ops,
            slots: Slots::new(rows.iter().map(|&(_, call, ret)| (call, ret))),
            cluster: vec![NONE; ops.len()],
            zones: vec![Zone { f: 0, s: 0 }],
            write: vec![NONE],
            exact: true,
        };
        // Per value, its cluster.
        let mut cluster_of = Vec::new();
        for (row, (deed, ..)) in rows.iter().enumerate() {
            match deed {
                Deed::Beyond => return None,
                Deed::LeftOut => this.exact = false,
                Deed::Read(_) | Deed::Irrelevant => {}
                Deed::Write(v) => {
                    let number = interner.number(v) as usize;
                    let cluster = this.add_write(row);
                    if number == cluster_of.len() {
                        cluster_of.push(cluster);
                    } else {
                        cluster_of[number] = REPEATED;
                    }
                }
            }
        }
        let initial = spec.initial();
        if let Some(cluster) = cluster_of.get_mut(interner.known(initial) as usize) {
            *cluster = REPEATED;
        }
        for (row, (deed, ..)) in rows.iter().enumerate() {
            let Deed::Read(v) = deed else { continue };
            let cluster = match interner.known(v) {
                NONE if *v == initial => 0,
                NONE => return Some(Err(this.never_written(row))),
                number => cluster_of[number as usize],
            };
            if cluster == REPEATED {
                return None;
            }
            if let Err(pattern) = this.add_read(cluster, row) {
                return Some(Err(pattern));
            }
        }
        Some(Ok(this))
    }

    /// Makes a cluster of the write in `row`.
    fn add_write(&mut self, row: usize) -> u32 {
        let cluster = self.write.len() as u32;
        self.cluster[row] = cluster;
        self.write.push(row as u32);
        self.zones.push(Zone {
            f: self.slots.last[row],
            s: self.slots.first[row],
        });
        cluster
    }

    fn add_read(&mut self, cluster: u32, row: usize) -> Result<(), Pattern> {
        let write = self.write[cluster as usize];
        if write != NONE && self.slots.last[row] < self.slots.first[write as usize] {
            return Err(self.too_early(row, write as usize));
        }
        self.cluster[row] = cluster;
        let zone = &mut self.zones[cluster as usize];
        zone.f = zone.f.min(self.slots.last[row]);
        zone.s = zone.s.max(self.slots.first[row]);
        Ok(())
    }

    /// Two zones that cannot both be.
    fn clash(&self) -> Option<Pattern> {
        let count = self.slots.count as usize;
        // Nothing comes before the initial value, so its zone is forward from before all time on.
        let until = self.zones[0].s;
        let mut begins = vec![NONE; count];
        for (cluster, zone) in (1..).zip(&self.zones[1..]) {
            if zone.f < until {
                return Some(self.while_initial(cluster));
            }
            if zone.f < zone.s {
                let begin = &mut begins[zone.f as usize];
                if *begin != NONE {
                    return Some(self.both(*begin, cluster));
                }
                *begin = cluster;
            }
        }
        // From here on, `begins` says of each slot which forward zone was the last to begin by then.
        let mut latest = NONE;
        for begin in &mut begins {
            if *begin == NONE {
                *begin = latest;
                continue;
            }
            if latest != NONE && self.zones[*begin as usize].f < self.zones[latest as usize].s {
                return Some(self.both(latest, *begin));
            }
            latest = *begin;
        }
        (1..).zip(&self.zones[1..]).find_map(|(cluster, zone)| {
            let before = (zone.s as usize).checked_sub(1)?;
            let around = begins[before];
            (zone.f >= zone.s && around != NONE && zone.f < self.zones[around as usize].s)
                .then(|| self.inside(around, cluster))
        })
    }

    fn show(&self, row: usize) -> String {
        self.history.show(self.ops[row]).to_string()
    }

    /// The cluster's operations that returned first and were called last.
    fn ends(&self, cluster: u32) -> (usize, usize) {
        let zone = self.zones[cluster as usize];
        let find = |slots: &[u32], slot| {
            (0..self.ops.len())
                .find(|&row| self.cluster[row] == cluster && slots[row] == slot)
                .unwrap_or(0)
        };
        (
            find(&self.slots.last, zone.f),
            find(&self.slots.first, zone.s),
        )
    }

    /// The rows, with the writes they need, as operations.
    fn ids(&self, rows: &[usize], clusters: &[u32]) -> Vec<OpId> {
        let writes = clusters
            .iter()
            .map(|&cluster| self.write[cluster as usize])
            .filter(|&row| row != NONE)
            .map(|row| row as usize);
        (rows.iter().copied().chain(writes))
            .map(|row| self.ops[row])
            .collect()
    }

    fn value(&self, cluster: u32) -> String {
        let row = self.write[cluster as usize] as usize;
        let op = &self.history.operations[self.ops[row] as usize];
        op.argument
            .items()
            .last()
            .unwrap_or(&op.argument)
            .to_string()
    }

    fn never_written(&self, row: usize) -> Pattern {
        Pattern::new().because(
            format!("{} returned a value that nobody wrote", self.show(row)),
            [self.ops[row]],
        )
    }

    fn too_early(&self, row: usize, write: usize) -> Pattern {
        Pattern::new().because(
            format!(
                "{} returned before {} was called: it read a value that was not yet written",
                self.show(row),
                self.show(write)
            ),
            [self.ops[row], self.ops[write]],
        )
    }

    /// The line that says from when to when the register surely held a value.
    fn held(&self, pattern: Pattern, cluster: u32) -> Pattern {
        let (f, s) = self.ends(cluster);
        pattern.because(
            format!(
                "{} returned before {} was called, so the register held {} from the one to the other",
                self.show(f),
                self.show(s),
                self.value(cluster)
            ),
            self.ids(&[f, s], &[cluster]),
        )
    }

    fn both(&self, a: u32, b: u32) -> Pattern {
        self.held(self.held(Pattern::new(), a), b).because(
            format!(
                "these two times overlap: the register cannot hold {} and {} at once",
                self.value(a),
                self.value(b)
            ),
            [],
        )
    }

    fn inside(&self, around: u32, cluster: u32) -> Pattern {
        let (value, other) = (self.value(around), self.value(cluster));
        self.during(self.held(Pattern::new(), around), cluster)
            .because(
                format!("so the register held {other} at some moment of the time in which it held {value}: contradiction"),
                [],
            )
    }

    /// The line that says that the register held a value at some moment of the time that was just spoken of.
    fn during(&self, pattern: Pattern, cluster: u32) -> Pattern {
        let (f, s) = self.ends(cluster);
        let text = if f == s {
            format!("{} ran entirely in between", self.show(f))
        } else {
            format!(
                "{} was called after that time began, {} returned before it ended, and both are of {}",
                self.show(s),
                self.show(f),
                self.value(cluster)
            )
        };
        pattern.because(text, self.ids(&[f, s], &[cluster]))
    }

    fn while_initial(&self, cluster: u32) -> Pattern {
        let (f, _) = self.ends(cluster);
        let until = self.zones[0].s;
        let read = (0..self.ops.len())
            .find(|&row| self.cluster[row] == 0 && self.slots.first[row] == until)
            .unwrap_or(0);
        Pattern::new()
            .because(
                format!(
                    "{} read the initial value, so nothing was written before it was called",
                    self.show(read)
                ),
                [self.ops[read]],
            )
            .because(
                format!(
                    "{} returned before that, so {} was written before: contradiction",
                    self.show(f),
                    self.value(cluster)
                ),
                self.ids(&[f], &[cluster]),
            )
    }
}
