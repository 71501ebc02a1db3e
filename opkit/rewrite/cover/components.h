// Components: nodes that candidates tie together. Each can be covered by itself.
#ifndef OPKIT_REWRITE_COVER_COMPONENTS_H_
#define OPKIT_REWRITE_COVER_COMPONENTS_H_

#include <vector>

#include "opkit/rewrite/cover/problem.h"

namespace opkit::cover {

struct Component {
  std::vector<size_t> nodes;       // ascending
  std::vector<size_t> candidates;  // number the problem's candidates that lie in it, in its order
};

// Lists them in the order of their first nodes. `usable` says which candidates count.
std::vector<Component> components_of(const CoverProblem& problem, const std::vector<bool>& usable);

}  // namespace opkit::cover

#endif  // OPKIT_REWRITE_COVER_COMPONENTS_H_
