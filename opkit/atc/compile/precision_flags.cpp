// The texts of precision modes and of the lists beside them.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/atc/compile/flag_text.h"
#include "opkit/atc/compile/precision.h"
#include "opkit/base/suggest.h"
#include "opkit/graph/bodies.h"
#include "opkit/graph/node_name.h"

namespace opkit::compile {
namespace {

using Modes = std::vector<std::pair<std::string_view, PrecisionMode>>;

Result<PrecisionMode> parse(const char* flag, std::string_view text, const Modes& modes,
                            std::string_view missing) {
  std::vector<std::string> names;
  for (const auto& [name, mode] : modes) {
    if (name == text) return mode;
    names.emplace_back(name);
  }
  const std::string words = fmt::format(" {} ", missing);
  const bool known = !text.empty() && words.find(fmt::format(" {} ", text)) != std::string::npos;
  return Error(
      "E10001",
      fmt::format("value [{}] for parameter [{}] is invalid. Reason: {}", text, flag,
                  known ? "no installed op computes in that type"
                        : fmt::format("it is one of {}", fmt::join(names, ", "))),
      known ? fmt::format("{}={}", flag, names.front()) : suggest(std::string(text), names));
}

}  // namespace

Result<PrecisionMode> parse_precision_mode(std::string_view text) {
  static const Modes kModes = {{"must_keep_origin_dtype", PrecisionMode::kOrigin},
                               {"force_fp16", PrecisionMode::kHalf},
                               {"force_fp32", PrecisionMode::kSingle},
                               {"cube_fp16in_fp32out", PrecisionMode::kSingle},
                               {"allow_fp32_to_fp16", PrecisionMode::kAllowHalf},
                               {"allow_fp32_to_bf16", PrecisionMode::kAllowBrain},
                               {"allow_mix_precision", PrecisionMode::kMixedHalf},
                               {"allow_mix_precision_fp16", PrecisionMode::kMixedHalf},
                               {"allow_mix_precision_bf16", PrecisionMode::kMixedBrain}};
  return parse("--precision_mode", text, kModes, "");
}

Result<PrecisionMode> parse_precision_mode_v2(std::string_view text) {
  static const Modes kModes = {{"origin", PrecisionMode::kOrigin},
                               {"fp16", PrecisionMode::kHalf},
                               {"cube_fp16in_fp32out", PrecisionMode::kSingle},
                               {"mixed_float16", PrecisionMode::kMixedHalf},
                               {"mixed_bfloat16", PrecisionMode::kMixedBrain}};
  return parse("--precision_mode_v2", text, kModes, "mixed_hif8 cube_hif8");
}

namespace {

// Names nodes and operators, those of bodies too.
void add_names(const graph::Graph& graph, std::set<std::string>& nodes,
               std::set<std::string>& types) {
  for (const graph::Node& node : graph.nodes) {
    nodes.insert(graph::name_of(node));
    types.insert(node.op_type);
    for (const std::string& attribute : graph::bodies_of(node.op_type)) {
      const auto body = graph::body_of(node, attribute);
      if (body.ok()) add_names(*body, nodes, types);
    }
  }
}

}  // namespace

Status read_kept(std::string_view text, const std::string& file, const graph::Graph& graph,
                 PrecisionOptions& options) {
  std::set<std::string> nodes, types;
  add_names(graph, nodes, types);
  constexpr std::string_view kType = "OpType::";
  for (int line = 1; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string row(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    row.erase(0, row.find_first_not_of(" \t\r"));
    row.erase(row.find_last_not_of(" \t\r") + 1);
    if (row.empty()) continue;
    const bool type = row.starts_with(kType);
    if (type) row.erase(0, kType.size());
    const std::set<std::string>& known = type ? types : nodes;
    if (known.count(row) == 0)
      return Error("E10001",
                   fmt::format("value [{}] for parameter [--keep_dtype] is invalid. Reason: the "
                               "model has no {} '{}'",
                               file, type ? "operator" : "node", row),
                   suggest(row, std::vector<std::string>(known.begin(), known.end()),
                           kHowToListNodes))
          .at({file, line, 1});
    (type ? options.keep_types : options.keep_nodes).insert(row);
  }
  return {};
}

}  // namespace opkit::compile
