//! Large numbers in the code of a program: whoever asks why a run is long looks for them in its loops.

use crate::program::{Constant, Function, Operand, Origin, Program};
use crate::settled::{each_operand, other_operands};
use std::collections::BTreeSet;

/// A function of the program under test in which large numbers stand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LargeNumbers {
    /// Its file.
    pub file: String,
    /// Its lines.
    pub lines: BTreeSet<u32>,
    /// The numbers.
    pub numbers: BTreeSet<u64>,
}

/// The functions of `program` in which numbers from `least` on stand that fit into 32 bits.
pub(crate) fn large_numbers(program: &Program, least: u64) -> Vec<LargeNumbers> {
    let number = |operand: Operand| match program.constants.get(operand.as_constant()? as usize)? {
        Constant::Bits(bits) => Some(*bits),
        Constant::Address(..) => None,
    };
    let of_function = |function: &Function| {
        let mut numbers = BTreeSet::new();
        let mut note = |operand| {
            let number = number(operand);
            numbers.extend(number.filter(|n| (least..=u64::from(i32::MAX as u32)).contains(n)));
        };
        for inst in &function.code {
            each_operand(inst, &mut note);
        }
        other_operands(function).for_each(note);
        let place = program.sites.get(function.site as usize)?;
        let sites = function.sites.iter();
        let sites = sites.filter_map(|site| program.sites.get(*site as usize));
        let own = sites.filter(|site| site.file == place.file && site.line > 0);
        let is_users = place.origin == Origin::User && !numbers.is_empty();
        is_users.then(|| LargeNumbers {
            file: program.text(place.file).to_owned(),
            lines: own.map(|site| site.line).collect(),
            numbers,
        })
    };
    program.functions.iter().filter_map(of_function).collect()
}
