#include "opkit/atc/optimize/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "opkit/rewrite/passes/edit.h"
#include "opkit/rewrite/passes/readers.h"

namespace opkit::optimize {
namespace {

using graph::Graph;
using graph::Node;
using passes::Readers;

std::string dims_of(const Graph& graph, const std::string& value) {
  const Shape* shape = passes::shape_of(graph, value);
  return fmt::format("{}{}", name_of(passes::dtype_of(graph, value)),
                     shape == nullptr ? "?" : shape->to_string());
}

std::string operator_of(const Graph& graph, const Readers& readers, const std::string& value) {
  const size_t n = readers.definition(value);
  if (n < graph.nodes.size()) return graph.nodes[n].op_type;
  return graph.constant(value) != nullptr ? "constant" : "input";
}

std::string key_of(const Graph& graph, const Readers& readers, const std::string& place) {
  std::string key = operator_of(graph, readers, place) + dims_of(graph, place) + "(";
  const size_t n = readers.definition(place);
  if (n < graph.nodes.size()) {
    for (const std::string& input : graph.nodes[n].inputs) {
      if (!input.empty()) key += operator_of(graph, readers, input) + dims_of(graph, input) + ",";
    }
  }
  std::vector<std::string> read;
  for (const size_t reader : readers.of(place))
    read.push_back(graph.nodes[reader].op_type +
                   dims_of(graph, passes::result_of(graph.nodes[reader])));
  std::sort(read.begin(), read.end());
  for (const std::string& one : read) key += ")" + one;
  return key;
}

}  // namespace

std::vector<AlikePlaces> alike_places(const Graph& graph,
                                      const std::vector<variants::Variant>& variants) {
  const Readers readers(graph);
  std::vector<AlikePlaces> all;
  for (const variants::Variant& variant : variants) {
    std::map<std::string, size_t> known;
    for (const std::string& place : variant.places(graph)) {
      const std::string key = fmt::format("{} {}", variant.name, key_of(graph, readers, place));
      const auto [at, fresh] = known.try_emplace(key, all.size());
      if (fresh) all.push_back({&variant, {}, key});
      all[at->second].places.push_back(place);
    }
  }
  return all;
}

}  // namespace opkit::optimize
