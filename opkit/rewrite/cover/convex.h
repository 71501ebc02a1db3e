// Whether a set of nodes can be one kernel: no path may leave it and come back.
#ifndef OPKIT_REWRITE_COVER_CONVEX_H_
#define OPKIT_REWRITE_COVER_CONVEX_H_

#include <cstddef>
#include <utility>
#include <vector>

namespace opkit::cover {

// Who reads whom, for many questions about one graph.
class Convexity {
 public:
  // Edges lead from a node to a later one.
  Convexity(size_t nodes, const std::vector<std::pair<size_t, size_t>>& edges);
  // Returns a node outside that lies on a path from the set to the set; `nodes` when there is none.
  // REQUIRES: the set is ascending and not empty.
  size_t between(const std::vector<size_t>& set) const;
  bool is_convex(const std::vector<size_t>& set) const { return between(set) == readers_.size(); }

 private:
  std::vector<std::vector<size_t>> readers_;
};

}  // namespace opkit::cover

#endif  // OPKIT_REWRITE_COVER_CONVEX_H_
