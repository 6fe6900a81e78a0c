/* What a harness in C or C++ includes. */
#ifndef LINSPECT_H
#define LINSPECT_H

#endif
