#pragma once

#include <atomic>
#include <mutex>

// A sorted set of positive integers with a lock per node. Removed nodes are left to a collector.
class PredLockedSet {
public:
    PredLockedSet();
    ~PredLockedSet();
    PredLockedSet(const PredLockedSet &) = delete;
    PredLockedSet &operator=(const PredLockedSet &) = delete;

    // False if the key was there already.
    bool add(int key);
    // False if the key was not there.
    bool remove(int key);
    bool contains(int key);

private:
    struct Node {
        int key;
        std::atomic<Node *> next;
        std::mutex lock;

        Node(int key, Node *next) : key(key), next(next) {}
    };

    Node *head_;
};
