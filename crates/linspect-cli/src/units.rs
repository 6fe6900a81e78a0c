//! Quantities and values as they are typed.

use linspect_core::value::Value;
use std::time::Duration;

/// How long something may take. Clap would take an `Option` for an optional argument.
pub(crate) type TimeLimit = Option<Duration>;

/// `60s`, `1m 30s`, `500ms`; `none` for no limit.
pub(crate) fn timeout(typed: &str) -> Result<TimeLimit, String> {
    if typed == "none" {
        return Ok(None);
    }
    humantime::parse_duration(typed)
        .map(Some)
        .map_err(|e| format!("{e}; write for example 90s, 2m or none"))
}

/// `4G`, `512M`, `100k`; units are powers of 1024.
pub(crate) fn bytes(typed: &str) -> Result<usize, String> {
    let digits = typed.len() - typed.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, unit) = typed.split_at(digits);
    let shift = match unit
        .trim()
        .to_ascii_lowercase()
        .trim_end_matches('b')
        .trim_end_matches('i')
    {
        "" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        "t" => 40,
        _ => {
            return Err(format!(
                "there is no unit {unit:?}; write for example 512M or 4G"
            ));
        }
    };
    let number: usize = number
        .parse()
        .map_err(|_| "write a number and a unit, for example 512M or 4G".to_owned())?;
    number
        .checked_mul(1 << shift)
        .ok_or_else(|| "this is more than there can be".to_owned())
}

/// A value: JSON, or `nil`, or a plain text.
pub(crate) fn value(typed: &str) -> Result<Value, String> {
    Ok(linspect_format::value(typed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes("4G"), Ok(4 << 30));
        assert_eq!(bytes("512 MiB"), Ok(512 << 20));
        assert_eq!(bytes("100kb"), Ok(100 << 10));
        assert_eq!(bytes("17"), Ok(17));
        assert!(bytes("4X").is_err());
        assert!(bytes("G").is_err());
        assert!(bytes("99999999999T").is_err());
    }

    #[test]
    fn times_have_units_too() {
        assert_eq!(timeout("1m 30s"), Ok(Some(Duration::from_secs(90))));
        assert_eq!(timeout("none"), Ok(None));
        assert!(timeout("soon").is_err());
    }
}
