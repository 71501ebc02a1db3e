#include "opkit/atc/optimize/bound.h"

#include <algorithm>
#include <set>

#include "opkit/atc/compile/costs.h"
#include "opkit/call/trace/rates.h"
#include "opkit/rewrite/passes/edit.h"

namespace opkit::optimize {

using graph::Graph;
using graph::Node;

namespace {

double bytes_of_value(const Graph& graph, const std::string& name) {
  const Shape* shape = passes::shape_of(graph, name);
  if (shape == nullptr || !shape->is_static()) return 0;
  return static_cast<double>(
      bytes_of(passes::dtype_of(graph, name), static_cast<uint64_t>(shape->elements())));
}

// Returns what must be read: of a table some rows may do.
std::set<std::string> read_whole(const Graph& graph) {
  std::set<std::string> names(graph.outputs.begin(), graph.outputs.end());
  for (const Node& node : graph.nodes) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const std::string& name = node.inputs[i];
      const auto known = graph.values.find(name);
      const bool weights =
          node.op_type == "Conv" || node.op_type == "MatMul" || node.op_type == "Gemm";
      if (weights && known != graph.values.end() && known->second.constant) names.insert(name);
    }
  }
  return names;
}

}  // namespace

Result<ModelBound> bound_of(const Graph& graph, const std::string& soc) {
  OPKIT_TRY(const SocMatch match, find_soc(soc));
  OPKIT_TRY(const core::TimingRates rates, trace::rates_of(*match.spec));
  const auto nanoseconds = [&](double cycles) {
    return static_cast<uint64_t>(cycles * 1000 / std::max(rates.frequency_mhz, 1u));
  };
  double bytes = 0, products = 0;
  for (const std::string& name : read_whole(graph)) bytes += bytes_of_value(graph, name);
  for (const Node& node : graph.nodes) products += compile::products_of(graph, node);
  const uint32_t peak = *std::max_element(rates.cube_products.begin(), rates.cube_products.end());
  const double cube = static_cast<double>(peak) * std::max(rates.cube_cores, 1u);
  return ModelBound{nanoseconds(bytes / std::max({rates.hbm, rates.l2, 1u})),
                    nanoseconds(products / std::max(cube, 1.0)), rates.launch_ns};
}

}  // namespace opkit::optimize
