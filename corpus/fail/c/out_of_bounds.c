int main(int argc, char **argv) {
    int a[4] = {0};
    int *p = a;
    return p[argc + 3]; // fault: OutOfBounds of which there are only 16
}
