// What the parts of whole_operators share. Private to them.
#ifndef OPKIT_REWRITE_PASSES_WHOLE_SAMPLES_H_
#define OPKIT_REWRITE_PASSES_WHOLE_SAMPLES_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"
#include "opkit/rewrite/passes/readers.h"

namespace opkit::passes {

// A node in place of what computed its result.
struct Composed {
  graph::Node node;
  // Constants that the graph does not have, by the names that the node calls them, which values of
  // the graph may have, too.
  std::map<std::string, graph::RefTensor> constants = {};
};

// What follows from one value by nodes that are computed on samples.
class Consequences {
 public:
  // Computes on `samples`, float32, in which nothing is rounded; constants of every type are taken
  // so, and as the number that they were rounded from, where that is one of those that formulas
  // have. Rows, of two dims, meet arithmetic and means of the last axis alone.
  Consequences(const graph::Graph& graph, const Readers& readers, const std::string& from,
               graph::RefTensor samples);

  // Values in the order of the graph's nodes, the first one left out.
  const std::vector<std::string>& order() const { return order_; }
  const graph::RefTensor& at(const std::string& value) const { return samples_.at(value); }
  // Numbers, and lists of one for each element of the last axis, that the nodes read.
  const std::vector<double>& numbers() const { return numbers_; }
  const std::vector<std::string>& lists() const { return lists_; }

 private:
  void compute(size_t n);
  std::optional<graph::RefTensor> operand(const std::string& value);
  bool fits(const graph::Node& node, graph::Node& sampled) const;

  const graph::Graph& graph_;
  const Shape shape_;  // is the shape of the first value
  const bool rows_;    // samples are rows, of which means are taken
  std::map<std::string, graph::RefTensor> samples_;
  std::vector<std::string> order_, lists_;
  std::vector<double> numbers_;
};

std::optional<Composed> whole_function(const graph::Graph& graph, const Readers& readers,
                                       const std::string& value);
std::optional<Composed> whole_norm(const graph::Graph& graph, const Readers& readers,
                                   const std::string& value);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_WHOLE_SAMPLES_H_
