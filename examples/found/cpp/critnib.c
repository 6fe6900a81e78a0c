// critnib 1.1: linspect test critnib.c SOURCE/critnib.c --cflag -ISOURCE
#include <linspect.h>
#include "critnib.h"
LINSPECT_OBJECT(critnib *, c, critnib_new())
LINSPECT_OP_RET(int, insert, critnib_insert(c, key, (void *)7, 0), int key, 1, 2)
LINSPECT_OP_RET(int, get, critnib_get(c, key) != 0, int key, 1, 2)
LINSPECT_OP_RET(int, remove, critnib_remove(c, key) != 0, int key, 1, 2)
