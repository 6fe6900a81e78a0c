#pragma once

#include <atomic>
#include <optional>

// The non-blocking queue of Michael and Scott. Dequeued nodes are left to a collector.
class MsQueue {
public:
    MsQueue();
    ~MsQueue();
    MsQueue(const MsQueue &) = delete;
    MsQueue &operator=(const MsQueue &) = delete;

    void enqueue(int value);
    std::optional<int> dequeue();

private:
    struct Node {
        int value = 0;
        std::atomic<Node *> next{nullptr};
    };

    std::atomic<Node *> head_; // a node already taken
    std::atomic<Node *> tail_; // the last node or one before it
};
