static int *leak(void) {
    int local = 3;
    int *volatile p = &local;
    return p;
}
int main(void) {
    return *leak(); // fault: UseAfterFree function that has returned
}
