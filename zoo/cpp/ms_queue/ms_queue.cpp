#include "ms_queue.hpp"

MsQueue::MsQueue() {
    Node *dummy = new Node{};
    head_ = dummy;
    tail_ = dummy;
}

MsQueue::~MsQueue() {
    for (Node *node = head_; node != nullptr;) {
        Node *next = node->next;
        delete node;
        node = next;
    }
}

void MsQueue::enqueue(int value) {
    Node *node = new Node{value, {nullptr}};
    for (;;) {
        Node *tail = tail_.load();
        Node *next = tail->next.load();
        if (next != nullptr) {
            tail_.compare_exchange_strong(tail, next);
            continue;
        }
        tail->next.store(node);
        tail_.compare_exchange_strong(tail, node);
        return;
    }
}

std::optional<int> MsQueue::dequeue() {
    for (;;) {
        Node *head = head_.load();
        Node *tail = tail_.load();
        Node *next = head->next.load();
        if (head != head_.load())
            continue;
        if (next == nullptr)
            return std::nullopt;
        if (head == tail) {
            tail_.compare_exchange_strong(tail, next);
            continue;
        }
        int value = next->value;
        if (head_.compare_exchange_strong(head, next))
            return value;
    }
}
