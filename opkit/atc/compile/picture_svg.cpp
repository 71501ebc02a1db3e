// Models as pictures that need no program but a browser: boxes with names, dims, types and times.
#include <fmt/format.h>

#include "opkit/atc/compile/report.h"
#include "opkit/atc/compile/svg.h"
#include "opkit/graph/node_name.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using graph::Node;

std::string facts(const Graph& graph, const std::string& name) {
  const auto known = graph.values.find(name);
  if (known == graph.values.end()) return "";
  const graph::ValueInfo& value = known->second;
  return fmt::format("{}{}", name_of(value.dtype), value.shape ? value.shape->to_string() : "");
}

// Boxes of a graph's ends and of groups of its nodes, and the lines between them.
class Drawing {
 public:
  explicit Drawing(const Graph& graph) : graph_(graph) {
    for (const std::string& input : graph.inputs) {
      from_[input] = boxes_.size();
      boxes_.push_back({{input, facts(graph, input)}, "#eeeeee", true});
    }
  }

  void add(Box box, const std::vector<size_t>& nodes) {
    const size_t number = boxes_.size();
    for (const size_t n : nodes) {
      box_of_[n] = number;
      for (const std::string& output : graph_.nodes[n].outputs) from_[output] = number;
    }
    const Node& last = graph_.nodes[nodes.back()];
    for (const std::string& output : last.outputs) {
      if (!output.empty()) box.lines.push_back(facts(graph_, output));
    }
    boxes_.push_back(std::move(box));
  }

  std::string text(const std::string& title) {
    for (const auto& [n, box] : box_of_) {
      for (const std::string& input : graph_.nodes[n].inputs) join(input, box);
    }
    for (const std::string& output : graph_.outputs) {
      boxes_.push_back({{output, facts(graph_, output)}, "#eeeeee", true});
      join(output, boxes_.size() - 1);
    }
    return svg(title, boxes_, lines_);
  }

 private:
  void join(const std::string& value, size_t to) {
    const auto from = from_.find(value);
    if (value.empty() || from == from_.end() || from->second == to) return;
    lines_.push_back({from->second, to, value + " " + facts(graph_, value)});
  }

  const Graph& graph_;
  std::vector<Box> boxes_;
  std::vector<SvgLine> lines_;
  std::map<std::string, size_t> from_;
  std::map<size_t, size_t> box_of_;  // names the box of each node
};

std::string time_text(const Candidate& candidate) {
  if (candidate.taker == Taker::kView) return "view";
  if (candidate.off_chip()) return "on the host, not modelled";
  if (candidate.taker == Taker::kControl) return "the host runs bodies";
  const char* about = candidate.kind == CostKind::kExact ? "" : "~";
  return fmt::format("{}{:.2f} us", about, static_cast<double>(candidate.nanoseconds) / 1e3);
}

const char* fill_of(const Candidate& candidate) {
  if (candidate.off_chip()) return "#ffe0cc";
  if (candidate.taker == Taker::kView) return "#f6f6f6";
  return candidate.is_fused() ? "#dbe9ff" : "#ffffff";
}

}  // namespace

std::string svg_before(const Compiled& compiled) {
  const Graph& graph = compiled.before;
  Drawing drawing(graph);
  for (size_t n = 0; n < graph.nodes.size(); ++n)
    drawing.add({{graph.nodes[n].op_type, graph::name_of(graph.nodes[n])}}, {n});
  return drawing.text(fmt::format("{}: {} nodes in the file", graph.name, graph.nodes.size()));
}

std::string svg_after(const Compiled& compiled) {
  const Graph& graph = compiled.graph;
  Drawing drawing(graph);
  for (const size_t c : compiled.cover.chosen) {
    const Candidate& candidate = compiled.candidates.all[c];
    const std::string op = candidate.taker == Taker::kPlugin
                               ? candidate.name()
                               : graph.nodes[candidate.nodes[0]].op_type;
    Box box{{op, candidate.node_names(graph), time_text(candidate)}, fill_of(candidate)};
    if (candidate.is_fused()) {
      std::string ops;
      for (const size_t n : candidate.nodes)
        ops += (ops.empty() ? "" : ", ") + graph.nodes[n].op_type;
      box.lines.push_back(ops);
    }
    drawing.add(std::move(box), candidate.nodes);
  }
  return drawing.text(fmt::format("{} on {}: {:.2f} us", graph.name, compiled.model().soc,
                                  static_cast<double>(compiled.nanoseconds()) / 1e3));
}

}  // namespace opkit::compile
