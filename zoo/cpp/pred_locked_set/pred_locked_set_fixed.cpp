#include "pred_locked_set.hpp"

#include <limits>
#include <utility>

PredLockedSet::PredLockedSet()
    : head_(new Node(std::numeric_limits<int>::min(),
                     new Node(std::numeric_limits<int>::max(), nullptr))) {}

PredLockedSet::~PredLockedSet() {
    for (Node *node = head_; node != nullptr;) {
        Node *next = node->next;
        delete node;
        node = next;
    }
}

// Walks hand over hand: the lock of a node protects the link to the next one,
// and against its own removal.
bool PredLockedSet::add(int key) {
    Node *pred = head_;
    std::unique_lock<std::mutex> held(pred->lock);
    Node *curr = pred->next;
    std::unique_lock<std::mutex> held_too(curr->lock);
    while (curr->key < key) {
        pred = curr;
        curr = curr->next;
        held = std::move(held_too);
        held_too = std::unique_lock<std::mutex>(curr->lock);
    }
    if (curr->key == key)
        return false;
    pred->next = new Node(key, curr);
    return true;
}

bool PredLockedSet::remove(int key) {
    Node *pred = head_;
    std::unique_lock<std::mutex> held(pred->lock);
    Node *curr = pred->next;
    std::unique_lock<std::mutex> held_too(curr->lock);
    while (curr->key < key) {
        pred = curr;
        curr = curr->next;
        held = std::move(held_too);
        held_too = std::unique_lock<std::mutex>(curr->lock);
    }
    if (curr->key != key)
        return false;
    pred->next = curr->next.load();
    return true;
}

bool PredLockedSet::contains(int key) {
    Node *pred = head_;
    std::unique_lock<std::mutex> held(pred->lock);
    Node *curr = pred->next;
    std::unique_lock<std::mutex> held_too(curr->lock);
    while (curr->key < key) {
        pred = curr;
        curr = curr->next;
        held = std::move(held_too);
        held_too = std::unique_lock<std::mutex>(curr->lock);
    }
    return curr->key == key;
}
