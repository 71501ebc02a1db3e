// The formula of an element-wise kernel, out of a region's steps.
#ifndef OPKIT_FUSION_AUTHOR_FORMULA_H_
#define OPKIT_FUSION_AUTHOR_FORMULA_H_

#include <string>
#include <vector>

#include "opkit/fusion/author/region.h"

namespace opkit::author {

struct Formula {
  std::vector<std::string> calls;  // "Mul(y, t0, x1, count);", in order
  size_t slots = 0;                // tensors t0, t1, ... of float that the calls need beside y
};

// Every result lives from its call to the last one that reads it; slots are used again. y holds
// inner results, too, as long as the last step does not read it. REQUIRES: region_of made it.
Formula formula_of(const ElementwiseRegion& region);

// Returns the chips, by short name, that have every call of the formula. REQUIRES: region_of made
// it.
std::vector<std::string> chips_of(const ElementwiseRegion& region);

}  // namespace opkit::author

#endif  // OPKIT_FUSION_AUTHOR_FORMULA_H_
