// For tests/faults: every file holds kernels.
#include "testing.h"

#include "opkit/include/kernel_operator.h"
