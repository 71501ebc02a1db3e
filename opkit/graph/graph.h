// Graph: ONNX operators on named values, as plain data. Knows nothing of files, contracts or of
// what an operator means.
#ifndef OPKIT_GRAPH_GRAPH_H_
#define OPKIT_GRAPH_GRAPH_H_

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "opkit/base/format.h"
#include "opkit/base/status.h"
#include "opkit/graph/ref_tensor.h"

namespace opkit::graph {

using Attribute = std::variant<int64_t, double, std::string, std::vector<int64_t>,
                               std::vector<double>, std::vector<std::string>, RefTensor>;

struct Node {
  std::string op_type;               // the ONNX name: "LayerNormalization"
  std::vector<std::string> inputs;   // an empty name is an absent optional input
  std::vector<std::string> outputs;  // an empty name is an output nobody wants
  std::map<std::string, Attribute> attributes;
  std::string name = {};  // serves messages only; may be empty
  Location where = {};    // where it was written: a line of a contract; may be unknown
};

// What is known of a value. A constant's dtype and shape are those of its tensor.
struct ValueInfo {
  DType dtype = DType::kUndefined;  // kUndefined: not known
  std::optional<Shape> shape;       // absent: not known
  Format format = Format::kND;
  std::shared_ptr<const RefTensor> constant;  // null: no constant
};

// Operators changed meaning over time; this is the version whose meaning counts where the form of a
// node does not tell (Softmax, BatchNormalization, GroupNormalization, Clip).
inline constexpr int kDefaultOpset = 20;

struct Graph {
  std::string name;
  int opset = kDefaultOpset;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;  // may name inputs and constants
  std::vector<Node> nodes;           // see sort_nodes
  // Describe every input and constant; other values when they are inferred.
  std::map<std::string, ValueInfo> values;
  // What the model's file says of outputs, unknown dims as kUnknownDim; not of all of them.
  std::map<std::string, ValueInfo> declared = {};

  void add_input(const std::string& name, DType dtype, Shape shape);
  void add_constant(const std::string& name, RefTensor tensor);
  // Null when the name is no constant.
  const RefTensor* constant(const std::string& name) const;
};

// Error codes of graphs.
inline constexpr const char* kUndefinedName = "OPK-GRAPH-001";
inline constexpr const char* kDefinedTwice = "OPK-GRAPH-002";
inline constexpr const char* kCycle = "OPK-GRAPH-003";

// Puts every node behind those whose outputs it reads; nodes that do not depend on each other keep
// their order. Error: OPK-GRAPH-003 with the names on a cycle.
Status sort_nodes(Graph& graph);

// Every name is defined once, before it is read; a constant has as many values as its shape says;
// outputs exist.
Status validate(const Graph& graph);

}  // namespace opkit::graph

#endif  // OPKIT_GRAPH_GRAPH_H_
