//! Where the running instruction stands in the source, and whose code it is.

use super::Cpu;
use crate::image::Image;
use crate::program::{Function, Origin, Pc, SiteId};
use crate::thread::Frame;

impl Image {
    /// Where an instruction itself stands.
    #[inline]
    fn own_site(&self, function: &Function, pc: Pc) -> SiteId {
        let site = function.sites.get(pc as usize);
        site.copied().unwrap_or(function.site)
    }

    /// Where code outside the libraries stands that an instruction belongs to, by inlining or by calls, which led to `outer`; 0 if there is none.
    #[inline]
    fn users(&self, own: SiteId, outer: SiteId) -> SiteId {
        match self.user_sites.get(own as usize) {
            None | Some(0) => outer,
            Some(user) => *user,
        }
    }

    /// Where an instruction stands for a reader: the innermost place outside the libraries, through calls, which led to `outer`, and inlining alike.
    #[inline]
    pub(super) fn site(&self, function: &Function, pc: Pc, outer: SiteId) -> SiteId {
        let own = self.own_site(function, pc);
        match self.users(own, outer) {
            0 => own,
            users => users,
        }
    }
}

impl Frame {
    /// What the call that it stands at hands on: whose doing it is, and where the code outside the libraries stands.
    #[inline]
    pub(super) fn passes_on(&self, image: &Image) -> (Origin, SiteId) {
        let function = &image.program.functions[self.function as usize];
        let own = image.own_site(function, self.pc);
        let origin = match image.program.sites[own as usize].origin {
            Origin::Plumbing | Origin::Count => self.origin,
            own => own,
        };
        (origin, image.users(own, self.outer))
    }
}

impl Cpu<'_> {
    /// Where the running instruction stands for a reader.
    pub(crate) fn site(&self) -> SiteId {
        let site = |frame: &Frame| {
            let function = &self.image.program.functions[frame.function as usize];
            self.image.site(function, frame.pc, frame.outer)
        };
        self.thread.frames.last().map_or(0, site)
    }

    /// Where the running instruction itself stands.
    pub(crate) fn own_site(&self) -> SiteId {
        let site = |frame: &Frame| {
            let function = &self.image.program.functions[frame.function as usize];
            self.image.own_site(function, frame.pc)
        };
        self.thread.frames.last().map_or(0, site)
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
        let frame = self.thread.frames.last();
        frame.map_or(Origin::User, |frame| frame.passes_on(self.image).0)
    }
}
