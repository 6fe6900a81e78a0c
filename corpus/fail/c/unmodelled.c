int nobody_knows_this(int);
int main(void) {
    return nobody_knows_this(1); // fault: Unsupported nobody_knows_this
}
