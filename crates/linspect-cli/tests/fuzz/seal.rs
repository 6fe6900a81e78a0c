//! What stands between the letters of a replay token and what it says: digits of base 62, and a check sum. Damage to the letters is noticed by
//! the sum, so what a reader does with a strange token is only seen when the damage is done inside.
//!
//! Written apart from the reader, from the description of version 2.

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Digits that a block of so many bytes takes.
const WIDTHS: [usize; 9] = [0, 2, 3, 5, 6, 7, 9, 10, 11];

/// What a token says, without its check sum.
pub(crate) fn open(token: &str) -> Vec<u8> {
    let digits: Vec<u64> = token["L2:".len()..]
        .bytes()
        .map(|c| DIGITS.iter().position(|d| *d == c).expect("a digit") as u64)
        .collect();
    let mut bytes = Vec::new();
    for block in digits.chunks(11) {
        let number = block.iter().rev().fold(0, |n, digit| n * 62 + digit);
        let length = WIDTHS.iter().position(|w| *w == block.len());
        bytes.extend_from_slice(&number.to_le_bytes()[..length.expect("a width")]);
    }
    bytes.truncate(bytes.len() - 4);
    bytes
}

/// The token that says this.
pub(crate) fn seal(payload: &[u8]) -> String {
    let sum = payload.iter().fold(0x811c_9dc5_u32, |sum, byte| {
        (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193)
    });
    let bytes = [payload, &sum.to_le_bytes()].concat();
    let mut token = String::from("L2:");
    for block in bytes.chunks(8) {
        let mut number = block
            .iter()
            .rev()
            .fold(0_u64, |n, b| n << 8 | u64::from(*b));
        for _ in 0..WIDTHS[block.len()] {
            token.push(char::from(DIGITS[(number % 62) as usize]));
            number /= 62;
        }
    }
    token
}

#[test]
fn what_is_opened_can_be_sealed() {
    for token in crate::inputs::tokens() {
        assert_eq!(seal(&open(&token)), token);
    }
}
