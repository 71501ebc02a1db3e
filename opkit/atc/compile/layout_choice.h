// Formats chosen together with the cover: a value that one op gives in the format in which others
// read it is not turned. Nodes that stand for agreements between the op that gives a value and
// those that read it make this one problem of covering.
#ifndef OPKIT_ATC_COMPILE_LAYOUT_CHOICE_H_
#define OPKIT_ATC_COMPILE_LAYOUT_CHOICE_H_

#include <string>
#include <vector>

#include "opkit/base/format.h"
#include "opkit/rewrite/cover/problem.h"

namespace opkit::compile {

// A value that a candidate reads or gives, and what it costs to turn it from or to a dense tensor.
struct StoredValue {
  std::string value;
  Format format = Format::kND;
  uint64_t turn = 0;  // costs nothing for a dense one
};

// A candidate as far as formats matter. Its cost includes turning whatever is not dense.
struct LayoutCandidate {
  std::vector<size_t> nodes;  // ascending
  uint64_t cost = 0;
  std::vector<StoredValue> reads, gives;
};

// What a node reads and defines, values of the graph that are no constants.
struct LayoutNode {
  std::vector<std::string> reads, gives;
};

struct LayoutProblem {
  // A candidate in one state of its values: what it saves is in the cost.
  struct Variant {
    size_t candidate = 0;
    uint64_t saved = 0;
  };
  cover::CoverProblem problem;
  std::vector<Variant> variants;  // holds the variant of each candidate of the problem
  size_t values = 0;              // whose format is open
};

// Returns the problem; somebody outside wants the values of `outputs` dense. A value has an open
// format when a candidate gives it in a format in which another one reads it; the first such format
// counts. Readers that turn the same dense value pay each for itself. Candidates with very many
// such values treat some of them as if nothing could be saved.
LayoutProblem layout_problem(const std::vector<LayoutNode>& nodes,
                             const std::vector<std::pair<size_t, size_t>>& edges,
                             const std::vector<std::string>& outputs,
                             const std::vector<LayoutCandidate>& candidates);

}  // namespace opkit::compile

#endif  // OPKIT_ATC_COMPILE_LAYOUT_CHOICE_H_
