// Cut: along which axis the tensors of a reference can be taken apart, so that a call too large to
// be evaluated at once is evaluated in parts.
#ifndef OPKIT_ORACLE_CUT_H_
#define OPKIT_ORACLE_CUT_H_

#include <map>
#include <string>

#include "opkit/contract/lower.h"

namespace opkit::oracle {

// A reference that has no part of its own: a node needs its operands whole.
inline constexpr const char* kNeedsWhole = "OPK-VERIFY-014";

struct Cut {
  std::map<std::string, size_t> axes;  // of the tensors that are cut; the others are whole
  int64_t extent = 0;                  // of that axis, the same in all of them
  int64_t unit = 0;  // elements of the largest cut tensor for each step along the axis
};

// Every node works along this axis step by step: element by element, on rows behind it, or with
// sums over other axes. A step has at most `most` elements in any tensor, and so has every tensor
// that stays whole. Every output is cut.
// Error: kNeedsWhole, with the node that needs its operands whole.
Result<Cut> find_cut(const LoweredReference& reference, int64_t most);

}  // namespace opkit::oracle

#endif  // OPKIT_ORACLE_CUT_H_
