// Inputs, outputs, type columns and attributes: how an op is called.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "opkit/contract/diff_parts.h"

namespace opkit {
namespace {

std::string shape_text(const ShapeSpec& shape) {
  if (shape.opaque) return "opaque";
  std::vector<std::string> items;
  for (const Expr& item : shape.items) items.push_back(item.to_string());
  return fmt::format("{}", fmt::join(items, ", "));
}

std::string bound_text(const ValueBound& bound) {
  if (const double* number = std::get_if<double>(&bound)) return fmt::format("{}", *number);
  return std::get<Expr>(bound).to_string();
}

std::string values_text(const Port& port) {
  if (!port.values) return "any";
  return fmt::format("[{}, {}]", bound_text(port.values->first), bound_text(port.values->second));
}

std::string kind(const Port& port) {
  return fmt::format("{} {}", port.is_output ? "output" : "input", port.name);
}

void added_port(const Port& port, bool at_end, Changes& changes) {
  const bool harmless = !port.is_output && port.presence == Presence::kOptional && at_end;
  if (harmless) {
    changes.minor(kind(port) + " added, optional", "calls without it stay valid");
  } else {
    changes.major(kind(port) + " added", port.is_output ? "callers must take another output"
                                         : at_end       ? "calls without it are refused now"
                                                        : "it shifts the inputs behind it");
  }
}

void compare_memory(const Port& before, const Port& after, const std::string& name,
                    Changes& changes) {
  if (before.inplace != after.inplace) {
    const std::string what =
        changed(name + " inplace", before.inplace.empty() ? "no" : before.inplace,
                after.inplace.empty() ? "no" : after.inplace);
    if (after.inplace.empty()) {
      changes.minor(what, "an input is no longer overwritten");
    } else {
      changes.major(what, "an input is overwritten now");
    }
  }
  if (before.written != after.written) {
    if (after.written) {
      changes.major(name + " became written", "the input is overwritten now");
    } else {
      changes.major(name + " is no longer written", "callers found a result in it");
    }
  }
  if (before.value_depend == after.value_depend) return;
  if (after.value_depend) {
    changes.major(name + " became value_depend", "callers must have its values on the host");
  } else {
    changes.minor(name + " is no longer value_depend", "its values may stay on the device");
  }
}

void compare_values(const Port& before, const Port& after, const std::string& name,
                    Changes& changes) {
  const std::string from = values_text(before), to = values_text(after);
  if (from == to) return;
  const auto ends = [](const Port& port) -> std::optional<std::pair<double, double>> {
    if (!port.values) return std::pair(-1e308, 1e308);
    const auto* low = std::get_if<double>(&port.values->first);
    const auto* high = std::get_if<double>(&port.values->second);
    if (!low || !high) return std::nullopt;
    return std::pair(*low, *high);
  };
  const auto old_ends = ends(before), new_ends = ends(after);
  const bool wider = old_ends && new_ends && new_ends->first <= old_ends->first &&
                     new_ends->second >= old_ends->second;
  if (wider) {
    changes.minor(changed(name + " values", from, to), "more values are accepted");
  } else {
    changes.major(changed(name + " values", from, to),
                  "values that were accepted may be refused now");
  }
}

// How the shapes of all ports together changed.
enum class Shapes { kRenamed, kWidened, kOther };

Shapes compared_shapes(const OpContract& before, const OpContract& after) {
  if (!shapes_admit(after, before)) return Shapes::kOther;
  return shapes_admit(before, after) ? Shapes::kRenamed : Shapes::kWidened;
}

void compare_shape(const Port& before, const Port& after, Shapes shapes, Changes& changes) {
  const std::string from = shape_text(before.shape), to = shape_text(after.shape);
  if (from == to) return;
  const std::string what = changed(kind(after) + " shape", from, to);
  switch (shapes) {
    case Shapes::kRenamed: return changes.patch(what, "symbols have other names");
    case Shapes::kWidened:
      return changes.minor(what, after.is_output ? "what was accepted returns the same shape"
                                                 : "more shapes are accepted");
    case Shapes::kOther: return changes.major(what, "other shapes are accepted or returned");
  }
}

void compare_port(const Port& before, const Port& after, Shapes shapes, Changes& changes) {
  const std::string name = kind(after);
  if (before.presence != after.presence) {
    const bool relaxed =
        before.presence == Presence::kRequired && after.presence == Presence::kOptional;
    const std::string what =
        changed(name, std::string(name_of(before.presence)), std::string(name_of(after.presence)));
    if (relaxed && !after.is_output) {
      changes.minor(what, "calls with it stay valid");
    } else {
      changes.major(what, "calls of the old form are refused now");
    }
  }
  compare_shape(before, after, shapes, changes);
  const std::string old_count = before.count ? before.count->to_string() : "1";
  const std::string new_count = after.count ? after.count->to_string() : "1";
  if (old_count != new_count)
    changes.major(changed(name + " count", old_count, new_count),
                  "another number of tensors is returned");
  compare_memory(before, after, name, changes);
  compare_values(before, after, name, changes);
  if (before.doc != after.doc) changes.patch(name + " doc changed", "it is text");
}

std::string cells(const std::vector<Port>& ports, size_t column) {
  std::vector<std::string> texts;
  for (const Port& port : ports)
    texts.push_back(fmt::format("{} {}/{}", port.name, name_of(port.dtypes[column]),
                                name_of(port.formats[column])));
  return fmt::format("{}", fmt::join(texts, ", "));
}

// Input types and formats -> output types and formats.
std::map<std::string, std::string> rows(const OpContract& contract) {
  std::map<std::string, std::string> result;
  for (size_t column = 0; column < contract.column_count(); ++column)
    result[cells(contract.inputs, column)] = cells(contract.outputs, column);
  return result;
}

bool same_ports(const OpContract& before, const OpContract& after) {
  const auto same = [](const Port& a, const Port& b) { return a.name == b.name; };
  return std::equal(before.inputs.begin(), before.inputs.end(), after.inputs.begin(),
                    after.inputs.end(), same) &&
         std::equal(before.outputs.begin(), before.outputs.end(), after.outputs.begin(),
                    after.outputs.end(), same);
}

// Tells whether a list of the old declaration fits the new one.
bool lists_wider(const Attr& before, const Attr& after) {
  const bool length =
      !after.length || (before.length && after.length->first <= before.length->first &&
                        after.length->second >= before.length->second);
  const bool elements =
      after.elements == Elements::kAny || after.elements == before.elements ||
      (after.elements == Elements::kDistinct && before.elements == Elements::kPermutation);
  return length && elements;
}

void compare_allowed(const Attr& before, const Attr& after, const std::string& name,
                     Changes& changes) {
  if (before.range == after.range && before.allowed == after.allowed &&
      before.length == after.length && before.elements == after.elements)
    return;
  const bool range_wider =
      !after.range || (before.range && after.range->contains_all(*before.range));
  const bool enum_wider =
      after.allowed.empty() ||
      (!before.allowed.empty() &&
       std::all_of(before.allowed.begin(), before.allowed.end(), [&](const AttrValue& value) {
         return std::count(after.allowed.begin(), after.allowed.end(), value) > 0;
       }));
  if (range_wider && enum_wider && lists_wider(before, after)) {
    changes.minor(name + " accepts more values", "what was accepted stays accepted");
  } else {
    changes.major(name + " accepts fewer or other values",
                  "values that were accepted are refused now");
  }
}

void compare_attr(const Attr& before, const Attr& after, Changes& changes) {
  const std::string name = "attribute " + after.name;
  if (before.type != after.type) {
    return changes.major(
        changed(name, std::string(name_of(before.type)), std::string(name_of(after.type))),
        "values of the old type are refused now");
  }
  const auto text = [](const Attr& attr) {
    return attr.required() ? std::string("required") : to_string(*attr.default_value);
  };
  if (before.default_value != after.default_value) {
    const std::string what = changed(name + " default", text(before), text(after));
    if (before.required()) {
      changes.minor(what, "calls that set it stay valid");
    } else {
      changes.major(what, "calls that rely on the default change");
    }
  }
  compare_allowed(before, after, name, changes);
  if (before.doc != after.doc) changes.patch(name + " doc changed", "it is text");
}

void compare_ports(const std::vector<Port>& before, const std::vector<Port>& after, Shapes shapes,
                   Changes& changes) {
  const auto named = [](const std::vector<Port>& ports, const std::string& name) {
    return std::find_if(ports.begin(), ports.end(),
                        [&](const Port& port) { return port.name == name; });
  };
  std::vector<std::string> kept_before, kept_after;
  for (const Port& port : before) {
    if (named(after, port.name) != after.end()) {
      kept_before.push_back(port.name);
    } else {
      changes.major(kind(port) + " removed", "callers that use it are refused now");
    }
  }
  for (const Port& port : after) {
    const auto old = named(before, port.name);
    if (old == before.end()) {
      added_port(port, kept_after.size() == kept_before.size(), changes);
    } else {
      kept_after.push_back(port.name);
      compare_port(*old, port, shapes, changes);
    }
  }
  if (kept_before != kept_after)
    changes.major(
        fmt::format("the order of {} changed", before[0].is_output ? "outputs" : "inputs"),
        "callers pass tensors by position");
}

}  // namespace

void compare_ports(const OpContract& before, const OpContract& after, Changes& changes) {
  const Shapes shapes = compared_shapes(before, after);
  compare_ports(before.inputs, after.inputs, shapes, changes);
  compare_ports(before.outputs, after.outputs, shapes, changes);
}

void compare_columns(const OpContract& before, const OpContract& after, Changes& changes) {
  if (!same_ports(before, after)) return;  // reported as ports
  const auto old_rows = rows(before), new_rows = rows(after);
  for (const auto& [inputs, outputs] : old_rows) {
    const auto found = new_rows.find(inputs);
    if (found == new_rows.end()) {
      changes.major("type column removed: " + inputs, "such calls are refused now");
    } else if (found->second != outputs) {
      changes.major(changed("type column " + inputs, outputs, found->second),
                    "outputs have other types");
    }
  }
  for (const auto& [inputs, outputs] : new_rows) {
    if (!old_rows.count(inputs))
      changes.minor("type column added: " + inputs, "more types are accepted");
  }
  if (old_rows != new_rows) return;
  for (size_t column = 0; column < before.column_count(); ++column) {
    if (cells(before.inputs, column) == cells(after.inputs, column)) continue;
    return changes.patch("the order of the type columns changed",
                         "kernels are numbered by column: rebuild");
  }
}

void compare_attrs(const OpContract& before, const OpContract& after, Changes& changes) {
  for (const Attr& attr : before.attrs) {
    const Attr* now = after.attr(attr.name);
    if (now) {
      compare_attr(attr, *now, changes);
    } else {
      changes.major(fmt::format("attribute {} removed", attr.name),
                    "calls that set it are refused now");
    }
  }
  for (const Attr& attr : after.attrs) {
    if (before.attr(attr.name)) continue;
    const std::string what = fmt::format("attribute {} added, {}", attr.name,
                                         attr.required() ? "required" : "with a default");
    if (attr.required()) {
      changes.major(what, "calls without it are refused now");
    } else {
      changes.minor(what, "calls without it stay valid");
    }
  }
}

}  // namespace opkit
