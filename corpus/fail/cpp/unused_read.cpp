// A reference to a deleted object is read for nobody.
struct Node {
    int value;
    Node *next;
};

int main() {
    Node *node = new Node{1, nullptr};
    const Node &stale = *node;
    delete node;
    auto [value, next] = stale; // fault: UseAfterFree freed
    return 0;
}
