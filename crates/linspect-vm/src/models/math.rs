//! `math.h`, in the host's arithmetic.

use super::{Reply, Table, value};
use crate::interp::Stop;

pub(super) const TABLE: Table = &[
    ("sqrt", |_, a| one(a, f64::sqrt)),
    ("fabs", |_, a| one(a, f64::abs)),
    ("floor", |_, a| one(a, f64::floor)),
    ("ceil", |_, a| one(a, f64::ceil)),
    ("round", |_, a| one(a, f64::round)),
    ("trunc", |_, a| one(a, f64::trunc)),
    ("exp", |_, a| one(a, f64::exp)),
    ("log", |_, a| one(a, f64::ln)),
    ("log2", |_, a| one(a, f64::log2)),
    ("log10", |_, a| one(a, f64::log10)),
    ("sin", |_, a| one(a, f64::sin)),
    ("cos", |_, a| one(a, f64::cos)),
    ("tan", |_, a| one(a, f64::tan)),
    ("asin", |_, a| one(a, f64::asin)),
    ("acos", |_, a| one(a, f64::acos)),
    ("atan", |_, a| one(a, f64::atan)),
    ("sinh", |_, a| one(a, f64::sinh)),
    ("cosh", |_, a| one(a, f64::cosh)),
    ("tanh", |_, a| one(a, f64::tanh)),
    ("exp2", |_, a| one(a, f64::exp2)),
    ("expm1", |_, a| one(a, f64::exp_m1)),
    ("log1p", |_, a| one(a, f64::ln_1p)),
    ("cbrt", |_, a| one(a, f64::cbrt)),
    ("rint", |_, a| one(a, f64::round_ties_even)),
    ("nearbyint", |_, a| one(a, f64::round_ties_even)),
    // Whole numbers are as wide as `long`; what does not fit is unspecified.
    ("lround", |_, a| whole(a, f64::round)),
    ("llround", |_, a| whole(a, f64::round)),
    ("lrint", |_, a| whole(a, f64::round_ties_even)),
    ("llrint", |_, a| whole(a, f64::round_ties_even)),
    ("pow", |_, a| two(a, f64::powf)),
    ("fmod", |_, a| two(a, |x, y| x % y)),
    ("fmin", |_, a| two(a, f64::min)),
    ("fmax", |_, a| two(a, f64::max)),
    ("hypot", |_, a| two(a, f64::hypot)),
    ("atan2", |_, a| two(a, f64::atan2)),
    ("copysign", |_, a| two(a, f64::copysign)),
    ("fma", |_, a| {
        let [x, y, z] = [a[0], a[1], a[2]].map(f64::from_bits);
        value(x.mul_add(y, z).to_bits())
    }),
    // A complex number comes as its two parts.
    ("cabs", |_, a| two(a, f64::hypot)),
    ("sqrtf", |_, a| single(a, f32::sqrt)),
    ("fabsf", |_, a| single(a, f32::abs)),
    ("floorf", |_, a| single(a, f32::floor)),
    ("ceilf", |_, a| single(a, f32::ceil)),
    ("roundf", |_, a| single(a, f32::round)),
    ("truncf", |_, a| single(a, f32::trunc)),
    ("sinf", |_, a| single(a, f32::sin)),
    ("cosf", |_, a| single(a, f32::cos)),
    ("tanf", |_, a| single(a, f32::tan)),
    ("expf", |_, a| single(a, f32::exp)),
    ("exp2f", |_, a| single(a, f32::exp2)),
    ("logf", |_, a| single(a, f32::ln)),
    ("log2f", |_, a| single(a, f32::log2)),
    ("log10f", |_, a| single(a, f32::log10)),
    ("cbrtf", |_, a| single(a, f32::cbrt)),
    ("powf", |_, a| two_single(a, f32::powf)),
    ("fmodf", |_, a| two_single(a, |x, y| x % y)),
    ("fminf", |_, a| two_single(a, f32::min)),
    ("fmaxf", |_, a| two_single(a, f32::max)),
    ("hypotf", |_, a| two_single(a, f32::hypot)),
    ("atan2f", |_, a| two_single(a, f32::atan2)),
    ("copysignf", |_, a| two_single(a, f32::copysign)),
];

fn one(a: &[u64], f: fn(f64) -> f64) -> Result<Reply, Stop> {
    value(f(f64::from_bits(a[0])).to_bits())
}

fn whole(a: &[u64], f: fn(f64) -> f64) -> Result<Reply, Stop> {
    value((f(f64::from_bits(a[0])) as i64).cast_unsigned())
}

fn two(a: &[u64], f: fn(f64, f64) -> f64) -> Result<Reply, Stop> {
    value(f(f64::from_bits(a[0]), f64::from_bits(a[1])).to_bits())
}

fn single(a: &[u64], f: fn(f32) -> f32) -> Result<Reply, Stop> {
    value(u64::from(f(f32::from_bits(a[0] as u32)).to_bits()))
}

fn two_single(a: &[u64], f: fn(f32, f32) -> f32) -> Result<Reply, Stop> {
    let number = f(f32::from_bits(a[0] as u32), f32::from_bits(a[1] as u32));
    value(u64::from(number.to_bits()))
}
