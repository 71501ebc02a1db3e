#include "opkit/atc/compile/convert_nodes.h"

#include <map>
#include <string>

#include "opkit/reference/infer.h"
#include "opkit/reference/tensor.h"
#include "opkit/rewrite/passes/edit.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;

class Conversion {
 public:
  Conversion(Graph& graph, const std::set<size_t>& nodes, DType from, DType to)
      : graph_(graph), nodes_(nodes), from_(from), to_(to), before_(graph.nodes.size()) {
    for (const Node& node : graph.nodes) taken_.insert(node.outputs.begin(), node.outputs.end());
  }

  Result<std::vector<size_t>> run() {
    std::vector<Node> nodes = std::move(graph_.nodes);
    graph_.nodes.clear();
    for (size_t n = 0; n < nodes.size(); ++n) {
      if (nodes_.count(n) == 0) {
        add(std::move(nodes[n]), n);
      } else {
        convert(std::move(nodes[n]), n);
      }
    }
    OPKIT_CHECK(reference::infer(graph_));
    return std::move(origin_);
  }

 private:
  void add(Node node, size_t number) {
    graph_.nodes.push_back(std::move(node));
    origin_.push_back(number);
  }

  void cast(const std::string& from, const std::string& to, DType dtype) {
    add({"Cast", {from}, {to}, {{"to", std::string(name_of(dtype))}}, to, {}}, before_);
  }

  // Nodes stay in order: what is read was defined before.
  void convert(Node node, size_t number) {
    for (std::string& input : node.inputs) {
      if (!input.empty() && is_old(input)) input = converted(input);
    }
    std::vector<std::pair<std::string, std::string>> back;
    for (std::string& output : node.outputs) {
      if (output.empty() || !is_old(output)) continue;
      const std::string name = fresh(output);
      back.emplace_back(name, output);
      converted_[output] = name;
      output = name;
    }
    add(std::move(node), number);
    for (const auto& [from, to] : back) cast(from, to, from_);
  }

  bool is_old(const std::string& value) const { return passes::dtype_of(graph_, value) == from_; }

  const std::string& converted(const std::string& value) {
    const auto [place, is_new] = converted_.emplace(value, "");
    if (!is_new) return place->second;
    if (const RefTensor* constant = graph_.constant(value)) {
      RefTensor tensor = *constant;
      tensor.dtype = to_;
      for (double& one : tensor.values) one = reference::rounded_to(to_, one);
      return place->second = passes::add_constant(graph_, stem(value), std::move(tensor));
    }
    place->second = fresh(value);
    cast(value, place->second, to_);
    return place->second;
  }

  std::string stem(const std::string& value) const {
    return value + "/" + std::string(name_of(to_));
  }

  std::string fresh(const std::string& value) {
    std::string name = stem(value);
    while (graph_.values.count(name) > 0 || !taken_.insert(name).second) name += "'";
    return name;
  }

  Graph& graph_;
  const std::set<size_t>& nodes_;
  DType from_, to_;
  size_t before_;
  std::set<std::string> taken_;
  std::map<std::string, std::string> converted_;  // is keyed by the value of the old type
  std::vector<size_t> origin_;
};

}  // namespace

Result<std::vector<size_t>> convert_nodes(Graph& graph, const std::set<size_t>& nodes, DType from,
                                          DType to) {
  return Conversion(graph, nodes, from, to).run();
}

}  // namespace opkit::compile
