// What rewrites ask of a graph and do to it.
#ifndef OPKIT_REWRITE_PASSES_EDIT_H_
#define OPKIT_REWRITE_PASSES_EDIT_H_

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::passes {

// Who defines and who reads each value. Valid until nodes are added, removed or rewired.
class Uses {
 public:
  explicit Uses(const graph::Graph& graph);
  // Returns the node that defines the value; null for inputs and constants.
  const graph::Node* definition(const std::string& value) const;
  // Nodes that read it, and outputs of the graph that are it.
  size_t readers(const std::string& value) const;
  bool is_output(const std::string& value) const;

 private:
  std::unordered_map<std::string, const graph::Node*> definitions_;
  std::unordered_map<std::string, size_t> readers_;
  std::unordered_map<std::string, bool> outputs_;
};

// Lets nodes that read one value read another one, in a single walk over the nodes in their order:
// whoever walks lets each node take its new operands before it looks at it. Outputs of the graph
// keep their names: whoever replaces one must keep its definition.
class Redirections {
 public:
  void add(const std::string& from, const std::string& to) { to_.emplace(from, to); }
  void apply(graph::Node& node) const;

 private:
  std::unordered_map<std::string, std::string> to_;
};

// Null when it is not known.
const Shape* shape_of(const graph::Graph& graph, const std::string& value);
DType dtype_of(const graph::Graph& graph, const std::string& value);

// Returns a constant of one dim that holds these numbers as int64.
graph::RefTensor whole_numbers(const std::vector<int64_t>& numbers);

// Adds a constant under a name that starts with `stem` and that nothing has.
std::string add_constant(graph::Graph& graph, const std::string& stem, graph::RefTensor tensor);

// Takes a name that starts with `stem` and that no value has: from now on the graph knows a value
// of that name, of which nothing else is known. REQUIRES: the graph knows the values that its nodes
// define, as reference::infer leaves it.
std::string fresh_name(graph::Graph& graph, const std::string& stem);

// Adds a node with one result, under a name that starts with `stem` and that nothing has. Returns
// the name. References to nodes are no longer valid.
std::string add_node(graph::Graph& graph, const std::string& op_type,
                     std::vector<std::string> inputs, const std::string& stem,
                     std::map<std::string, graph::Attribute> attributes = {});
// Adds a Reshape to these dims, none of them 0.
std::string add_reshape(graph::Graph& graph, const std::string& from, const std::string& stem,
                        const std::vector<int64_t>& dims);

// Makes `to`, a result that nothing has yet, a view of `from` with these dims, none of them 0.
void define_reshape(graph::Graph& graph, const std::string& from, const std::string& to,
                    const std::vector<int64_t>& dims);

// Returns a shape that is known and has no dim of 0; null otherwise.
const Shape* filled_shape_of(const graph::Graph& graph, const std::string& value);

// Returns the first result that somebody wants: it names the node.
const std::string& result_of(const graph::Node& node);

// Returns a number that the node states, or `otherwise`.
double number_of(const graph::Node& node, const std::string& attribute, double otherwise);
// Returns a text that the node states, or `otherwise`.
std::string text_of(const graph::Node& node, const std::string& attribute,
                    const std::string& otherwise = "");

// Returns one number for each channel, when `value` is a constant that differs along that dim of a
// tensor of that rank alone.
std::optional<std::vector<double>> per_channel(const graph::Graph& graph, const std::string& value,
                                               int64_t channels, size_t channel_dim, size_t rank);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_EDIT_H_
