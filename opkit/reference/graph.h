// RefGraph: a small graph of ONNX operators as plain data. Knows nothing of files or contracts.
#ifndef OPKIT_REFERENCE_GRAPH_H_
#define OPKIT_REFERENCE_GRAPH_H_

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "opkit/reference/tensor.h"

namespace opkit::reference {

using Attribute = std::variant<int64_t, double, std::string, std::vector<int64_t>,
                               std::vector<double>, std::vector<std::string>, RefTensor>;

struct RefNode {
  std::string op_type;               // the ONNX name: "LayerNormalization"
  std::vector<std::string> inputs;   // an empty name is an absent optional input
  std::vector<std::string> outputs;  // an empty name is an output nobody wants
  std::map<std::string, Attribute> attributes;
  std::string name;  // for messages only; may be empty
};

// Operators changed meaning over time; this is the version whose meaning counts where the form of a
// node does not tell (Softmax, BatchNormalization, GroupNormalization, Clip).
inline constexpr int kDefaultOpset = 20;

using NamedTensors = std::map<std::string, RefTensor>;

struct RefGraph {
  std::vector<RefNode> nodes;  // every name is defined before it is used
  NamedTensors constants;
  std::vector<std::string> outputs;
  int opset = kDefaultOpset;
};

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_GRAPH_H_
