//! The zoo: concurrent objects and programs of the literature, right and wrong, in C, C++ and Rust, and what Linspect
//! should find in them.
//!
//! The sources stand in the folder `zoo`, one family per folder, each with a description `zoo.toml`. They are ordinary
//! code that knows nothing of Linspect; only a family's harness does. All files are embedded here: [`Zoo::bundled`]
//! reads the descriptions, [`Zoo::extract`] writes the sources to where a compiler can read them.
//!
//! ```
//! let zoo = linspect_zoo::Zoo::bundled()?;
//! let stack = zoo.object("careless_pop_stack");
//! assert!(!stack.expect("it is in the zoo").linearizable);
//! # Ok::<(), linspect_zoo::ZooError>(())
//! ```

mod call;
mod described;
mod error;
mod files;
mod manifest;
mod object;
mod program;
mod quote;

pub use call::Call;
pub use described::Lines;
pub use error::ZooError;
pub use manifest::{BugKind, Figure, Language, Long, Paper};
pub use object::{Case, ExpectedSection, Object, UnknownOperation};
pub use program::ZooProgram;
pub use quote::QuotedPlace;

use std::path::Path;

/// All objects and programs, each sorted by name.
#[derive(Clone, Debug)]
pub struct Zoo {
    /// Objects with operations and a specification.
    pub objects: Vec<Object>,
    /// Plain programs with an assertion.
    pub programs: Vec<ZooProgram>,
}

impl Zoo {
    /// The zoo that this crate carries.
    ///
    /// An error is a mistake in a description, and names it.
    pub fn bundled() -> Result<Self, ZooError> {
        let mut objects = Vec::new();
        let mut programs = Vec::new();
        for &(path, text) in files::FILES {
            let Some(folder) = path.strip_suffix("/zoo.toml") else {
                continue;
            };
            let family = manifest::Family::parse(path, text)?;
            objects.extend(object::resolve(folder, &family)?);
            programs.extend(program::resolve(folder, &family)?);
        }
        objects.sort_by(|a, b| a.name.cmp(&b.name));
        programs.sort_by(|a, b| a.name.cmp(&b.name));
        let zoo = Self { objects, programs };
        zoo.check_names()?;
        Ok(zoo)
    }

    /// The object called `name`.
    pub fn object(&self, name: &str) -> Option<&Object> {
        self.objects.iter().find(|o| o.name == name)
    }

    /// The program called `name`.
    pub fn program(&self, name: &str) -> Option<&ZooProgram> {
        self.programs.iter().find(|p| p.name == name)
    }

    /// The text of a file of the zoo, by its path as in [`Object::files`].
    pub fn text(path: &str) -> Option<&'static str> {
        files::text(path)
    }

    /// Writes all files of the zoo below `folder`.
    pub fn extract(folder: &Path) -> Result<(), ZooError> {
        files::extract(folder)
    }

    fn check_names(&self) -> Result<(), ZooError> {
        let names: Vec<&str> = self
            .objects
            .iter()
            .map(|o| o.name.as_str())
            .chain(self.programs.iter().map(|p| p.name.as_str()))
            .collect();
        for (i, name) in names.iter().enumerate() {
            if names[..i].contains(name) {
                return Err(ZooError::Twice {
                    name: (*name).to_owned(),
                });
            }
        }
        for object in &self.objects {
            if let Some(twin) = &object.twin
                && self.object(twin).is_none()
            {
                return Err(ZooError::NoTwin {
                    name: object.name.clone(),
                    twin: twin.clone(),
                });
            }
        }
        Ok(())
    }
}
