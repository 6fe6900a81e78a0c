#include "pred_locked_set.hpp"

#include <limits>

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

// Walks hand over hand: the lock of a node protects the link to the next one.
bool PredLockedSet::add(int key) {
    Node *pred = head_;
    std::unique_lock<std::mutex> held(pred->lock);
    Node *curr = pred->next;
    while (curr->key < key) {
        held.unlock();
        pred = curr;
        held = std::unique_lock<std::mutex>(pred->lock);
        curr = pred->next;
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
    while (curr->key < key) {
        held.unlock();
        pred = curr;
        held = std::unique_lock<std::mutex>(pred->lock);
        curr = pred->next;
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
    while (curr->key < key) {
        held.unlock();
        pred = curr;
        held = std::unique_lock<std::mutex>(pred->lock);
        curr = pred->next;
    }
    return curr->key == key;
}
