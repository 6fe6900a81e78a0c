//! Where the running instruction stands in the source, and whose code it is.

use super::Cpu;
use crate::program::{Origin, SiteId};
use crate::thread::Frame;

impl Cpu<'_> {
    /// Where the running instruction stands for a reader: the innermost place outside the libraries, through calls and inlining alike.
    pub(crate) fn site(&self) -> SiteId {
        let frames = self.thread.frames.iter().rev();
        let mut sites = frames.map(|frame| self.site_in(frame));
        let users = sites.find_map(|site| match self.image.user_sites.get(site as usize) {
            None | Some(0) => None,
            Some(user) => Some(*user),
        });
        users.unwrap_or_else(|| self.own_site())
    }

    /// Where the running instruction itself stands.
    pub(crate) fn own_site(&self) -> SiteId {
        self.thread.frames.last().map_or(0, |f| self.site_in(f))
    }

    fn site_in(&self, frame: &Frame) -> SiteId {
        let function = &self.image.program.functions[frame.function as usize];
        let site = function.sites.get(frame.pc as usize);
        site.copied().unwrap_or(function.site)
    }

    /// Whose code the running instruction is.
    pub(crate) fn origin(&self) -> Origin {
        match self.image.program.sites[self.own_site() as usize].origin {
            Origin::Plumbing => self
                .thread
                .frames
                .last()
                .map_or(Origin::User, |frame| frame.origin),
            own => own,
        }
    }

    /// Whose doing it is what the running instruction calls.
    pub(crate) fn passed_on(&self) -> Origin {
        match self.image.program.sites[self.own_site() as usize].origin {
            Origin::Plumbing | Origin::Count => self
                .thread
                .frames
                .last()
                .map_or(Origin::User, |frame| frame.origin),
            own => own,
        }
    }
}
