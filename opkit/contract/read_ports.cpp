// Inputs and outputs.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/suggest.h"
#include "opkit/contract/names.h"
#include "opkit/contract/reader.h"

namespace opkit {
namespace {

const std::vector<std::string> kInputKeys = {
    "dtype", "shape", "format", "presence", "doc", "values", "elements", "value_depend", "written"};
const std::vector<std::string> kOutputKeys = {"dtype",   "shape", "format", "presence",
                                              "inplace", "count", "doc"};

}  // namespace

std::string_view name_of(Presence presence) {
  static constexpr const char* kNames[] = {"required", "optional", "dynamic"};
  return kNames[static_cast<int>(presence)];
}

void ContractReader::read_ports(const Value& value, bool outputs) {
  const char* what = outputs ? "outputs" : "inputs";
  constexpr size_t kMaxPorts = 192;
  if (!value.is_map() || value.entries.size() > kMaxPorts) {
    return fail(value.where, "OPK-CONTRACT-001",
                value.is_map() ? fmt::format("more than {} {}", kMaxPorts, what)
                               : fmt::format("{} must be a map of names", what),
                "write e.g. x: {dtype: T, shape: \"M, N\"}");
  }
  const bool any_written = std::any_of(contract_.inputs.begin(), contract_.inputs.end(),
                                       [](const Port& port) { return port.written; });
  if (outputs && value.entries.empty() && !any_written)
    fail(value.where, "OPK-CONTRACT-001", "an op has at least one output or written input",
         "add an output, or written: true to the inputs that the kernel writes into");
  for (const Value::Entry& entry : value.entries) read_port(entry, outputs);
}

void ContractReader::read_port(const Value::Entry& entry, bool output) {
  const std::string what = fmt::format("{} {}", output ? "output" : "input", entry.key);
  if (!is_identifier(entry.key)) {
    return fail(entry.where, "OPK-CONTRACT-004", fmt::format("{} has no proper name", what),
                "use letters, digits and underscores");
  }
  if (contract_.input(entry.key)) {
    return fail(entry.where, "OPK-CONTRACT-008",
                fmt::format("output '{}' has the name of an input", entry.key),
                "rename the output and write inplace: " + entry.key);
  }
  if (!accept(entry.value.check_keys(what, output ? kOutputKeys : kInputKeys))) return;
  Port port;
  port.name = entry.key;
  port.is_output = output;
  port.where = entry.where;
  for (const char* key : {"dtype", "shape"}) {
    if (!entry.value.find(key))
      fail(entry.where, "OPK-CONTRACT-001", fmt::format("{} has no {}", what, key),
           fmt::format("add '{}'", key));
  }
  const Value& map = entry.value;
  if (const Value* field = map.find("dtype")) read_name(*field, what + ".dtype", port.dtype_text);
  if (const Value* field = map.find("presence")) read_presence(*field, port);
  if (const Value* field = map.find("shape")) read_shape(*field, port.shape);
  if (const Value* field = map.find("inplace")) read_name(*field, what + ".inplace", port.inplace);
  if (const Value* field = map.find("value_depend"))
    accept(field->as_bool(what + ".value_depend"), port.value_depend);
  if (const Value* field = map.find("written"))
    accept(field->as_bool(what + ".written"), port.written);
  if (const Value* field = map.find("count")) read_expression(*field, what + ".count", port.count);
  if (const Value* field = map.find("values")) read_values(*field, port);
  if (const Value* field = map.find("elements")) read_elements(*field, port);
  if (const Value* field = map.find("doc")) accept(field->as_string(what + ".doc"), port.doc);
  if (!output && port.shape.opaque && port.presence != Presence::kDynamic)
    fail(port.shape.where, "OPK-CONTRACT-025", fmt::format("{} is opaque, but one tensor", what),
         "an input of any shape is \"S..\"");
  if (output && (port.presence == Presence::kDynamic) != port.count.has_value())
    fail(port.where, "OPK-CONTRACT-014",
         fmt::format("{} {}", what,
                     port.count ? "has a count but is not dynamic" : "is dynamic without a count"),
         "a dynamic output needs count: <expression>, others have none");
  if (output) check_inplace(port);
  port_formats_.emplace_back(port.name, map.find("format"));
  (output ? contract_.outputs : contract_.inputs).push_back(std::move(port));
}

void ContractReader::read_presence(const Value& value, Port& port) {
  std::string choice;
  if (!read_choice(value, port.name + ".presence", {"required", "optional", "dynamic"}, choice))
    return;
  port.presence = choice == "required"   ? Presence::kRequired
                  : choice == "optional" ? Presence::kOptional
                                         : Presence::kDynamic;
}

void ContractReader::read_shape(const Value& value, ShapeSpec& shape) {
  shape.where = value.where;
  if (value.is_list()) return read_shape_list(value, shape);
  Location where;
  if (!read_expression_text(value, "shape", shape.text, where)) return;
  if (shape.text == "opaque") {
    shape.opaque = true;
    return;
  }
  accept(Expr::parse_shape(shape.text, where), shape.items);
}

// shape: [B.., M, K]
void ContractReader::read_shape_list(const Value& value, ShapeSpec& shape) {
  for (const Value& item : value.items) {
    std::string text;
    Location where;
    if (!read_expression_text(item, "shape", text, where)) return;
    std::vector<Expr> items;
    if (!accept(Expr::parse_shape(text, where), items)) return;
    if (items.size() != 1) {
      return fail(item.where, "OPK-CONTRACT-005", "one item of a shape list is one dim",
                  "separate dims with commas outside the quotes");
    }
    shape.items.push_back(std::move(items[0]));
    shape.text += (shape.text.empty() ? "" : ", ") + text;
  }
}

// elements: sorted
void ContractReader::read_elements(const Value& value, Port& port) {
  std::string text;
  if (!read_choice(value, port.name + ".elements", elements_names(), text)) return;
  port.elements = *elements_from_name(text);
  if (port.elements != Elements::kPermutation || !port.values) return;
  fail(value.where, "OPK-CONTRACT-044",
       fmt::format("{} is a permutation and has a range of values", port.name),
       "remove values: a permutation of n elements holds 0 to n - 1");
}

// values: [lo, hi]
void ContractReader::read_values(const Value& value, Port& port) {
  if (!value.is_list() || value.items.size() != 2) {
    return fail(value.where, "OPK-CONTRACT-044",
                fmt::format("the values of {} must be [lowest, highest]", port.name),
                "write e.g. [0, 1] or [0, \"V - 1\"]");
  }
  ValueBound lo = 0.0, hi = 0.0;
  if (!read_value_bound(value.items[0], lo) || !read_value_bound(value.items[1], hi)) return;
  const auto* low = std::get_if<double>(&lo);
  const auto* high = std::get_if<double>(&hi);
  if (low && high && !(*low <= *high)) {
    return fail(value.where, "OPK-CONTRACT-044",
                fmt::format("the values of {} are an empty range", port.name),
                "put the lowest first");
  }
  port.values = {std::move(lo), std::move(hi)};
}

bool ContractReader::read_value_bound(const Value& value, ValueBound& bound) {
  double number = 0;
  if (!value.quoted && value.is_scalar() && value.as_number("values").ok()) {
    accept(value.as_number("values"), number);
    bound = number;
    return true;
  }
  std::optional<Expr> expression;
  if (!read_expression(value, "values", expression)) return false;
  if (expression->type() != Expr::Type::kNumber) {
    fail(
        value.where, "OPK-CONTRACT-044", "the end of a range of values is a number",
        "write a number, or an expression of symbols that is one, e.g. \"V - 1\" where V is a dim");
    return false;
  }
  bound = *std::move(expression);
  return true;
}

void ContractReader::check_inplace(const Port& port) {
  if (port.inplace.empty()) return;
  const Port* input = contract_.input(port.inplace);
  std::vector<std::string> names;
  for (const Port& one : contract_.inputs) names.push_back(one.name);
  if (!input) {
    return fail(
        port.where, "OPK-CONTRACT-013",
        fmt::format("output {} is in place of '{}', which is no input", port.name, port.inplace),
        suggest(port.inplace, names));
  }
  if (input->written)
    fail(port.where, "OPK-CONTRACT-013",
         fmt::format("{} is written, and output {} takes its memory", input->name, port.name),
         "remove written: the output says it");
  const bool same =
      input->shape.opaque == port.shape.opaque && input->dtype_text == port.dtype_text &&
      input->presence == port.presence &&
      std::equal(input->shape.items.begin(), input->shape.items.end(), port.shape.items.begin(),
                 port.shape.items.end(),
                 [](const Expr& a, const Expr& b) { return a.to_string() == b.to_string(); });
  if (!same)
    fail(port.where, "OPK-CONTRACT-013",
         fmt::format("output {} is in place of {} but has another dtype, shape or presence",
                     port.name, port.inplace),
         "give both the same dtype, shape and presence");
}

}  // namespace opkit
