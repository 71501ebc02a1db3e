// A unit of its own: GoogleTest brings the C library's assert along.
#include "opkit/include/kernel_operator.h"

namespace conformance {

void assert_positive(int value);

void assert_positive(int value) { assert(value > 0); }

}  // namespace conformance
