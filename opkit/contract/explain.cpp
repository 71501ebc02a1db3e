#include "opkit/contract/explain.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/counted.h"
#include "opkit/base/json.h"

namespace opkit {
namespace {

std::string operand_text(const Operand& operand) {
  switch (operand.kind) {
    case Operand::Kind::kTensor: return operand.name;
    case Operand::Kind::kAttr: return fmt::format("${}", operand.name);
    case Operand::Kind::kAbsent: return "\"\"";
    case Operand::Kind::kConstant: {
      const std::string text = fmt::format("{}", fmt::join(operand.constant, ", "));
      return operand.is_scalar ? text : fmt::format("[{}]", text);
    }
    case Operand::Kind::kShape: break;
  }
  std::vector<std::string> dims;
  for (const Expr& dim : operand.shape) dims.push_back(dim.to_string());
  return fmt::format("shape({})", fmt::join(dims, ", "));
}

std::string port_text(const Port& port) {
  std::string text = fmt::format("{}: {} [{}] {}", port.name, port.dtype_text,
                                 port.shape.opaque ? "opaque" : port.shape.text, port.format_text);
  if (port.presence != Presence::kRequired) text += fmt::format(", {}", name_of(port.presence));
  if (port.count) text += fmt::format(", count {}", port.count->to_string());
  if (!port.inplace.empty()) text += ", in place of " + port.inplace;
  if (port.written) text += ", written";
  if (port.value_depend) text += ", values known on the host";
  if (port.elements != Elements::kAny) text += fmt::format(", {}", name_of(port.elements));
  return port.doc.empty() ? text : fmt::format("{}  # {}", text, port.doc);
}

std::string attr_text(const Attr& attr) {
  std::string text = fmt::format("{}: {}", attr.name, name_of(attr.type));
  text += attr.required() ? ", required" : ", default " + to_string(*attr.default_value);
  if (attr.range) text += ", range " + attr.range->to_string();
  if (attr.length && attr.length->first == attr.length->second)
    text += fmt::format(", {} elements", attr.length->first);
  else if (attr.length)
    text += fmt::format(", {} to {} elements", attr.length->first, attr.length->second);
  if (attr.elements != Elements::kAny) text += fmt::format(", {}", name_of(attr.elements));
  std::vector<std::string> allowed;
  for (const AttrValue& value : attr.allowed) allowed.push_back(to_string(value));
  if (!allowed.empty()) text += fmt::format(", one of {}", fmt::join(allowed, ", "));
  return attr.doc.empty() ? text : fmt::format("{}  # {}", text, attr.doc);
}

std::string symbol_text(const Symbol& symbol) {
  switch (symbol.kind) {
    case Symbol::Kind::kList: return fmt::format("{}..: dims of {}", symbol.name, symbol.port);
    case Symbol::Kind::kPerTensor:
      return fmt::format("{}[]: one dim for each tensor of {}", symbol.name, symbol.port);
    case Symbol::Kind::kDim: break;
  }
  return fmt::format("{}: {}", symbol.name, symbol.bounds.to_string());
}

std::string constraint_text(const Constraint& constraint) {
  const std::string why = constraint.why.empty() ? "" : "  # " + constraint.why;
  return fmt::format("{}: {}{}", constraint.label, constraint.text, why);
}

std::string numeric_text(const NumericPolicy& numeric) {
  static constexpr const char* kOverflow[] = {"inf", "saturate"};
  static constexpr const char* kNan[] = {"propagate", "ignore", "unspecified"};
  static constexpr const char* kOrder[] = {"any", "fixed"};
  return fmt::format("accumulate {}, overflow {}, rounding {}, nan {}, order {}",
                     numeric.accumulate ? name_of(*numeric.accumulate) : "in the data's type",
                     kOverflow[static_cast<int>(numeric.overflow)], numeric.rounding,
                     kNan[static_cast<int>(numeric.nan)], kOrder[static_cast<int>(numeric.order)]);
}

std::string row_text(const OpContract& contract, size_t column) {
  std::vector<std::string> cells;
  for (const std::vector<Port>* ports : {&contract.inputs, &contract.outputs}) {
    for (const Port& port : *ports)
      cells.push_back(fmt::format("{} {}/{}", port.name, name_of(port.dtypes[column]),
                                  name_of(port.formats[column])));
  }
  return fmt::format("[{}] {}", column, fmt::join(cells, ", "));
}

class Sections {
 public:
  void line(const std::string& text) { text_ += text + "\n"; }

  template <typename T, typename Print>
  void list(const std::string& title, const std::vector<T>& items, const Print& print) {
    if (items.empty()) return;
    line(title);
    for (const T& item : items) line(fmt::format("  {}", print(item)));
  }

  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

Json ports_json(const std::vector<Port>& ports) {
  Json list = Json::array();
  for (const Port& port : ports) {
    Json one = {{"name", port.name},
                {"presence", name_of(port.presence)},
                {"dtype", port.dtype_text},
                {"format", port.format_text},
                {"shape", port.shape.opaque ? "opaque" : port.shape.text}};
    if (!port.inplace.empty()) one["inplace"] = port.inplace;
    if (port.value_depend) one["value_depend"] = true;
    if (port.written) one["written"] = true;
    if (port.count) one["count"] = port.count->to_string();
    list.push_back(std::move(one));
  }
  return list;
}

Json columns_json(const OpContract& contract) {
  Json columns = Json::array();
  for (size_t column = 0; column < contract.column_count(); ++column) {
    Json row = Json::object();
    for (const std::vector<Port>* ports : {&contract.inputs, &contract.outputs}) {
      for (const Port& port : *ports)
        row[port.name] = {name_of(port.dtypes[column]), name_of(port.formats[column])};
    }
    columns.push_back(std::move(row));
  }
  return columns;
}

Json range_json(const Range& range) {
  const Json low = range.lo == Range::kLowest ? Json() : Json(range.lo);
  return Json::array({low, range.hi == Range::kHighest ? Json() : Json(range.hi)});
}

Json error_json(const Error& error) {
  static constexpr const char* kNames[] = {"info", "warning", "error"};
  return {{"severity", kNames[static_cast<int>(error.severity)]},
          {"code", error.code},
          {"message", error.message},
          {"file", error.where.file},
          {"line", error.where.line},
          {"column", error.where.column},
          {"constraint", error.constraint},
          {"action", error.action}};
}

// "by_erf, for approximate=\"none\""
std::string spelling_title(const Spelling& spelling) {
  std::string title = spelling.name;
  for (const auto& [name, value] : spelling.attrs)
    title +=
        fmt::format("{}{}={}", title == spelling.name ? ", for " : ", ", name, to_string(value));
  return title;
}

}  // namespace

std::string node_text(const ReferenceNode& node) {
  std::vector<std::string> operands, attrs;
  for (const Operand& operand : node.in) operands.push_back(operand_text(operand));
  for (const auto& [name, attr] : node.attrs)
    attrs.push_back(fmt::format(
        "{}={}", name, attr.literal ? to_string(*attr.literal) : fmt::format("${}", attr.attr)));
  std::string text =
      fmt::format("{} = {}({}{}{})", fmt::join(node.out, ", "), node.op, fmt::join(operands, ", "),
                  attrs.empty() ? "" : "; ", fmt::join(attrs, ", "));
  if (!node.store_text.empty()) text += " stored as " + node.store_text;
  if (node.when)
    text += fmt::format(" when {}, else {}", node.when->to_string(),
                        node.otherwise.empty() ? "absent" : node.otherwise);
  return text;
}

std::string explain_text(const OpContract& contract) {
  Sections out;
  out.line(fmt::format("{} {}", contract.op, contract.version));
  if (!contract.doc.empty()) out.line(contract.doc);
  out.list("inputs", contract.inputs, port_text);
  out.list("outputs", contract.outputs, port_text);
  out.list("attributes", contract.attrs, attr_text);
  out.list("symbols", contract.symbols, symbol_text);
  out.list("constraints", contract.where, constraint_text);
  out.line(fmt::format("type columns: {}", contract.column_count()));
  for (size_t column = 0; column < contract.column_count(); ++column)
    out.line(fmt::format("  {}", row_text(contract, column)));
  out.list("reference", contract.reference, node_text);
  for (const Spelling& spelling : contract.spellings)
    out.list("spelling " + spelling_title(spelling), spelling.reference, node_text);
  if (!contract.no_reference.empty()) out.line("reference: none, " + contract.no_reference);
  if (!contract.golden.empty())
    out.line(fmt::format("golden files: {}", fmt::join(contract.golden, ", ")));
  out.line("numeric: " + numeric_text(contract.numeric));
  for (const Tolerance& one : contract.tolerances)
    out.line(fmt::format("tolerance{}: {} relative, {} absolute, because {}",
                         one.types.empty() ? "" : " of " + one.types, one.value, one.absolute,
                         one.reason));
  out.line(fmt::format("soc: {}", contract.soc.empty()
                                      ? "every one"
                                      : fmt::format("{}", fmt::join(contract.soc, ", "))));
  out.line(fmt::format("cases: {}, {}", counted(contract.tests.size(), "test"),
                       counted(contract.bench.size(), "benchmark")));
  return out.take();
}

Json explain_json(const OpContract& contract) {
  Json json = {{"op", contract.op}, {"version", contract.version}, {"doc", contract.doc}};
  json["inputs"] = ports_json(contract.inputs);
  json["outputs"] = ports_json(contract.outputs);
  json["attrs"] = Json::array();
  for (const Attr& attr : contract.attrs) {
    const Json value = attr.required() ? Json() : Json(to_string(*attr.default_value));
    json["attrs"].push_back(
        {{"name", attr.name}, {"type", name_of(attr.type)}, {"default", value}});
  }
  json["symbols"] = Json::array();
  for (const Symbol& symbol : contract.symbols)
    json["symbols"].push_back({{"name", symbol.name},
                               {"text", symbol_text(symbol)},
                               {"bounds", range_json(symbol.bounds)}});
  json["where"] = Json::array();
  for (const Constraint& constraint : contract.where)
    json["where"].push_back({{"label", constraint.label},
                             {"rule", constraint.text},
                             {"why", constraint.why},
                             {"line", constraint.where.line}});
  json["columns"] = columns_json(contract);
  json["reference"] = Json::array();
  for (const ReferenceNode& node : contract.reference) json["reference"].push_back(node_text(node));
  json["spellings"] = Json::object();
  for (const Spelling& spelling : contract.spellings) {
    Json& nodes = json["spellings"][spelling_title(spelling)] = Json::array();
    for (const ReferenceNode& node : spelling.reference) nodes.push_back(node_text(node));
  }
  json["no_reference"] = contract.no_reference;
  json["numeric"] = numeric_text(contract.numeric);
  for (const Tolerance& one : contract.tolerances)
    json["tolerance"].push_back({{"types", one.types},
                                 {"value", one.value},
                                 {"absolute", one.absolute},
                                 {"reason", one.reason}});
  json["soc"] = contract.soc;
  json["cases"] = {{"tests", contract.tests.size()}, {"bench", contract.bench.size()}};
  return json;
}

std::string check_text(const OpContract::Checked& checked, const std::string& name) {
  std::string text;
  const auto errors = std::count_if(checked.messages.begin(), checked.messages.end(),
                                    [](const Error& e) { return e.severity == Severity::kError; });
  for (const Error& message : checked.messages) text += message.to_string() + "\n";
  const auto warnings = static_cast<long>(checked.messages.size()) - errors;
  return text + fmt::format("{}: {}, {} error{}, {} warning{}\n", name,
                            checked.ok() ? "ok" : "refused", errors, errors == 1 ? "" : "s",
                            warnings, warnings == 1 ? "" : "s");
}

Json check_json(const OpContract::Checked& checked, const std::string& name) {
  Json json = {{"file", name}, {"ok", checked.ok()}, {"messages", Json::array()}};
  for (const Error& message : checked.messages) json["messages"].push_back(error_json(message));
  return json;
}

}  // namespace opkit
