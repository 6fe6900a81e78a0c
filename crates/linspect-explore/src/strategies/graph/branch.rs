//! A part of the walk over graphs. It can be cut wherever it stands: what is left is a path, and whoever has the path can go on from there.

use super::{Child, Explorer, Graph, Node};
use crate::strategies::{Leaf, Visit};
use linspect_core::machine::Machine;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// Nodes between two questions about the budget.
const BREATH: u64 = 16;

/// A part of the walk: what comes from the end of `path` on, within what its first `floor` numbers lead to. The whole walk by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WalkPart {
    /// Which child is taken, node by node, from the empty graph on.
    pub path: Vec<u32>,
    /// How many numbers of the path stay as they are.
    pub floor: usize,
}

/// What is left of a part while it is walked.
pub trait Rest {
    /// Where it begins, and where it ends.
    fn branch(&self) -> WalkPart;

    /// Gives its last piece away, if there are two.
    fn split(&mut self) -> Option<WalkPart>;

    /// Whether freed memory was used again so far.
    fn has_reused(&self) -> bool;

    /// All of it, in as many pieces as there are, in the order of the walk.
    fn pieces(&mut self) -> Vec<WalkPart> {
        let mut pieces = Vec::new();
        while let Some(last) = self.split() {
            pieces.push(last);
        }
        pieces.push(self.branch());
        pieces.reverse();
        pieces
    }
}

/// Hears between two nodes what is left; may break off the walk.
pub type Breath<'a> = dyn FnMut(&mut dyn Rest) -> ControlFlow<()> + 'a;

/// A node with ways on that were not gone yet.
struct Frame<S> {
    node: Node<S>,
    children: std::vec::IntoIter<Child<S>>,
    /// The number of the next child, and how many nodes are above.
    next: u32,
    depth: usize,
    /// Which part of the walk a child is.
    share: f64,
    done: f64,
}

/// How far a part has been walked.
struct Way<S> {
    frames: Vec<Frame<S>>,
    /// The numbers of the children that lead to where the walk is.
    path: Vec<u32>,
    floor: usize,
}

impl<M: Machine> Explorer<'_, M> {
    pub(super) fn explore(
        &mut self,
        branch: &WalkPart,
        visit: &mut Visit<'_>,
        breath: &mut Breath<'_>,
    ) -> ControlFlow<()> {
        let mut way = Way {
            frames: Vec::new(),
            path: Vec::new(),
            floor: branch.floor,
        };
        let mut entered = self.enter(branch, &mut way);
        let mut nodes = 0_u64;
        loop {
            if let Some((node, done, share)) = entered.take() {
                nodes += 1;
                if nodes.is_multiple_of(BREATH) && self.options.budget.exhausted(0).is_some() {
                    return ControlFlow::Break(());
                }
                self.machine.restore(&node.point.snapshot);
                match self.children(&node) {
                    Some(children) => way.frames.push(Frame {
                        node,
                        share: share / children.len().max(1) as f64,
                        children: children.into_iter(),
                        next: 0,
                        depth: way.path.len(),
                        done,
                    }),
                    None => self.show(&node, done + share, visit)?,
                }
            }
            let is_over = |frame: &Frame<_>| frame.children.len() == 0;
            while way.frames.last().is_some_and(is_over) {
                way.frames.pop();
            }
            if way.frames.is_empty() {
                return ControlFlow::Continue(());
            }
            let reused = self.machine.has_reused();
            breath(&mut Left {
                way: &mut way,
                reused,
            })?;
            let frame = way.frames.last_mut().expect("what is left is not empty");
            let child = frame.children.next().expect("who has none was left");
            way.path.truncate(frame.depth);
            way.path.push(frame.next);
            let (done, share) = (frame.done, frame.share);
            frame.next += 1;
            frame.done += share;
            let node = if is_over(frame) {
                // Whoever has no more children is not needed while the last one is explored.
                let frame = way.frames.pop().expect("it is there");
                self.realise(&frame.node, child, done, visit)
            } else {
                self.realise(&frame.node, child, done, visit)
            };
            entered = node?.map(|node| (node, done, share));
        }
    }

    /// Goes to where `branch` begins, and shows nothing on the way: the node to enter, if that is the root; else the frames say what comes next.
    fn enter(
        &mut self,
        branch: &WalkPart,
        way: &mut Way<M::Snapshot>,
    ) -> Option<(Node<M::Snapshot>, f64, f64)> {
        let mut node = Node {
            graph: Graph::default(),
            point: self.start.clone(),
            forced: SmallVec::new(),
        };
        let (mut done, mut share) = (0.0, 1.0);
        let Some((&begin, above)) = branch.path.split_last() else {
            return Some((node, done, share));
        };
        let walk = self.walk;
        for (depth, &number) in above.iter().enumerate() {
            let mut frame = self.frame_at(node, depth, number, done, share);
            let child = frame.children.next().expect("the path leads on");
            (done, share) = (frame.done, frame.share);
            frame.next += 1;
            frame.done += share;
            let silent = &mut |_: &Leaf<'_>| ControlFlow::Continue(());
            let next = self.realise(&frame.node, child, done, silent);
            let ControlFlow::Continue(Some(next)) = next else {
                unreachable!("a path leads through graphs")
            };
            node = next;
            if depth >= branch.floor && frame.children.len() > 0 {
                way.frames.push(frame);
            }
        }
        self.walk = walk;
        way.path = above.to_vec();
        let mut frame = self.frame_at(node, above.len(), begin, done, share);
        if above.len() < branch.floor {
            frame.keep_one();
        }
        way.frames.push(frame);
        None
    }

    /// The frame of `node`, whose next child is this one.
    fn frame_at(
        &mut self,
        node: Node<M::Snapshot>,
        depth: usize,
        next: u32,
        mut done: f64,
        share: f64,
    ) -> Frame<M::Snapshot> {
        self.machine.restore(&node.point.snapshot);
        let children = self.children(&node).unwrap_or_default();
        let share = share / children.len().max(1) as f64;
        let mut children = children.into_iter();
        // As it is added up when they are walked.
        for _ in children.by_ref().take(next as usize) {
            done += share;
        }
        Frame {
            node,
            children,
            next,
            depth,
            share,
            done,
        }
    }
}

impl<S> Frame<S> {
    /// Forgets all children but the next.
    fn keep_one(&mut self) {
        let next: Vec<Child<S>> = self.children.next().into_iter().collect();
        self.children = next.into_iter();
    }
}

struct Left<'a, S> {
    way: &'a mut Way<S>,
    reused: bool,
}

impl<S> Left<'_, S> {
    /// The path to a child of the node at this depth.
    fn path(&self, depth: usize, child: u32) -> Vec<u32> {
        let above = self.way.path[..depth].iter().copied();
        above.chain([child]).collect()
    }
}

impl<S> Rest for Left<'_, S> {
    fn branch(&self) -> WalkPart {
        let frame = self.way.frames.last().expect("something is left");
        WalkPart {
            path: self.path(frame.depth, frame.next),
            floor: self.way.floor,
        }
    }

    fn split(&mut self) -> Option<WalkPart> {
        let frames = &mut self.way.frames;
        let is_alone = frames.len() == 1;
        let highest = frames.first_mut()?;
        let (depth, next) = (highest.depth, highest.next);
        if is_alone && highest.children.len() < 2 {
            return None;
        }
        if is_alone {
            highest.keep_one();
        } else {
            frames.remove(0);
        }
        self.way.floor = depth + 1;
        Some(WalkPart {
            path: self.path(depth, next + u32::from(is_alone)),
            floor: depth,
        })
    }

    fn has_reused(&self) -> bool {
        self.reused
    }
}
