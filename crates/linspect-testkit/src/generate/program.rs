//! Programs: `main` starts threads, which may start threads, and looks at what they did.

use super::{Maker, Manners};
use crate::language::{Block, Function, Operand, Statement};

impl Maker<'_> {
    pub(super) fn program(&mut self, manners: Manners) {
        let threads = self.random.between(1, 2);
        let deeper = usize::from(manners.nested) * self.random.between(1, 2);
        for f in 0..=threads + deeper {
            self.asserts = f == 0 || manners.asserts;
            let starts: Vec<usize> = match f {
                0 => (1..=threads).collect(),
                1 if manners.nested => (threads + 1..=threads + deeper).collect(),
                _ => Vec::new(),
            };
            let body = self.starting(&starts, manners.early);
            self.module.functions.push(Function {
                body,
                result: Operand::Number(0),
                arguments: Vec::new(),
            });
        }
    }

    /// A body that starts threads and waits for them, with work before, between and after.
    fn starting(&mut self, starts: &[usize], early: bool) -> Block {
        let mut body = Block::new();
        if starts.is_empty() || self.random.chance(15) {
            body.extend(self.body());
        }
        for (h, &f) in starts.iter().enumerate() {
            let argument = Operand::Number(self.random.between(1, 2) as i64);
            body.push(Statement::Start(h as u8, f as u8, argument));
            if self.random.chance(25) {
                body.extend(self.idiom());
            }
        }
        for h in 0..starts.len() {
            if !(early && self.random.chance(40)) {
                body.push(Statement::Join(h as u8));
            }
        }
        if !starts.is_empty() && self.random.chance(40) {
            body.extend(self.body());
        }
        if self.asserts && self.random.chance(60) {
            let place = self.variable();
            body.push(Statement::Load(3, place));
            let test = self.test();
            body.push(Statement::Assert(test));
        }
        if early && self.random.chance(25) {
            let test = self.test();
            body.push(Statement::If(test, vec![Statement::Exit], Block::new()));
        }
        body
    }
}
