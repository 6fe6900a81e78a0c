#include <assert.h>
int main(int argc, char **argv) {
    assert(argc == 2); // fault: Assertion argc == 2
}
