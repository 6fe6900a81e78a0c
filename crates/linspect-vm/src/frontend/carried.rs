//! Bitcode that object files, archives, shared libraries and programs carry in a section.
//!
//! rustc and `clang -fembed-bitcode` keep a module as it is in `.llvmbc`. Linspect's compiler commands keep it in a section of their own, since LLVM's plugin for linkers takes
//! whatever carries `.llvmbc` for an object that is still to be optimised. Each module is in the wrapper that LLVM defines for bitcode in other
//! files ("Bitcode Wrapper Format", LLVM Bitcode File Format), which says how long it is: a linker puts sections of one name one after the other, and the modules can still be told apart.

use object::{Object, ObjectSection};

/// Where compilers keep bitcode, and where Linspect does.
const THEIRS: &str = ".llvmbc";
const OURS: &str = ".linspect.bc";

/// First bytes of raw bitcode, and of bitcode in its wrapper.
const RAW: [u8; 4] = *b"BC\xC0\xDE";
const WRAPPED: [u8; 4] = [0xDE, 0xC0, 0x17, 0x0B];

/// The wrapper's size: five numbers of four bytes, which are its magic, its version, where the module is, how long it is, and the processor.
const WRAPPER: usize = 20;

/// The processor of x86-64, as the wrapper names it.
const PROCESSOR: u32 = 0x0100_0007;

/// Whether `bytes` are bitcode.
pub(super) fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(&RAW) || bytes.starts_with(&WRAPPED)
}

/// The modules that an object file is or carries.
pub(super) fn modules(data: &[u8]) -> Vec<&[u8]> {
    if is_bitcode(data) {
        return vec![data];
    }
    let Ok(object) = object::File::parse(data) else {
        return Vec::new();
    };
    let sections = object
        .sections()
        .filter(|s| matches!(s.name(), Ok(THEIRS | OURS)));
    sections
        .filter_map(|section| section.data().ok())
        .flat_map(apart)
        .collect()
}

/// The modules of a section.
fn apart(mut section: &[u8]) -> Vec<&[u8]> {
    let mut out = Vec::new();
    while section.starts_with(&WRAPPED) {
        let (Some(start), Some(length)) = (number(section, 8), number(section, 12)) else {
            return out;
        };
        let (start, length) = (start as usize, length as usize);
        let Some(module) = section.get(start..start.saturating_add(length)) else {
            return out;
        };
        out.push(module);
        section = &section[start + length..];
    }
    // Without a wrapper nobody knows where it ends.
    if section.starts_with(&RAW) {
        out.push(section);
    }
    out
}

fn number(bytes: &[u8], at: usize) -> Option<u32> {
    let bytes = bytes.get(at..at + 4)?;
    bytes.try_into().ok().map(u32::from_le_bytes)
}

/// `module` in its wrapper.
fn wrapped(module: &[u8]) -> Vec<u8> {
    let mut out = WRAPPED.to_vec();
    let length = u32::try_from(module.len()).unwrap_or(u32::MAX);
    for number in [0, WRAPPER as u32, length, PROCESSOR] {
        out.extend(number.to_le_bytes());
    }
    out.extend(module);
    out
}

/// Places in the header of a 64-bit ELF file, and in that of a section (System V ABI, chapter 4).
const TABLE: usize = 0x28;
const COUNT: usize = 0x3C;
const NAMES: usize = 0x3E;
const HEADER: usize = 64;
const OFFSET: usize = 24;
const SIZE: usize = 32;
const LINK: usize = 40;
/// A number of sections that does not fit into two bytes stands in the first section.
const MANY: u64 = 0xFF00;
const ELSEWHERE: u64 = 0xFFFF;

/// The first bytes of a 64-bit little-endian ELF file.
const ELF: [u8; 6] = *b"\x7FELF\x02\x01";

/// `file` with `modules` in one more section; nothing if it is no 64-bit ELF file. What was in it stays where it was.
pub(super) fn with_modules(mut file: Vec<u8>, modules: &[Vec<u8>]) -> Option<Vec<u8>> {
    if !file.starts_with(&ELF) {
        return None;
    }
    let table = read(&file, TABLE, 8)? as usize;
    let first = file.get(table..table.checked_add(HEADER)?)?;
    let count = match read(&file, COUNT, 2)? {
        0 => read(first, SIZE, 8)?,
        count => count,
    };
    let names = match read(&file, NAMES, 2)? {
        ELSEWHERE => read(first, LINK, 4)?,
        names => names,
    } as usize;
    let length = usize::try_from(count).ok()?.checked_mul(HEADER)?;
    let mut headers = file.get(table..table.checked_add(length)?)?.to_vec();
    let of_names = headers.get(names * HEADER..(names + 1) * HEADER)?;
    let start = read(of_names, OFFSET, 8)? as usize;
    let size = read(of_names, SIZE, 8)? as usize;
    let mut texts = file.get(start..start.checked_add(size)?)?.to_vec();

    let name = texts.len() as u64;
    texts.extend(OURS.as_bytes());
    texts.push(0);
    let (content, content_size) = append(
        &mut file,
        &modules.iter().flat_map(|m| wrapped(m)).collect::<Vec<_>>(),
    );
    let (texts, texts_size) = append(&mut file, &texts);
    write(&mut headers, names * HEADER + OFFSET, 8, texts);
    write(&mut headers, names * HEADER + SIZE, 8, texts_size);
    let own = headers.len();
    headers.resize(own + HEADER, 0);
    // Contents that no program loads, of no alignment.
    for (at, width, value) in [
        (0, 4, name),
        (4, 4, 1),
        (OFFSET, 8, content),
        (SIZE, 8, content_size),
        (48, 8, 1),
    ] {
        write(&mut headers, own + at, width, value);
    }
    let count = count + 1;
    if count < MANY {
        write(&mut file, COUNT, 2, count);
    } else {
        write(&mut file, COUNT, 2, 0);
        write(&mut headers, SIZE, 8, count);
    }
    let (table, _) = append(&mut file, &headers);
    write(&mut file, TABLE, 8, table);
    Some(file)
}

/// Puts `bytes` at the end, aligned to eight bytes; gives where they are and how many.
fn append(file: &mut Vec<u8>, bytes: &[u8]) -> (u64, u64) {
    file.resize(file.len().next_multiple_of(8), 0);
    let at = file.len() as u64;
    file.extend(bytes);
    (at, bytes.len() as u64)
}

/// The little-endian number of `width` bytes at `at`.
fn read(bytes: &[u8], at: usize, width: usize) -> Option<u64> {
    let mut number = [0; 8];
    number[..width].copy_from_slice(bytes.get(at..at + width)?);
    Some(u64::from_le_bytes(number))
}

fn write(bytes: &mut [u8], at: usize, width: usize, number: u64) {
    bytes[at..at + width].copy_from_slice(&number.to_le_bytes()[..width]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program that is there wherever tests run.
    fn some_program() -> Vec<u8> {
        std::fs::read(std::env::current_exe().expect("this program")).expect("its bytes")
    }

    #[test]
    fn what_is_put_in_is_found_again_and_all_else_stays() {
        let before = some_program();
        let one = [&RAW[..], &[1; 8]].concat();
        let two = [&RAW[..], &[2; 12]].concat();
        let three = [&RAW[..], &[3; 4]].concat();
        let once = with_modules(before.clone(), &[one.clone(), two.clone()]).expect("ELF");
        let twice = with_modules(once, std::slice::from_ref(&three)).expect("ELF");
        assert_eq!(modules(&twice), [&one[..], &two, &three]);
        let (old, new) = (object::File::parse(&*before), object::File::parse(&*twice));
        let (old, new) = (old.expect("ELF"), new.expect("ELF"));
        let mut kept = 0;
        for (a, b) in old.sections().zip(new.sections()) {
            assert_eq!(a.name(), b.name());
            if a.name() != Ok(".shstrtab") {
                assert_eq!(a.data(), b.data());
                kept += 1;
            }
        }
        assert!(kept > 5, "{kept} sections");
    }

    #[test]
    fn a_section_that_a_linker_joined_is_taken_apart() {
        let one = [&RAW[..], &[1; 8]].concat();
        let two = [&RAW[..], &[2; 12]].concat();
        let joined = [wrapped(&one), wrapped(&two)].concat();
        assert_eq!(apart(&joined), [&one[..], &two]);
        assert_eq!(apart(&joined[..joined.len() - 1]), [&one[..]]);
        assert_eq!(apart(&one), [&one[..]]);
        assert!(apart(b"\0").is_empty());
    }

    #[test]
    fn what_is_no_object_carries_nothing() {
        assert!(with_modules(b"int main(void);".to_vec(), &[]).is_none());
        let mut cut = some_program();
        cut.truncate(100);
        assert!(with_modules(cut, &[]).is_none());
        assert!(modules(b"int main(void);").is_empty());
    }
}
