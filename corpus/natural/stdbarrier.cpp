// verdict: holds
// options: --cflag=-std=c++20
#include <linspect.h>
#include <barrier>
#include <memory>
LINSPECT_OBJECT(std::unique_ptr<std::barrier<>>, b, std::make_unique<std::barrier<>>(2))
LINSPECT_OP(wait, b->arrive_and_wait())
LINSPECT_SPEC(barrier, .parties = 2)
