// Walk: a graph evaluated node by node, every value shown to whoever looks at it.
#ifndef OPKIT_QUANTIZE_WALK_H_
#define OPKIT_QUANTIZE_WALK_H_

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "opkit/reference/evaluate.h"

namespace opkit::quantize {

using Look = std::function<Status(const std::string& value, const graph::RefTensor& tensor)>;

class Walk {
 public:
  // Computes what depends on no input once. The graph must outlive the walk. REQUIRES: it is valid
  // and its nodes are in order. Error: those of the interpreter.
  static Result<Walk> make(const graph::Graph& graph);

  // Evaluates the graph, in double precision, and shows each value that depends on an input, inputs
  // first. May run in several threads at once.
  Status run(const reference::NamedTensors& inputs, const Look& look) const;
  // Evaluates what the named values need, with other values given: those are not computed, unless
  // they are named and no inputs. Returns the named values.
  Result<reference::NamedTensors> compute(const std::vector<std::string>& wanted,
                                          const reference::NamedTensors& given) const;

  // Returns the nodes that compute() evaluates, in order.
  std::vector<size_t> needed(const std::vector<std::string>& wanted,
                             const std::function<bool(const std::string&)>& is_given) const;

  // Returns a constant of the graph or what was computed of constants; null for others.
  const graph::RefTensor* constant(const std::string& name) const;
  const graph::Graph& graph() const { return *graph_; }
  // Returns the node that gives the value; null for inputs and constants.
  const graph::Node* maker(const std::string& value) const;
  bool depends_on_input(const std::string& value) const { return varying_.count(value) > 0; }

 private:
  explicit Walk(const graph::Graph& graph) : graph_(&graph) {}
  Result<std::vector<graph::RefTensor>> evaluate(const graph::Node& node,
                                                 const reference::NamedTensors& made,
                                                 const reference::NamedTensors& given) const;

  const graph::Graph* graph_;
  std::unordered_map<std::string, graph::RefTensor> computed_;  // follows from constants alone
  std::unordered_map<std::string, size_t> maker_;
  std::set<std::string> varying_;
};

// Calls work(0) ... work(count - 1) in so many threads; 0: one per CPU. Stops at the first error,
// which is that of the lowest number that failed.
Status in_threads(size_t count, unsigned threads, const std::function<Status(size_t)>& work);

}  // namespace opkit::quantize

#endif  // OPKIT_QUANTIZE_WALK_H_
