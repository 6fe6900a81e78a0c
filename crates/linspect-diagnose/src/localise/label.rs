//! What the races of a run can still decide: labels of interleaving-tree nodes.
//!
//! Chen, Zhang, Wu and Zhang, *Interleaving-tree Based Fine-grained Linearizability Fault Localization*, Definition 8, generalised to any number of threads:
//! the paper's labels W, B, G, Wg, Bg cover two threads; three can compete so that one side saves, one dooms and one leaves it open (`Wbg`).

use std::fmt;

/// How the runs below a node end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Fate {
    /// All well.
    Good,
    /// All badly.
    Bad,
    /// Some well, some badly; or nobody knows.
    Open,
}

impl Fate {
    /// The fate of a node with `good` and `bad` runs below it.
    pub fn of(good: u128, bad: u128) -> Self {
        match (good, bad) {
            (_, 0) => Self::Good,
            (0, _) => Self::Bad,
            _ => Self::Open,
        }
    }
}

/// What the choice at a node decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    /// W: nothing, all is well.
    White,
    /// B: nothing, all is lost.
    Black,
    /// G: everything, one side saves and the other dooms.
    Gray,
    /// Wg: one side saves, the other leaves it open.
    WhiteGray,
    /// Bg: one side dooms, the other leaves it open.
    BlackGray,
    /// Wbg: some side saves, some side dooms, some side leaves it open.
    WhiteBlackGray,
    /// Gg: nothing yet, every side leaves it open.
    GrayGray,
}

impl Label {
    /// The label of a node whose children have these fates.
    pub fn of(children: &[Fate]) -> Self {
        let has = |fate| children.contains(&fate);
        match (has(Fate::Good), has(Fate::Bad), has(Fate::Open)) {
            (true, true, true) => Self::WhiteBlackGray,
            (true, true, false) => Self::Gray,
            (true, false, true) => Self::WhiteGray,
            (false, true, true) => Self::BlackGray,
            (false, false, true) => Self::GrayGray,
            (false, true, false) => Self::Black,
            (_, false, false) => Self::White,
        }
    }

    /// Whether who goes first at such a node decides something about the end.
    pub fn is_decisive(self) -> bool {
        !matches!(self, Self::White | Self::Black | Self::GrayGray)
    }

    /// Whether a bad run can pass its last decisive node here: some side dooms.
    pub fn can_doom(self) -> bool {
        matches!(self, Self::Gray | Self::BlackGray | Self::WhiteBlackGray)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "W",
            Self::Black => "B",
            Self::Gray => "G",
            Self::WhiteGray => "WG",
            Self::BlackGray => "BG",
            Self::WhiteBlackGray => "WBG",
            Self::GrayGray => "GG",
        })
    }
}
