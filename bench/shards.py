#!/usr/bin/env python3
"""How long 10^9 executions take on 1000 slots, by simulation: the table in docs/scale.md.

Assumed: 10 000 executions a second and slot; task lengths are lognormal (sigma 0.6), since an interval of clients is cut by an estimate; one attempt in
a hundred is lost at a random moment and run again at the end; whoever is free takes the next task."""
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
