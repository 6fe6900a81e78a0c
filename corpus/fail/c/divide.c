int main(int argc, char **argv) {
    return 7 / (argc - 1); // fault: Abort division by zero
}
