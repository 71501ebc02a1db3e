#include "opkit/atc/optimize/bound.h"

#include <algorithm>
#include <set>

#include "opkit/atc/compile/costs.h"
#include "opkit/call/trace/rates.h"
#include "opkit/rewrite/passes/edit.h"

namespace opkit::optimize {

using graph::Graph;
using graph::Node;

double bytes_of_value(const Graph& graph, const std::string& name) {
  const Shape* shape = passes::shape_of(graph, name);
  if (shape == nullptr || !shape->is_static()) return 0;
  return static_cast<double>(
      bytes_of(passes::dtype_of(graph, name), static_cast<uint64_t>(shape->elements())));
}

namespace {

// Returns the weights that must be read whole: of a table some rows may do.
std::set<std::string> weights_of(const Graph& graph) {
  std::set<std::string> names;
  for (const Node& node : graph.nodes) {
    for (const std::string& name : node.inputs) {
      const auto known = graph.values.find(name);
      const bool weights =
          node.op_type == "Conv" || node.op_type == "MatMul" || node.op_type == "Gemm";
      if (weights && known != graph.values.end() && known->second.constant) names.insert(name);
    }
  }
  return names;
}

double bytes_of_values(const Graph& graph, const std::set<std::string>& names) {
  double bytes = 0;
  for (const std::string& name : names) bytes += bytes_of_value(graph, name);
  return bytes;
}

}  // namespace

Result<ModelBound> bound_of(const Graph& graph, const std::string& soc) {
  OPKIT_TRY(const SocMatch match, find_soc(soc));
  OPKIT_TRY(const core::TimingRates rates, trace::rates_of(*match.spec));
  const auto nanoseconds = [&](double cycles) {
    return static_cast<uint64_t>(cycles * 1000 / std::max(rates.frequency_mhz, 1u));
  };
  const double weights = bytes_of_values(graph, weights_of(graph)),
               outputs = bytes_of_values(graph, {graph.outputs.begin(), graph.outputs.end()});
  // Weights lie in memory, whatever was launched before: every launch begins with L2 cold.
  const double fastest = std::max({rates.hbm, rates.l2, 1u});
  const double memory = std::max(weights / std::max(rates.hbm, 1u), (weights + outputs) / fastest);
  double products = 0;
  for (const Node& node : graph.nodes) products += compile::products_of(graph, node);
  const uint32_t peak = *std::max_element(rates.cube_products.begin(), rates.cube_products.end());
  const double cube = static_cast<double>(peak) * std::max(rates.cube_cores, 1u);
  return ModelBound{nanoseconds(memory), nanoseconds(products / std::max(cube, 1.0)),
                    rates.launch_ns};
}

}  // namespace opkit::optimize
