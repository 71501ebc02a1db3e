#include <fmt/format.h>

#include "opkit/atc/compile/report.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using graph::Node;

std::string quoted(const std::string& text) {
  std::string safe = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') safe += '\\';
    safe += c == '\n' ? ' ' : c;
  }
  return safe + "\"";
}

std::string bytes_text(const Graph& graph, const std::string& value) {
  const auto found = graph.values.find(value);
  if (found == graph.values.end() || !found->second.shape || !found->second.shape->is_static())
    return "";
  const auto elements = static_cast<uint64_t>(found->second.shape->elements());
  return fmt::format("{} B", bytes_of(found->second.dtype, elements));
}

std::string node_line(size_t n, const Node& node, const std::string& more) {
  return fmt::format("  n{} [label={}{}];\n", n, quoted(node.op_type), more);
}

// Edges between nodes, and ends of the model.
std::string edges(const Graph& graph) {
  std::map<std::string, std::string> from;
  std::string text;
  for (const std::string& input : graph.inputs) {
    from[input] = quoted("in " + input);
    text += fmt::format("  {} [label={}, shape=oval];\n", from[input], quoted(input));
  }
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    for (const std::string& output : graph.nodes[n].outputs) from[output] = fmt::format("n{}", n);
  }
  const auto edge = [&](const std::string& value, const std::string& to) {
    const auto found = from.find(value);
    if (value.empty() || found == from.end()) return;
    text += fmt::format("  {} -> {} [label={}];\n", found->second, to,
                        quoted(bytes_text(graph, value)));
  };
  for (size_t n = 0; n < graph.nodes.size(); ++n) {
    for (const std::string& input : graph.nodes[n].inputs) edge(input, fmt::format("n{}", n));
  }
  for (const std::string& output : graph.outputs) {
    text += fmt::format("  {} [label={}, shape=oval];\n", quoted("out " + output), quoted(output));
    edge(output, quoted("out " + output));
  }
  return text;
}

std::string whole(const Graph& graph, const std::string& nodes) {
  return fmt::format("digraph {} {{\n  node [shape=box, fontname=\"sans-serif\"];\n{}{}}}\n",
                     quoted(graph.name), nodes, edges(graph));
}

}  // namespace

std::string picture_before(const Compiled& compiled) {
  std::string nodes;
  for (size_t n = 0; n < compiled.before.nodes.size(); ++n)
    nodes += node_line(n, compiled.before.nodes[n], "");
  return whole(compiled.before, nodes);
}

std::string picture_after(const Compiled& compiled) {
  std::string nodes;
  for (size_t i = 0; i < compiled.cover.chosen.size(); ++i) {
    const Candidate& candidate = compiled.candidates.all[compiled.cover.chosen[i]];
    const bool fused = candidate.nodes.size() > 1;
    if (fused)
      nodes += fmt::format(
          "  subgraph cluster_{} {{ label={}; style=filled; "
          "fillcolor=\"#dbe9ff\";\n",
          i, quoted(candidate.name()));
    const char* more = candidate.off_chip()              ? ", style=filled, fillcolor=\"#ffe0cc\""
                       : candidate.taker == Taker::kView ? ", style=dashed"
                                                         : "";
    for (const size_t n : candidate.nodes) nodes += node_line(n, compiled.graph.nodes[n], more);
    if (fused) nodes += "  }\n";
  }
  return whole(compiled.graph, nodes);
}

}  // namespace opkit::compile
