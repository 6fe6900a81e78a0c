#include <stdio.h>
#include <wchar.h>
int main(void) {
    printf("%ls\n", L"wide"); // fault: Unsupported `%ls`
}
