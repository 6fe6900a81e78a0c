use super::*;

fn memory(reuse: Reuse) -> Memory {
    Memory::new(reuse, 1 << 24)
}

#[test]
fn reads_back_what_was_written_and_nothing_else() {
    let mut m = memory(Reuse::Lifo);
    let a = m.allocate(0, 12, false, 7).unwrap();
    assert!(matches!(
        m.require_written(a, 4),
        Err(MemoryError::Unwritten { allocated: 7, .. })
    ));
    m.write(a + 4, 0x1122_3344_5566_7788, 8).unwrap();
    assert_eq!(m.read(a + 4, 8), Ok(0x1122_3344_5566_7788));
    assert_eq!(m.read(a + 6, 2), Ok(0x5566));
    assert_eq!(m.require_written(a + 4, 8), Ok(()));
    assert_eq!(
        m.require_written(a + 2, 4),
        Err(MemoryError::Unwritten {
            address: a + 2,
            allocated: 7
        })
    );
    assert!(matches!(
        m.read(a + 8, 8),
        Err(MemoryError::Beyond { size: 12, .. })
    ));
    assert!(matches!(m.read(8, 8), Err(MemoryError::Null(8))));
    assert!(matches!(
        m.read(a + (1 << 30), 1),
        Err(MemoryError::Wild(_))
    ));
}

#[test]
fn freed_memory_comes_back_last_first_to_whoever_freed_it() {
    let mut m = memory(Reuse::Lifo);
    let (a, b) = (
        m.allocate(1, 16, false, 0).unwrap(),
        m.allocate(1, 16, false, 0).unwrap(),
    );
    m.publish(a);
    m.publish(b);
    m.free(2, a, 5).unwrap();
    m.free(2, b, 6).unwrap();
    assert!(!m.has_reused());
    assert_eq!(
        m.read(a, 1),
        Err(MemoryError::Freed {
            address: a,
            freed: 5
        })
    );
    assert_eq!(
        m.free(1, a, 0),
        Err(MemoryError::BadFree {
            address: a,
            freed: Some(5)
        })
    );
    assert_ne!(m.allocate(1, 16, false, 0).unwrap(), b);
    assert_ne!(m.allocate(2, 8, false, 0).unwrap(), b);
    assert_eq!(m.allocate(2, 16, false, 0), Ok(b));
    assert_eq!(m.allocate(2, 16, false, 0), Ok(a));
    assert!(m.has_reused());
    assert!(matches!(
        m.require_written(a, 1),
        Err(MemoryError::Unwritten { .. })
    ));
}

#[test]
fn memory_that_nobody_else_could_reach_comes_back_late_and_first_first() {
    let mut m = memory(Reuse::Lifo);
    let before = m.clone();
    let blocks: Vec<_> = (0..65)
        .map(|_| m.allocate(1, 16, false, 0).unwrap())
        .collect();
    for (count, block) in blocks.iter().enumerate() {
        let fresh = m.allocate(1, 16, false, 0).unwrap();
        assert!(!blocks.contains(&fresh), "after {count}");
        m.free(1, *block, 0).unwrap();
    }
    assert!(!m.has_reused());
    assert_eq!(m.allocate(1, 16, false, 0), Ok(blocks[0]));
    assert!(before.has_reused(), "states share what happened");
}

#[test]
fn fresh_memory_never_comes_back() {
    let mut m = memory(Reuse::Fresh);
    let a = m.allocate(1, 16, false, 0).unwrap();
    m.free(1, a, 0).unwrap();
    assert_ne!(m.allocate(1, 16, false, 0), Ok(a));
}

#[test]
fn large_blocks_span_slots() {
    let mut m = memory(Reuse::Lifo);
    let a = m.allocate(0, 3 << 20, true, 0).unwrap();
    let b = m.allocate(0, 8, true, 0).unwrap();
    m.write(a + (2 << 20) - 4, u64::MAX, 8).unwrap();
    assert_eq!(m.read(a + (2 << 20), 4), Ok(0xffff_ffff));
    assert_eq!(
        m.allocation(a + (2 << 20) + 3),
        (address::allocation(a), (2 << 20) + 3)
    );
    assert!(b >= a + (3 << 20));
    assert!(m.read(a + (3 << 20), 1).is_err() || b == a + (3 << 20));
    assert_eq!(m.allocate(0, 1 << 40, true, 0), Err(MemoryError::Limit));
}

#[test]
fn a_clone_is_a_snapshot() {
    let mut m = memory(Reuse::Lifo);
    let a = m.allocate(0, 8, true, 0).unwrap();
    m.write(a, 1, 8).unwrap();
    let saved = m.clone();
    m.write(a, 2, 8).unwrap();
    m.free(0, a, 0).unwrap();
    assert_eq!(saved.read(a, 8), Ok(1));
    assert!(m.read(a, 8).is_err());
}

#[test]
fn publishing_follows_pointers() {
    let mut m = memory(Reuse::Lifo);
    let a = m.allocate(0, 16, true, 0).unwrap();
    let b = m.allocate(0, 16, true, 0).unwrap();
    let c = m.allocate(0, 16, true, 0).unwrap();
    m.write(a + 8, b | 1, 8).unwrap();
    m.publish(a + 4);
    assert!(m.block(a).unwrap().shared && m.block(b).unwrap().shared);
    assert!(!m.block(c).unwrap().shared);
}

#[test]
fn copies_keep_unwritten_bytes_unwritten() {
    let mut m = memory(Reuse::Lifo);
    let a = m.allocate(0, 100, false, 0).unwrap();
    let b = m.allocate(0, 100, true, 0).unwrap();
    m.write(a + 70, 9, 1).unwrap();
    m.copy(b, a, 100).unwrap();
    assert_eq!(m.require_written(b + 70, 1), Ok(()));
    assert!(m.require_written(b + 69, 1).is_err());
    assert!(m.require_written(b + 71, 1).is_err());
}

/// Copies of parts, at any place and of any length, compared with a flag per byte.
#[test]
fn copies_of_parts_keep_what_was_written() {
    const SIZE: usize = 200;
    let mut random = linspect_core::random::Random::new(7);
    for _ in 0..200 {
        let mut m = memory(Reuse::Lifo);
        let blocks = [(); 2].map(|()| m.allocate(0, SIZE as u64, false, 0).unwrap());
        let mut written = [[false; SIZE]; 2];
        for _ in 0..20 {
            let (from, to) = (random.below(2), random.below(2));
            let len = 1 + random.below(SIZE);
            let (at, there) = (random.below(SIZE - len + 1), random.below(SIZE - len + 1));
            if random.percent(50) {
                let len = len.min(8);
                m.write(blocks[to] + there as u64, 1, len).unwrap();
                written[to][there..there + len].fill(true);
            } else {
                let (source, target) = (blocks[from] + at as u64, blocks[to] + there as u64);
                m.copy(target, source, len as u64).unwrap();
                let flags = written[from][at..at + len].to_vec();
                written[to][there..there + len].copy_from_slice(&flags);
            }
            for (block, flags) in blocks.iter().zip(&written) {
                for (i, &flag) in flags.iter().enumerate() {
                    let is_written = m.require_written(block + i as u64, 1).is_ok();
                    assert_eq!(is_written, flag, "byte {i}");
                }
                let all = flags.iter().position(|flag| !flag).unwrap_or(SIZE);
                assert_eq!(m.require_written(*block, all), Ok(()));
                assert!(all == SIZE || m.require_written(*block, all + 1).is_err());
            }
        }
    }
}

#[test]
fn stack_blocks_die_with_their_function() {
    let mut m = memory(Reuse::Lifo);
    let height = m.stack_height(3);
    let a = m.push_stack(3, 4, 0, 0).unwrap();
    m.write(a, 1, 4).unwrap();
    m.pop_stack(3, height);
    assert_eq!(m.read(a, 4), Err(MemoryError::Returned(a)));
}
