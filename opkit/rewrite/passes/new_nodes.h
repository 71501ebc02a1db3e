// Adds the many nodes that one node becomes. Private to the rephrasings.
#ifndef OPKIT_REWRITE_PASSES_NEW_NODES_H_
#define OPKIT_REWRITE_PASSES_NEW_NODES_H_

#include <map>
#include <string>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::passes {

// Names of values are `stem`, a slash and what is said of them, and returned.
class NewNodes {
 public:
  NewNodes(graph::Graph& graph, std::string stem) : graph_(graph), stem_(std::move(stem) + "/") {}

  std::string add(const std::string& op_type, std::vector<std::string> inputs,
                  const std::string& what, std::map<std::string, graph::Attribute> attributes = {});
  // Defines a result that has a name already and nothing that computes it.
  void define(const std::string& result, const std::string& op_type,
              std::vector<std::string> inputs, std::map<std::string, graph::Attribute> attributes);
  std::string add_constant(const std::string& what, graph::RefTensor tensor);
  // Views the elements in other dims, none of them 0.
  std::string view(const std::string& from, const std::string& what,
                   const std::vector<int64_t>& dims);
  void define_view(const std::string& result, const std::string& from,
                   const std::vector<int64_t>& dims);
  // `count` parts that have `each` of the dim.
  std::vector<std::string> split(const std::string& from, const std::string& what, int64_t axis,
                                 int64_t count, int64_t each);
  std::string join(const std::vector<std::string>& parts, const std::string& what, int64_t axis);

  // First results of the nodes that compute something.
  const std::vector<std::string>& parts() const { return parts_; }

 private:
  std::vector<std::string> split_at_once(const std::string& from, const std::string& what,
                                         int64_t axis, const std::vector<int64_t>& sizes);

  graph::Graph& graph_;
  const std::string stem_;
  std::vector<std::string> parts_;
};

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_NEW_NODES_H_
