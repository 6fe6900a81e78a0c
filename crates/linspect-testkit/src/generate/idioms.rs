//! How concurrent code is written: retry loops, critical sections, double checks, stacks of cells.

use super::{Maker, Theme};
use crate::language::{Block, Encoding, Guard, Link, Operand, Place, Statement, Test};

const ONE: Operand = Operand::Number(1);

fn is_one(local: u8) -> Test {
    Test::Equal(Operand::Local(local), ONE)
}

impl Maker<'_> {
    /// An idiom of the theme.
    pub(super) fn idiom(&mut self) -> Block {
        match self.theme {
            Theme::Atomics => self.atomic(),
            Theme::Mutexes => self.critical_section(),
            Theme::RwLocks => self.shared_section(),
            Theme::Conditions => self.waiting(),
            Theme::Spins => self.spinning(),
            Theme::Heap | Theme::Hidden => self.cells(),
            Theme::Races => self.handing_over(),
        }
    }

    fn atomic(&mut self) -> Block {
        match self.random.below(4) {
            0 => self.retry(),
            1 => {
                // Read, then write what depends on it.
                let place = self.variable();
                vec![
                    Statement::Load(1, place),
                    Statement::Set(2, Operand::Local(1), ONE),
                    Statement::Store(place, Operand::Local(2)),
                ]
            }
            _ => self.accesses(),
        }
    }

    /// A compare-exchange loop.
    fn retry(&mut self) -> Block {
        let place = self.variable();
        let step = match self.random.chance(50) {
            true => ONE,
            false => Operand::Local(0),
        };
        vec![Statement::Loop(vec![
            Statement::Load(1, place),
            Statement::Set(2, Operand::Local(1), step),
            Statement::Compare(3, place, Operand::Local(1), Operand::Local(2)),
            Statement::Break(is_one(3)),
        ])]
    }

    /// Accesses to what a mutex protects.
    fn protected(&mut self, mutex: u8) -> Block {
        let mut block = Block::new();
        let plains = self.module.plains / self.module.mutexes;
        let mutexes = self.module.mutexes;
        let plain = (self.random.below(plains) * mutexes) as u8 + mutex;
        match self.random.below(4) {
            0 => block.push(Statement::Get(self.random.between(1, 3) as u8, plain)),
            1 => block.push(Statement::Put(plain, self.operand())),
            2 => {
                block.push(Statement::Get(1, plain));
                block.push(Statement::Set(2, Operand::Local(1), ONE));
                block.push(Statement::Put(plain, Operand::Local(2)));
            }
            _ => {
                block.push(Statement::Get(1, plain));
                let value = Operand::Number(self.random.below(2) as i64);
                let put = Statement::Put(plain, self.operand());
                block.push(Statement::If(
                    Test::Equal(Operand::Local(1), value),
                    vec![put],
                    Block::new(),
                ));
            }
        }
        block
    }

    fn critical_section(&mut self) -> Block {
        let m = self.random.below(self.module.mutexes) as u8;
        let mut inside = self.protected(m);
        if self.random.chance(30) && self.module.mutexes > 1 {
            let other = 1 - m;
            let nested = self.protected(other);
            inside.push(Statement::Region(Guard::Mutex(other), nested));
        }
        if self.random.chance(25) {
            inside.push(self.access());
        }
        let guard = match self.random.chance(15) {
            true => Guard::Try(m),
            false => Guard::Mutex(m),
        };
        let mut block = vec![Statement::Region(guard, inside)];
        if self.random.chance(30) {
            block.insert(self.random.below(2), self.access());
        }
        block
    }

    fn shared_section(&mut self) -> Block {
        let plain = self.random.below(self.module.plains) as u8;
        match self.random.below(4) {
            0 => vec![Statement::Region(
                Guard::Read(0),
                vec![Statement::Get(1, plain), Statement::Get(2, 1 - plain)],
            )],
            1 => vec![Statement::Region(
                Guard::Write(0),
                vec![
                    Statement::Get(1, plain),
                    Statement::Set(2, Operand::Local(1), ONE),
                    Statement::Put(plain, Operand::Local(2)),
                ],
            )],
            2 => {
                // Checked under the shared lock, changed under the other one.
                let put = Statement::Put(plain, self.operand());
                vec![
                    Statement::Region(Guard::Read(0), vec![Statement::Get(1, plain)]),
                    Statement::If(
                        Test::Equal(Operand::Local(1), Operand::Number(0)),
                        vec![Statement::Region(Guard::Write(0), vec![put])],
                        Block::new(),
                    ),
                ]
            }
            _ => {
                let put = Statement::Put(plain, self.operand());
                let access = self.access();
                vec![Statement::Region(Guard::Write(0), vec![put, access])]
            }
        }
    }

    fn waiting(&mut self) -> Block {
        let m = self.module.conditions[0];
        let plain = m;
        let ready = Test::Differ(Operand::Local(1), Operand::Number(0));
        match self.random.below(5) {
            0 => vec![Statement::Region(
                Guard::Mutex(m),
                vec![Statement::Loop(vec![
                    Statement::Get(1, plain),
                    Statement::Break(ready),
                    Statement::Wait(0),
                ])],
            )],
            1 => vec![Statement::Region(
                Guard::Mutex(m),
                vec![
                    Statement::Get(1, plain),
                    Statement::If(
                        Test::Equal(Operand::Local(1), Operand::Number(0)),
                        vec![Statement::Wait(0), Statement::Get(2, plain)],
                        Block::new(),
                    ),
                    Statement::Put(plain, Operand::Number(0)),
                ],
            )],
            2 | 3 => {
                let all = self.random.chance(50);
                let put = Statement::Put(plain, ONE);
                let notify = Statement::Notify(0, all);
                match self.random.chance(60) {
                    true => vec![Statement::Region(Guard::Mutex(m), vec![put, notify])],
                    false => vec![Statement::Region(Guard::Mutex(m), vec![put]), notify],
                }
            }
            _ => self.critical_section(),
        }
    }

    fn spinning(&mut self) -> Block {
        let place = self.variable();
        let until = self.random.below(2) as i64;
        let mut block = vec![Statement::Spin(place, until)];
        match self.random.below(4) {
            0 => return self.atomic(),
            1 => return vec![Statement::Store(place, Operand::Number(until))],
            2 => {
                // A lock of one's own.
                block = vec![Statement::Loop(vec![
                    Statement::Compare(1, place, Operand::Number(0), ONE),
                    Statement::Break(is_one(1)),
                ])];
                block.extend(self.accesses());
                block.push(Statement::Store(place, Operand::Number(0)));
            }
            _ => {
                let at = self.random.below(2);
                for statement in self.accesses() {
                    block.insert(at, statement);
                }
            }
        }
        block
    }

    fn tag(&mut self, pointer: u8) -> Block {
        let has_tags = matches!(self.module.encoding, Encoding::Shifted | Encoding::Marked);
        match has_tags && self.random.chance(50) {
            true => vec![Statement::Tag(pointer, self.random.below(2) as u8)],
            false => Block::new(),
        }
    }

    fn cells(&mut self) -> Block {
        let root = Link::Root(self.random.below(self.module.roots) as u8);
        let value = Operand::Local(0);
        let tag = self.tag(0);
        let made = [vec![Statement::New(0, value)], tag].concat();
        match self.random.below(8) {
            0 => {
                // Push.
                let attempt = vec![
                    Statement::Follow(1, root),
                    Statement::Point(Link::Next(0), Some(1)),
                    Statement::Swing(1, root, 1, Some(0)),
                    Statement::Break(is_one(1)),
                ];
                [made, vec![Statement::Loop(attempt)]].concat()
            }
            1 => {
                // Pop.
                let attempt = vec![
                    Statement::Follow(0, root),
                    Statement::Break(Test::Null(0)),
                    Statement::Follow(1, Link::Next(0)),
                    Statement::Swing(1, root, 0, Some(1)),
                    Statement::Break(is_one(1)),
                ];
                let use_it = vec![Statement::Load(2, Place::Value(0)), Statement::Free(0)];
                vec![
                    Statement::Loop(attempt),
                    Statement::If(Test::Some(0), use_it, Block::new()),
                ]
            }
            2 => vec![
                Statement::Take(0, root, None),
                Statement::If(
                    Test::Some(0),
                    vec![Statement::Load(1, Place::Value(0)), Statement::Free(0)],
                    Block::new(),
                ),
            ],
            3 | 4 => {
                let inside = match self.random.below(3) {
                    0 => Statement::Load(1, Place::Value(0)),
                    1 => Statement::Store(Place::Value(0), self.operand()),
                    _ => Statement::Add(1, Place::Value(0), ONE),
                };
                vec![
                    Statement::Follow(0, root),
                    Statement::If(Test::Some(0), vec![inside], Block::new()),
                ]
            }
            5 => {
                let free = Statement::If(Test::Some(1), vec![Statement::Free(1)], Block::new());
                [made, vec![Statement::Take(1, root, Some(0)), free]].concat()
            }
            6 => {
                let swing = vec![
                    Statement::Follow(1, root),
                    Statement::Swing(1, root, 1, Some(0)),
                    Statement::If(
                        is_one(1),
                        vec![Statement::If(
                            Test::Some(1),
                            vec![Statement::Free(1)],
                            Block::new(),
                        )],
                        vec![Statement::Free(0)],
                    ),
                ];
                [made, swing].concat()
            }
            _ => {
                // Published, then filled in.
                let fill = Statement::Store(Place::Value(0), Operand::Number(2));
                [made, vec![Statement::Point(root, Some(0)), fill]].concat()
            }
        }
    }

    /// A plain variable under a lock, under none, or handed over by an atomic one.
    fn handing_over(&mut self) -> Block {
        let mutex = self.random.below(self.module.mutexes) as u8;
        let place = self.variable();
        match self.random.below(5) {
            0 => vec![
                Statement::Put(mutex, self.operand()),
                Statement::Store(place, Operand::Number(2)),
            ],
            1 | 2 => vec![
                Statement::Load(1, place),
                Statement::If(
                    Test::Equal(Operand::Local(1), Operand::Number(2)),
                    vec![Statement::Get(2, mutex)],
                    Block::new(),
                ),
            ],
            3 => self.critical_section(),
            _ => self.protected(mutex),
        }
    }
}
