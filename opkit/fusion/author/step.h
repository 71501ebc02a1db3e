// Step: one node of a region, with what it reads.
#ifndef OPKIT_FUSION_AUTHOR_STEP_H_
#define OPKIT_FUSION_AUTHOR_STEP_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::author {

// What a node of the region reads: a tensor by name, or a number that stands in the formula.
struct StepOperand {
  std::string tensor;  // an input, or the result of an earlier step; empty: a number
  double number = 0;   // NaN: the operand is absent
};

struct RegionStep {
  std::string op_type;
  std::vector<StepOperand> operands;
  std::map<std::string, graph::Attribute> attributes;  // are as the node states them
  std::string result;
};

}  // namespace opkit::author

#endif  // OPKIT_FUSION_AUTHOR_STEP_H_
