// deadlock: 1
// Nobody else runs, and the loop changes nothing: it never ends.
static int held = 1;

int main(void) {
    while (__atomic_exchange_n(&held, 1, __ATOMIC_SEQ_CST))
        ;
    return 0;
}
