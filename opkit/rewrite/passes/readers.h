// Readers: which nodes read a value, and which one defines it.
#ifndef OPKIT_REWRITE_PASSES_READERS_H_
#define OPKIT_REWRITE_PASSES_READERS_H_

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::passes {

// Valid until nodes are removed, rewired or put in another order.
class Readers {
 public:
  explicit Readers(const graph::Graph& graph);
  // Numbers of nodes, each once.
  const std::vector<size_t>& of(const std::string& value) const;
  // Returns the number of nodes: inputs and constants have none.
  size_t definition(const std::string& value) const;
  bool is_output(const std::string& value) const { return outputs_.count(value) > 0; }

 private:
  std::unordered_map<std::string, std::vector<size_t>> readers_;
  std::unordered_map<std::string, size_t> definitions_;
  std::unordered_set<std::string> outputs_;
  size_t count_;
};

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_READERS_H_
