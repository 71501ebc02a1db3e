// A result that a kernel keeps in memory between two steps ('store' of a reference node).
#ifndef OPKIT_ORACLE_STORED_H_
#define OPKIT_ORACLE_STORED_H_

#include <string_view>

#include "opkit/oracle/bounded.h"

namespace opkit::oracle {

// Value and ends rounded to `dtype`, directly or by way of float32; whatever precision the result
// had before, the next step reads this one. The tensor's dtype stays the operator's.
Bounded stored(const Bounded& tensor, DType dtype, const Working& working,
               std::string_view rounding);

// Bounds a multiple by a number of the kernel's own: the value stays, and the ends move by the
// most that rounding the multiple to nearest can move them, where it is no greater than the value
// was before: half a step.
Bounded stored_scaled(const Bounded& tensor, DType dtype, const Working& working);

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_STORED_H_
