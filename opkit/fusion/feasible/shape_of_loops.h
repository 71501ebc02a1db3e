// Loops: what the loops of a fused kernel are, and what keeps its operators out of one loop.
#ifndef OPKIT_FUSION_FEASIBLE_SHAPE_OF_LOOPS_H_
#define OPKIT_FUSION_FEASIBLE_SHAPE_OF_LOOPS_H_

#include <string>
#include <vector>

#include "opkit/fusion/feasible/subject.h"

namespace opkit::feasible {

enum class LoopCut {
  kElements,  // every element by itself
  kRows,      // whole rows of the last axis
  kBlocks,    // blocks of a product, which its epilogue finishes
};

struct Loops {
  LoopCut cut = LoopCut::kElements;
  size_t heavy = 0;                   // products and convolutions
  size_t first_heavy = 0;             // its node
  size_t reductions = 0;              // along rows
  std::vector<std::string> dims;      // distinct dims of results: "[512, 768]"
  std::vector<std::string> branches;  // operators that do what their data say
  // Why one loop over tiles cannot do it, a sentence each; empty: it can.
  std::vector<std::string> forbids;
};

Loops loops_of(const Subject& subject);

}  // namespace opkit::feasible

#endif  // OPKIT_FUSION_FEASIBLE_SHAPE_OF_LOOPS_H_
