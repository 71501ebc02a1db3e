#include "opkit/graph/graph.h"

#include <fmt/format.h>

#include <set>

namespace opkit::graph {
namespace {

Error undefined(const std::string& name, const Node& node) {
  Error error =
      Error(kUndefinedName, fmt::format("input '{}' is defined by no earlier node or input", name),
            "order the nodes and give every input")
          .of(node.op_type)
          .at(node.where);
  if (!node.name.empty()) error.trail.push_back("node " + node.name);
  return error;
}

Status check_constant(const std::string& name, const ValueInfo& value) {
  const RefTensor& tensor = *value.constant;
  OPKIT_TRY(const int64_t elements, tensor.shape.checked_elements());
  if (tensor.elements() == elements && value.dtype == tensor.dtype && value.shape == tensor.shape)
    return {};
  return Error(kUndefinedName,
               fmt::format("constant '{}' of {}{} has {} values", name, name_of(tensor.dtype),
                           tensor.shape.to_string(), tensor.elements()),
               "give as many values as the shape has elements");
}

// Defines names one by one and refuses the second definition.
class Names {
 public:
  Status define(const std::string& name) {
    if (defined_.insert(name).second) return {};
    return Error(kDefinedTwice, fmt::format("'{}' is defined twice", name),
                 "give every value a name of its own");
  }
  bool has(const std::string& name) const { return defined_.count(name) > 0; }

 private:
  std::set<std::string> defined_;
};

// How many nodes each node still waits for, and who waits for whom.
struct Waiting {
  std::vector<size_t> missing;
  std::vector<std::vector<size_t>> readers;
};

Waiting waiting_of(const Graph& graph) {
  std::map<std::string, size_t> producer;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    for (const std::string& output : graph.nodes[n].outputs) {
      if (!output.empty()) producer.emplace(output, n);
    }
  }
  Waiting waiting{std::vector<size_t>(graph.nodes.size()),
                  std::vector<std::vector<size_t>>(graph.nodes.size())};
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    std::set<size_t> sources;
    for (const std::string& input : graph.nodes[n].inputs) {
      const auto found = producer.find(input);
      if (found != producer.end()) sources.insert(found->second);
    }
    waiting.missing[n] = sources.size();
    for (const size_t source : sources) waiting.readers[source].push_back(n);
  }
  return waiting;
}

Error cycle(const Graph& graph, const std::vector<size_t>& missing) {
  std::string names;
  for (size_t n = 0; n < missing.size(); ++n) {
    if (missing[n] == 0) continue;
    names += (names.empty() ? "" : ", ") + graph.nodes[n].op_type;
    if (names.size() > 200) {
      names += ", ...";
      break;
    }
  }
  return Error(kCycle, fmt::format("these nodes wait for each other: {}", names),
               "break the cycle: a node may read what earlier ones define");
}

}  // namespace

void Graph::add_input(const std::string& name, DType dtype, Shape shape) {
  inputs.push_back(name);
  values[name] = ValueInfo{dtype, std::move(shape), Format::kND, nullptr};
}

void Graph::add_constant(const std::string& name, RefTensor tensor) {
  const DType dtype = tensor.dtype;
  const Shape shape = tensor.shape;
  values[name] =
      ValueInfo{dtype, shape, Format::kND, std::make_shared<const RefTensor>(std::move(tensor))};
}

const RefTensor* Graph::constant(const std::string& name) const {
  const auto found = values.find(name);
  return found == values.end() ? nullptr : found->second.constant.get();
}

Status sort_nodes(Graph& graph) {
  Waiting waiting = waiting_of(graph);
  std::set<size_t> ready;
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    if (waiting.missing[n] == 0) ready.insert(n);
  }
  std::vector<size_t> order;
  while (!ready.empty()) {
    const size_t next = *ready.begin();
    ready.erase(ready.begin());
    order.push_back(next);
    for (const size_t reader : waiting.readers[next]) {
      if (--waiting.missing[reader] == 0) ready.insert(reader);
    }
  }
  if (order.size() != graph.nodes.size()) return cycle(graph, waiting.missing);
  std::vector<Node> sorted;
  for (const size_t n : order) sorted.push_back(std::move(graph.nodes[n]));
  graph.nodes = std::move(sorted);
  return {};
}

Status validate(const Graph& graph) {
  Names names;
  for (const std::string& input : graph.inputs) OPKIT_CHECK(names.define(input));
  for (const auto& [name, value] : graph.values) {
    if (value.constant == nullptr) continue;
    OPKIT_CHECK(names.define(name));
    OPKIT_CHECK(check_constant(name, value));
  }
  for (const Node& node : graph.nodes) {
    for (const std::string& input : node.inputs) {
      if (!input.empty() && !names.has(input)) return undefined(input, node);
    }
    for (const std::string& output : node.outputs) {
      if (!output.empty()) OPKIT_CHECK(names.define(output));
    }
  }
  for (const std::string& output : graph.outputs) {
    if (names.has(output)) continue;
    return Error(kUndefinedName, fmt::format("graph output '{}' is defined by no node", output),
                 "name an output of a node");
  }
  return {};
}

}  // namespace opkit::graph
