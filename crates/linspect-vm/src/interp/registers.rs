//! The slots of the running frame: one for a scalar of up to 64 bits, two for a wider one, a run of them for an aggregate.

use super::Cpu;
use crate::program::{Operand, Reg};
use smallvec::SmallVec;

impl Cpu<'_> {
    #[inline(always)]
    pub(super) fn get(&self, base: usize, operand: Operand) -> u64 {
        match operand.as_reg() {
            Some(reg) => self.thread.registers[base + reg as usize],
            None => self.image.constants[operand.as_constant().unwrap_or(0) as usize],
        }
    }

    #[inline(always)]
    pub(super) fn set(&mut self, base: usize, dst: Reg, value: u64) {
        self.thread.registers[base + dst as usize] = value;
    }

    pub(super) fn get_wide(&self, base: usize, operand: Operand) -> u128 {
        u128::from(self.get(base, operand)) | u128::from(self.get(base, operand.slot(1))) << 64
    }

    pub(super) fn set_wide(&mut self, base: usize, dst: Reg, value: u128) {
        self.set(base, dst, value as u64);
        self.set(base, dst + 1, (value >> 64) as u64);
    }

    pub(super) fn get_sized(&self, base: usize, operand: Operand, bits: u8) -> u128 {
        if bits > 64 {
            self.get_wide(base, operand)
        } else {
            u128::from(self.get(base, operand))
        }
    }

    pub(super) fn set_sized(&mut self, base: usize, dst: Reg, bits: u8, value: u128) {
        if bits > 64 {
            self.set_wide(base, dst, value);
        } else {
            self.set(base, dst, value as u64);
        }
    }

    pub(super) fn get_run(&self, base: usize, first: Operand, count: u32) -> SmallVec<[u64; 8]> {
        (0..count).map(|i| self.get(base, first.slot(i))).collect()
    }

    pub(super) fn set_run(&mut self, base: usize, first: Reg, values: &[u64]) {
        for (i, value) in values.iter().enumerate() {
            self.set(base, first + i as u32, *value);
        }
    }
}
