#!/usr/bin/env python3
"""How long 10^9 executions take on 1000 slots, by simulation: the tables in docs/scale.md.

Assumed: 10 000 executions a second and slot; task lengths are lognormal (sigma 0.6), since an interval of clients is cut by an estimate; one attempt in
a hundred is lost at a random moment and run again at the end; whoever is free takes the next task.

The second table is one client under C20 that is cut after `--each` executions. What is left of a part is 40 pieces, one for each step of its path, whose sizes differ
widely (lognormal, sigma 2); a round begins when the last one has ended and the results were read, 0.1 ms for each part."""
import heapq
import random
import statistics

SLOTS, WORK, LOST = 1000, 1e9 / 1e4, 0.01


def elapsed(tasks, start, seed):
    """Seconds until the last task has a result; `start` is what an engine and loading the program take for each."""
    draw = random.Random(seed)
    lengths = [draw.lognormvariate(0, 0.6) for _ in range(tasks)]
    whole = sum(lengths)
    waiting = [length * WORK / whole for length in lengths]
    free, end = [0.0] * SLOTS, 0.0
    while waiting:
        again = []
        for length in waiting:
            now = heapq.heappop(free)
            if draw.random() < LOST:
                now += (start + length) * draw.random()
                again.append(length)
            else:
                now += start + length
                end = max(end, now)
            heapq.heappush(free, now)
        waiting = again
    return end


for tasks in (1_000, 3_000, 10_000, 30_000, 100_000):
    cells = []
    for start in (0.2, 1.5):
        took = statistics.mean(elapsed(tasks, start, seed) for seed in range(5))
        cells.append(f"{took:.0f} s ({WORK / SLOTS / took:.0%})")
    print(f"| {tasks} | {WORK / tasks:.0f} s | {cells[0]} | {cells[1]} |")


def rounds(each, seed, slots=SLOTS, start=0.2, tasks=10 * SLOTS):
    """Rounds, parts and seconds of one client; parts that lie side by side are one task if there are more of them than tasks."""
    draw = random.Random(seed)
    waiting, count, parts, now = [1e9], 0, 0, 0.0
    while waiting:
        count, parts = count + 1, parts + len(waiting)
        cut = [waiting[len(waiting) * t // tasks : len(waiting) * (t + 1) // tasks] for t in range(tasks)]
        free, end = [0.0] * slots, 0.0
        for task in filter(None, cut):
            took = start + sum(min(size, each) for size in task) / 1e4
            took += start + took * draw.random() if draw.random() < LOST else 0.0
            done = heapq.heappop(free) + took
            end = max(end, done)
            heapq.heappush(free, done)
        now += end + len(waiting) * 1e-4
        left = []
        for size in waiting:
            if size > each:
                pieces = [draw.lognormvariate(0, 2) for _ in range(40)]
                whole = sum(pieces)
                left += [piece * (size - each) / whole for piece in pieces]
        waiting = left
    return count, parts, now


for each in (30_000, 100_000, 300_000, 1_000_000):
    runs = [rounds(each, seed) for seed in range(3)]
    count, parts, now = (statistics.mean(column) for column in zip(*runs))
    print(f"| {each} | {each / 1e4:.0f} s | {count:.0f} | {parts:.0f} | {now:.0f} s ({WORK / SLOTS / now:.0%}) |")
