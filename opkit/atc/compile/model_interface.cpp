#include "opkit/atc/compile/model_interface.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "opkit/atc/compile/flag_text.h"
#include "opkit/base/suggest.h"
#include "opkit/reference/infer.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using graph::Node;

struct FlagText {
  const char* flag;
  const std::string& text;  // all of it
};

Error invalid(const FlagText& place, const std::string& why, std::string action) {
  return Error("E10001",
               fmt::format("value [{}] for parameter [{}] is invalid. Reason: {}", place.text,
                           place.flag, why),
               std::move(action));
}

bool is_value(const Graph& graph, const std::string& name) {
  if (graph.values.count(name) > 0) return true;
  return std::ranges::any_of(
      graph.nodes, [&](const Node& node) { return std::ranges::count(node.outputs, name) > 0; });
}

std::vector<std::string> node_names(const Graph& graph) {
  std::vector<std::string> names;
  for (const Node& node : graph.nodes)
    if (!node.name.empty()) names.push_back(node.name);
  return names;
}

// "fc:1": the second output of the node fc; "logits" or "logits:0": the value of that name.
Result<std::string> find_value(const Graph& graph, const std::string& text, const FlagText& place) {
  if (is_value(graph, text)) return text;
  const size_t colon = text.rfind(':');
  const auto number = colon == std::string::npos
                          ? std::optional<int64_t>(0)
                          : whole_number(std::string_view(text).substr(colon + 1));
  const std::string name = text.substr(0, colon);
  if (!number)
    return invalid(place, fmt::format("'{}' is no node and number of an output", text),
                   fmt::format("{}=\"{}:0\"", place.flag, name));
  const auto node = std::ranges::find(graph.nodes, name, &Node::name);
  const bool named = node != graph.nodes.end() && !name.empty();
  if (!named && *number == 0 && is_value(graph, name)) return name;
  if (!named)
    return invalid(place, fmt::format("the model has no node '{}'", name),
                   suggest(name, node_names(graph), kHowToListNodes));
  const auto count = static_cast<int64_t>(node->outputs.size());
  if (*number < 0 || *number >= count || node->outputs[static_cast<size_t>(*number)].empty())
    return invalid(place, fmt::format("node '{}' has no output {}", name, *number),
                   fmt::format("its outputs are 0 to {}", count - 1));
  return node->outputs[static_cast<size_t>(*number)];
}

Status take_outputs(Graph& graph, const std::string& text) {
  const FlagText place{"--out_nodes", text};
  std::vector<std::string> outputs;
  for (const std::string_view part : split(text, ';')) {
    if (part.empty()) continue;
    OPKIT_TRY(std::string value, find_value(graph, std::string(part), place));
    if (std::ranges::count(outputs, value) > 0)
      return invalid(place, fmt::format("'{}' stands there twice", part), "name it once");
    outputs.push_back(std::move(value));
  }
  if (outputs.empty()) return invalid(place, "it names no output", "--out_nodes=\"fc:0\"");
  graph.outputs = std::move(outputs);
  return {};
}

std::string fresh(const Graph& graph, const std::string& name, const char* what) {
  std::string made = fmt::format("{}/{}", name, what);
  while (is_value(graph, made)) made += '_';
  return made;
}

Node cast(const std::string& from, const std::string& to, DType dtype) {
  return {"Cast", {from}, {to}, {{"to", std::string(name_of(dtype))}}, to, {}};
}

void rename(Graph& graph, const std::string& from, const std::string& to) {
  for (Node& node : graph.nodes) {
    std::ranges::replace(node.inputs, from, to);
    std::ranges::replace(node.outputs, from, to);
  }
  if (const auto known = graph.values.extract(from); !known.empty())
    graph.values.emplace(to, known.mapped());
}

// The output keeps its name; what was computed gets another one.
Status cast_output(Graph& graph, const std::string& name, DType dtype, const FlagText& place) {
  const auto known = graph.values.find(name);
  if (known != graph.values.end() && known->second.dtype == dtype) return {};
  const bool given = std::ranges::count(graph.inputs, name) > 0 || graph.constant(name) != nullptr;
  if (given)
    return invalid(place, fmt::format("output '{}' is an input or a constant", name),
                   "leave it as it is");
  const std::string computed = fresh(graph, name, "computed");
  rename(graph, name, computed);
  graph.nodes.push_back(cast(computed, name, dtype));
  if (const auto declared = graph.declared.find(name); declared != graph.declared.end())
    declared->second.dtype = dtype;
  return {};
}

constexpr std::array<std::pair<std::string_view, DType>, 11> kOutputTypes = {
    {{"FP32", DType::kFloat32},
     {"FP16", DType::kFloat16},
     {"UINT8", DType::kUInt8},
     {"INT8", DType::kInt8},
     {"UINT16", DType::kUInt16},
     {"INT16", DType::kInt16},
     {"UINT32", DType::kUInt32},
     {"INT32", DType::kInt32},
     {"UINT64", DType::kUInt64},
     {"INT64", DType::kInt64},
     {"DOUBLE", DType::kFloat64}}};

std::optional<DType> output_type(std::string_view text) {
  const auto known =
      std::ranges::find(kOutputTypes, text, [](const auto& one) { return one.first; });
  if (known == kOutputTypes.end()) return std::nullopt;
  return known->second;
}

std::string output_types() {
  std::vector<std::string_view> names;
  for (const auto& [name, dtype] : kOutputTypes) names.push_back(name);
  return fmt::format("types are {}", fmt::join(names, ", "));
}

struct NamedType {
  std::string output;
  DType dtype;
};

Result<NamedType> read_named_type(const Graph& graph, const std::string& part,
                                  const FlagText& place) {
  const size_t colon = part.rfind(':');
  const auto dtype = output_type(std::string_view(part).substr(colon + 1));
  if (!dtype || colon == std::string::npos)
    return invalid(place, fmt::format("'{}' ends in no type of an output", part), output_types());
  OPKIT_TRY(std::string value, find_value(graph, part.substr(0, colon), place));
  if (std::ranges::count(graph.outputs, value) == 0)
    return invalid(place, fmt::format("'{}' is no output of the model", value),
                   suggest(value, graph.outputs));
  return NamedType{std::move(value), *dtype};
}

// All are read first: a cast changes what nodes' outputs are called.
Result<std::vector<NamedType>> read_named_types(const Graph& graph, const FlagText& place) {
  std::vector<NamedType> types;
  for (const std::string_view part : split(place.text, ';')) {
    if (part.empty()) continue;
    OPKIT_TRY(NamedType one, read_named_type(graph, std::string(part), place));
    if (std::ranges::count(types, one.output, &NamedType::output) > 0)
      return invalid(place, fmt::format("output '{}' stands there twice", one.output),
                     "name it once");
    types.push_back(std::move(one));
  }
  return types;
}

Status cast_outputs(Graph& graph, const std::string& text) {
  const FlagText place{"--output_type", text};
  if (const auto all = output_type(text)) {
    for (const std::string& name : std::vector<std::string>(graph.outputs))
      OPKIT_CHECK(cast_output(graph, name, *all, place));
    return {};
  }
  OPKIT_TRY(const std::vector<NamedType> types, read_named_types(graph, place));
  for (const NamedType& one : types) OPKIT_CHECK(cast_output(graph, one.output, one.dtype, place));
  return {};
}

// The input keeps its name; what the model's nodes read gets another one.
Status take_half(Graph& graph, const std::string& name, const FlagText& place) {
  if (std::ranges::count(graph.inputs, name) == 0)
    return invalid(place, fmt::format("the model has no input '{}'", name),
                   suggest(name, graph.inputs));
  graph::ValueInfo& input = graph.values.at(name);
  const DType dtype = input.dtype;
  if (dtype == DType::kFloat16) return {};
  if (!is_float(dtype))
    return invalid(place, fmt::format("input '{}' has type {}", name, name_of(dtype)),
                   "only inputs of floats can be float16");
  if (std::ranges::count(graph.outputs, name) > 0)
    return invalid(place, fmt::format("input '{}' is an output, too", name), "leave it as it is");
  const std::string read = fresh(graph, name, "read");
  for (Node& node : graph.nodes) std::ranges::replace(node.inputs, name, read);
  graph.nodes.insert(graph.nodes.begin(), cast(name, read, dtype));
  input.dtype = DType::kFloat16;
  return {};
}

Status take_halves(Graph& graph, const std::string& text) {
  const FlagText place{"--input_fp16_nodes", text};
  for (const std::string_view part : split(text, ';'))
    if (!part.empty()) OPKIT_CHECK(take_half(graph, std::string(part), place));
  return {};
}

}  // namespace

Status change_interface(Graph& graph, const InterfaceFlags& flags) {
  if (flags.out_nodes.empty() && flags.output_type.empty() && flags.input_fp16_nodes.empty())
    return {};
  if (!flags.out_nodes.empty()) OPKIT_CHECK(take_outputs(graph, flags.out_nodes));
  if (!flags.output_type.empty()) OPKIT_CHECK(cast_outputs(graph, flags.output_type));
  if (!flags.input_fp16_nodes.empty()) OPKIT_CHECK(take_halves(graph, flags.input_fp16_nodes));
  return reference::infer(graph);
}

void state_input_formats(model::OfflineModel& model, const std::string& input_format) {
  for (uint32_t i = 0; i < model.inputs.size(); ++i) {
    TensorDesc& desc = model.tensors[model.inputs[i]].desc;
    const auto aipp = std::ranges::find(model.aipp, i, &model::AippInput::input);
    if (aipp != model.aipp.end())
      desc.format = aipp->dynamic ? Format::kND : Format::kNHWC;
    else if (input_format == "NCHW" && desc.shape.rank() == 4)
      desc.format = Format::kNCHW;
  }
}

}  // namespace opkit::compile
