// What is computed of a batch, image by image, is computed of its first half and then of the second
// one: tensors between ops are half as large, and more of them stays in L2 while it is worked on.
// Weights are read twice. Exact: no image meets another one.
#include <algorithm>
#include <map>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/readers.h"
#include "opkit/rewrite/variants/batchwise.h"
#include "opkit/rewrite/variants/variants.h"

namespace opkit::variants {

using graph::Graph;
using graph::Node;
using graph::RefTensor;
using passes::Readers;

namespace {

using Names = std::map<std::string, std::string>;

// Products and convolutions pay for more launches; less than two of them never do.
bool is_worth_a_try(const Graph& graph, const Batchwise& part) {
  static const std::vector<std::string> kHeavy = {"Conv", "ConvTranspose", "Gemm", "MatMul"};
  const auto heavy = std::count_if(part.nodes.begin(), part.nodes.end(), [&](size_t n) {
    return std::count(kHeavy.begin(), kHeavy.end(), graph.nodes[n].op_type) > 0;
  });
  return part.batch > 1 && part.batch % 2 == 0 && heavy > 1;
}

// A batch begins where nobody divides it or computes it image by image: at inputs of the graph and
// at results of a Split.
bool begins(const Graph& graph, const Readers& readers, const std::string& value) {
  const size_t n = readers.definition(value);
  return n == graph.nodes.size() || graph.nodes[n].op_type == "Split";
}

RefTensor halves(int64_t batch) {
  const auto half = static_cast<double>(batch / 2);
  return {DType::kInt64, Shape{2}, {half, half}};
}

// The dims that a Reshape names, of half the batch.
std::string halved_dims(Graph& graph, const std::string& dims, int64_t batch) {
  RefTensor told = *graph.constant(dims);
  if (!told.values.empty() && told.values[0] == static_cast<double>(batch))
    told.values[0] = static_cast<double>(batch / 2);
  return passes::add_constant(graph, dims + "/half", std::move(told));
}

// Adds the nodes once more, on the values that `names` gives for those of the whole batch.
void add_half(Graph& changed, const Graph& graph, const Batchwise& part, Names& names) {
  for (const size_t n : part.nodes) {
    Node node = graph.nodes[n];
    node.name.clear();
    for (std::string& input : node.inputs) {
      const auto half = names.find(input);
      if (half != names.end()) input = half->second;
    }
    if (node.op_type == "Reshape")
      node.inputs[1] = halved_dims(changed, node.inputs[1], part.batch);
    const std::string whole = node.outputs[0];
    names[whole] = node.outputs[0] = passes::fresh_name(changed, whole + "/half");
    changed.nodes.push_back(std::move(node));
  }
}

// Results that somebody else reads, or the caller.
std::vector<std::string> results_of(const Graph& graph, const Readers& readers,
                                    const Batchwise& part) {
  std::vector<std::string> results;
  for (const size_t n : part.nodes) {
    const std::string& name = graph.nodes[n].outputs[0];
    const std::vector<size_t>& read = readers.of(name);
    const bool leaves = std::any_of(read.begin(), read.end(), [&](size_t reader) {
      return std::count(part.nodes.begin(), part.nodes.end(), reader) == 0;
    });
    if (leaves || readers.is_output(name)) results.push_back(name);
  }
  return results;
}

}  // namespace

ValueNames places_to_split_batch(const Graph& graph) {
  const Readers readers(graph);
  ValueNames places;
  const auto look = [&](const std::string& value) {
    if (!value.empty() && begins(graph, readers, value) &&
        is_worth_a_try(graph, batchwise_from(graph, value)))
      places.push_back(value);
  };
  for (const std::string& input : graph.inputs) look(input);
  for (const Node& node : graph.nodes) {
    if (node.op_type != "Split") continue;
    for (const std::string& output : node.outputs) look(output);
  }
  return places;
}

bool split_batch(Graph& graph, const std::string& place) {
  const Readers readers(graph);
  if (!begins(graph, readers, place)) return false;
  const Batchwise part = batchwise_from(graph, place);
  if (!is_worth_a_try(graph, part)) return false;
  Graph changed = graph;
  Names first, second;
  first[place] = passes::fresh_name(changed, place + "/half");
  second[place] = passes::fresh_name(changed, place + "/half");
  const std::string sizes = passes::add_constant(changed, place + "/halves", halves(part.batch));
  changed.nodes.push_back(
      {"Split", {place, sizes}, {first[place], second[place]}, {{"axis", int64_t{0}}}});
  add_half(changed, graph, part, first);
  add_half(changed, graph, part, second);
  for (const std::string& result : results_of(graph, readers, part))
    changed.nodes.push_back(
        {"Concat", {first[result], second[result]}, {result}, {{"axis", int64_t{0}}}});
  for (auto n = part.nodes.rbegin(); n != part.nodes.rend(); ++n)
    changed.nodes.erase(changed.nodes.begin() + static_cast<std::ptrdiff_t>(*n));
  graph = std::move(changed);
  return true;
}

}  // namespace opkit::variants
