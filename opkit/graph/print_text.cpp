#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "opkit/graph/text.h"

namespace opkit::graph {
namespace {

bool is_plain(const std::string& name) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (name.empty() || name == "_" || !letter(name[0])) return false;
  for (const char* word : {"graph", "input", "const", "output"}) {
    if (name == word) return false;
  }
  return std::all_of(name.begin(), name.end(),
                     [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += std::string("\\") + c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string name_text(const std::string& name) {
  if (name.empty()) return "_";
  return is_plain(name) ? name : quoted(name);
}

std::string real_text(double value) {
  std::string text = fmt::format("{}", value);
  const bool whole = text.find_first_of(".enai") == std::string::npos;
  return whole ? text + ".0" : text;
}

template <typename T, typename Text>
std::string list_text(const std::vector<T>& items, std::string_view empty, Text text) {
  if (items.empty()) return std::string(empty);
  std::string out = "[";
  for (const T& item : items) {
    if (out.size() > 1) out += ", ";
    out += text(item);
  }
  return out + "]";
}

std::string values_text(const std::vector<double>& values) {
  const auto differs = [&](double v) {
    return v != values[0] || std::signbit(v) != std::signbit(values[0]);
  };
  if (values.size() > 1 && std::none_of(values.begin(), values.end(), differs))
    return fmt::format("all {}", values[0]);
  std::string out;
  for (size_t i = 0; i < values.size(); ++i)
    out += fmt::format("{}{}", i > 0 ? ", " : "", values[i]);
  return out;
}

std::string type_text(DType dtype, const std::optional<Shape>& shape) {
  return std::string(name_of(dtype)) + (shape ? shape->to_string() : "[...]");
}

struct AttributeText {
  std::string operator()(int64_t value) const { return std::to_string(value); }
  std::string operator()(double value) const { return real_text(value); }
  std::string operator()(const std::string& value) const { return quoted(value); }
  std::string operator()(const std::vector<int64_t>& list) const {
    return list_text(list, "ints[]", [](int64_t v) { return std::to_string(v); });
  }
  std::string operator()(const std::vector<double>& list) const {
    return list_text(list, "reals[]", real_text);
  }
  std::string operator()(const std::vector<std::string>& list) const {
    return list_text(list, "texts[]", quoted);
  }
  std::string operator()(const RefTensor& tensor) const {
    return "tensor " + type_text(tensor.dtype, tensor.shape) + " (" + values_text(tensor.values) +
           ")";
  }
};

std::string facts_text(const Graph& graph, const std::string& name) {
  const auto found = graph.values.find(name);
  if (found == graph.values.end() || found->second.dtype == DType::kUndefined) return "";
  const ValueInfo& value = found->second;
  std::string text = ": " + type_text(value.dtype, value.shape);
  if (value.format != Format::kND) text += ":" + std::string(name_of(value.format));
  return text;
}

std::string node_text(const Graph& graph, const Node& node) {
  std::string text;
  for (const std::string& output : node.outputs)
    text += (text.empty() ? "" : ", ") + name_text(output) + facts_text(graph, output);
  text += " = " + name_text(node.op_type) + "(";
  for (size_t i = 0; i < node.inputs.size(); ++i)
    text += (i > 0 ? ", " : "") + name_text(node.inputs[i]);
  text += ")";
  bool first = true;
  for (const auto& [name, value] : node.attributes) {
    text += (first ? " {" : ", ") + name_text(name) + "=" + std::visit(AttributeText(), value);
    first = false;
  }
  if (!first) text += "}";
  if (!node.name.empty()) text += " @" + quoted(node.name);
  return text + "\n";
}

}  // namespace

std::string to_text(const Graph& graph) {
  std::string text = fmt::format("graph {} opset {}\n", quoted(graph.name), graph.opset);
  for (const std::string& input : graph.inputs)
    text += "input " + name_text(input) + facts_text(graph, input) + "\n";
  for (const auto& [name, value] : graph.values) {
    if (value.constant == nullptr) continue;
    text += "const " + name_text(name) + facts_text(graph, name) + " = " +
            values_text(value.constant->values) + "\n";
  }
  for (const Node& node : graph.nodes) text += node_text(graph, node);
  for (const std::string& output : graph.outputs) text += "output " + name_text(output) + "\n";
  return text;
}

}  // namespace opkit::graph
