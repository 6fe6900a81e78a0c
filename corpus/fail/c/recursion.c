static int dive(int n) {
    volatile int deep = n;
    return dive(deep + 1) + 1; // fault: Limit endless recursion
}
int main(void) { return dive(0); }
