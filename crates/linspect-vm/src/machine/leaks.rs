//! Memory that nothing leads to.

use super::Vm;
use linspect_core::execution::Fault;

impl Vm {
    /// Heap memory that is allocated and that nothing leads to, from globals and the living threads.
    pub fn leaks(&self) -> Vec<Fault> {
        crate::leak::leaks(&self.image, &self.state.memory, self.roots())
    }

    /// Values from which memory can be reached.
    fn roots(&self) -> impl Iterator<Item = u64> + '_ {
        let living = self.state.threads.iter().filter(|t| !t.is_done());
        living
            .chain(std::iter::once(&self.state.sequential))
            .flat_map(|t| {
                let keys = t.keys.iter().map(|(_, v)| *v);
                let at_exit = t.at_exit.iter().map(|(_, v)| *v);
                t.registers.iter().copied().chain(keys).chain(at_exit)
            })
            .chain(self.state.world.at_exit.iter().map(|(_, v)| *v))
    }
}
