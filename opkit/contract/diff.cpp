#include "opkit/contract/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "opkit/contract/explain.h"
#include "opkit/contract/scope.h"

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

class Differ {
 public:
  Differ(const OpContract& before, const OpContract& after) : before_(before), after_(after) {}

  ContractDiff run() {
    if (before_.op != after_.op) major(changed("op", before_.op, after_.op), "it is another op");
    compare_ports(before_.inputs, after_.inputs);
    compare_ports(before_.outputs, after_.outputs);
    compare_columns();
    compare_attrs();
    compare_constraints();
    compare_reference();
    compare_numeric();
    compare_tolerance();
    compare_soc();
    compare_rest();
    return {before_.version, after_.version, std::move(changes_)};
  }

 private:
  static std::string changed(const std::string& subject, const std::string& from,
                             const std::string& to) {
    return fmt::format("{}: {} -> {}", subject, from, to);
  }
  void add(ChangeLevel level, std::string what, std::string why) {
    changes_.push_back({level, std::move(what), std::move(why)});
  }
  void major(std::string what, std::string why) {
    add(ChangeLevel::kMajor, std::move(what), std::move(why));
  }
  void minor(std::string what, std::string why) {
    add(ChangeLevel::kMinor, std::move(what), std::move(why));
  }
  void patch(std::string what, std::string why) {
    add(ChangeLevel::kPatch, std::move(what), std::move(why));
  }

  void compare_ports(const std::vector<Port>& before, const std::vector<Port>& after) {
    const auto named = [](const std::vector<Port>& ports, const std::string& name) {
      return std::find_if(ports.begin(), ports.end(),
                          [&](const Port& port) { return port.name == name; });
    };
    std::vector<std::string> kept_before, kept_after;
    for (const Port& port : before) {
      if (named(after, port.name) != after.end()) {
        kept_before.push_back(port.name);
      } else {
        major(kind(port) + " removed", "callers that use it are refused now");
      }
    }
    for (const Port& port : after) {
      const auto old = named(before, port.name);
      if (old == before.end()) {
        added_port(port, kept_after.size() == kept_before.size());
      } else {
        kept_after.push_back(port.name);
        compare_port(*old, port);
      }
    }
    if (kept_before != kept_after)
      major(fmt::format("the order of {} changed", before[0].is_output ? "outputs" : "inputs"),
            "callers pass tensors by position");
  }

  static std::string kind(const Port& port) {
    return fmt::format("{} {}", port.is_output ? "output" : "input", port.name);
  }

  void added_port(const Port& port, bool at_end) {
    const bool harmless = !port.is_output && port.presence == Presence::kOptional && at_end;
    if (harmless) {
      minor(kind(port) + " added, optional", "calls without it stay valid");
    } else {
      major(kind(port) + " added", port.is_output ? "callers must take another output"
                                   : at_end       ? "calls without it are refused now"
                                                  : "it shifts the inputs behind it");
    }
  }

  void compare_port(const Port& before, const Port& after) {
    const std::string name = kind(after);
    if (before.presence != after.presence) {
      const bool relaxed =
          before.presence == Presence::kRequired && after.presence == Presence::kOptional;
      const std::string what = changed(name, std::string(name_of(before.presence)),
                                       std::string(name_of(after.presence)));
      if (relaxed && !after.is_output) {
        minor(what, "calls with it stay valid");
      } else {
        major(what, "calls of the old form are refused now");
      }
    }
    const std::string old_shape = shape_text(before.shape), new_shape = shape_text(after.shape);
    if (old_shape != new_shape)
      major(changed(name + " shape", old_shape, new_shape),
            "other shapes are accepted or returned");
    const std::string old_count = before.count ? before.count->to_string() : "1";
    const std::string new_count = after.count ? after.count->to_string() : "1";
    if (old_count != new_count)
      major(changed(name + " count", old_count, new_count),
            "another number of tensors is returned");
    compare_memory(before, after, name);
    compare_values(before, after, name);
    if (before.doc != after.doc) patch(name + " doc changed", "it is text");
  }

  void compare_memory(const Port& before, const Port& after, const std::string& name) {
    if (before.inplace != after.inplace) {
      const std::string what =
          changed(name + " inplace", before.inplace.empty() ? "no" : before.inplace,
                  after.inplace.empty() ? "no" : after.inplace);
      if (after.inplace.empty()) {
        minor(what, "an input is no longer overwritten");
      } else {
        major(what, "an input is overwritten now");
      }
    }
    if (before.value_depend == after.value_depend) return;
    if (after.value_depend) {
      major(name + " became value_depend", "callers must have its values on the host");
    } else {
      minor(name + " is no longer value_depend", "its values may stay on the device");
    }
  }

  void compare_values(const Port& before, const Port& after, const std::string& name) {
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
      minor(changed(name + " values", from, to), "more values are accepted");
    } else {
      major(changed(name + " values", from, to), "values that were accepted may be refused now");
    }
  }

  // Input types and formats -> output types and formats.
  static std::map<std::string, std::string> rows(const OpContract& contract) {
    std::map<std::string, std::string> result;
    for (size_t column = 0; column < contract.column_count(); ++column)
      result[cells(contract.inputs, column)] = cells(contract.outputs, column);
    return result;
  }

  static std::string cells(const std::vector<Port>& ports, size_t column) {
    std::vector<std::string> texts;
    for (const Port& port : ports)
      texts.push_back(fmt::format("{} {}/{}", port.name, name_of(port.dtypes[column]),
                                  name_of(port.formats[column])));
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  bool same_ports() const {
    const auto same = [](const Port& a, const Port& b) { return a.name == b.name; };
    return std::equal(before_.inputs.begin(), before_.inputs.end(), after_.inputs.begin(),
                      after_.inputs.end(), same) &&
           std::equal(before_.outputs.begin(), before_.outputs.end(), after_.outputs.begin(),
                      after_.outputs.end(), same);
  }

  void compare_columns() {
    if (!same_ports()) return;  // reported as ports
    const auto before = rows(before_), after = rows(after_);
    for (const auto& [inputs, outputs] : before) {
      const auto found = after.find(inputs);
      if (found == after.end()) {
        major("type column removed: " + inputs, "such calls are refused now");
      } else if (found->second != outputs) {
        major(changed("type column " + inputs, outputs, found->second), "outputs have other types");
      }
    }
    for (const auto& [inputs, outputs] : after) {
      if (!before.count(inputs)) minor("type column added: " + inputs, "more types are accepted");
    }
    if (before != after) return;
    for (size_t column = 0; column < before_.column_count(); ++column) {
      if (cells(before_.inputs, column) == cells(after_.inputs, column)) continue;
      return patch("the order of the type columns changed",
                   "kernels are numbered by column: rebuild");
    }
  }

  void compare_attrs() {
    for (const Attr& attr : before_.attrs) {
      const Attr* now = after_.attr(attr.name);
      if (now) {
        compare_attr(attr, *now);
      } else {
        major(fmt::format("attribute {} removed", attr.name), "calls that set it are refused now");
      }
    }
    for (const Attr& attr : after_.attrs) {
      if (before_.attr(attr.name)) continue;
      const std::string what = fmt::format("attribute {} added, {}", attr.name,
                                           attr.required() ? "required" : "with a default");
      if (attr.required()) {
        major(what, "calls without it are refused now");
      } else {
        minor(what, "calls without it stay valid");
      }
    }
  }

  void compare_attr(const Attr& before, const Attr& after) {
    const std::string name = "attribute " + after.name;
    if (before.type != after.type) {
      return major(
          changed(name, std::string(name_of(before.type)), std::string(name_of(after.type))),
          "values of the old type are refused now");
    }
    const auto text = [](const Attr& attr) {
      return attr.required() ? std::string("required") : to_string(*attr.default_value);
    };
    if (before.default_value != after.default_value) {
      const std::string what = changed(name + " default", text(before), text(after));
      if (before.required()) {
        minor(what, "calls that set it stay valid");
      } else {
        major(what, "calls that rely on the default change");
      }
    }
    compare_allowed(before, after, name);
    if (before.doc != after.doc) patch(name + " doc changed", "it is text");
  }

  void compare_allowed(const Attr& before, const Attr& after, const std::string& name) {
    if (before.range == after.range && before.allowed == after.allowed) return;
    const bool range_wider =
        !after.range || (before.range && after.range->contains_all(*before.range));
    const bool enum_wider =
        after.allowed.empty() ||
        (!before.allowed.empty() &&
         std::all_of(before.allowed.begin(), before.allowed.end(), [&](const AttrValue& value) {
           return std::count(after.allowed.begin(), after.allowed.end(), value) > 0;
         }));
    if (range_wider && enum_wider) {
      minor(name + " accepts more values", "what was accepted stays accepted");
    } else {
      major(name + " accepts fewer or other values", "values that were accepted are refused now");
    }
  }

  // Whether `rule` follows from one of the parts: the same text, or a tighter limit on one name.
  static bool implied(const Expr& rule, const std::vector<Expr>& parts) {
    const Scope nothing;
    std::string name, other;
    const Range limit = rule.limit(nothing, name);
    return std::any_of(parts.begin(), parts.end(), [&](const Expr& part) {
      if (part.to_string() == rule.to_string()) return true;
      const Range tighter = part.limit(nothing, other);
      return !name.empty() && other == name && limit != Range{} && tighter.meet(limit) == tighter;
    });
  }

  static std::vector<Expr> parts_of(const OpContract& contract) {
    std::vector<Expr> parts;
    for (const Constraint& constraint : contract.where) {
      for (const Expr& part : constraint.rule.conjuncts()) parts.push_back(part);
    }
    return parts;
  }

  void compare_constraints() {
    const std::vector<Expr> before = parts_of(before_), after = parts_of(after_);
    for (const Constraint& constraint : after_.where) {
      for (const Expr& part : constraint.rule.conjuncts()) {
        if (!implied(part, before))
          major(fmt::format("constraint {} demands {}", constraint.label, part.to_string()),
                "shapes or attributes that were accepted are refused now");
      }
    }
    for (const Constraint& constraint : before_.where) {
      for (const Expr& part : constraint.rule.conjuncts()) {
        if (!implied(part, after))
          minor(
              fmt::format("constraint {} no longer demands {}", constraint.label, part.to_string()),
              "more shapes or attributes are accepted");
      }
    }
    compare_labels();
  }

  void compare_labels() {
    std::map<std::string, std::string> labels;
    for (const Constraint& constraint : before_.where)
      labels[constraint.rule.to_string()] = constraint.label;
    for (const Constraint& constraint : after_.where) {
      const auto old = labels.find(constraint.rule.to_string());
      if (old != labels.end() && old->second != constraint.label)
        patch(changed("constraint", old->second, constraint.label), "messages name it differently");
    }
  }

  // Whether the node only runs for an optional input that `other` does not have.
  static bool only_for_new_input(const ReferenceNode& node, const OpContract& other) {
    if (!node.when) return false;
    const std::vector<Expr::Name>& names = node.when->names();
    return names.size() == 1 &&
           node.when->to_string() == fmt::format("present({})", names[0].name) &&
           !other.input(names[0].name);
  }

  // The reference with results numbered, so that names of intermediate tensors do not matter, and
  // without the nodes that only run for inputs which `other` does not have.
  static std::string canonical_reference(const OpContract& contract, const OpContract& other) {
    std::map<std::string, std::string> names;
    const auto renamed = [&](const std::string& name) {
      const auto found = names.find(name);
      return found == names.end() ? name : found->second;
    };
    std::string text;
    for (ReferenceNode node : contract.reference) {
      if (only_for_new_input(node, other)) {
        names[node.out[0]] = renamed(node.otherwise);
        continue;
      }
      for (Operand& operand : node.in) {
        if (operand.kind == Operand::Kind::kTensor) operand.name = renamed(operand.name);
      }
      node.otherwise = renamed(node.otherwise);
      for (std::string& out : node.out) {
        if (!contract.output(out)) names[out] = fmt::format("%{}", names.size());
        out = renamed(out);
      }
      text += node_text(node) + "\n";
    }
    return text;
  }

  void compare_reference() {
    if (canonical_reference(before_, after_) == canonical_reference(after_, before_)) {
      if (before_.no_reference != after_.no_reference)
        patch("the reason for having no reference changed", "it is text");
      return;
    }
    if (before_.reference.empty()) {
      minor("a reference was added", "the op can be checked and fused now");
    } else {
      major("the reference changed", "the op computes something else, or is fused elsewhere");
    }
  }

  void compare_numeric() {
    const NumericPolicy& a = before_.numeric;
    const NumericPolicy& b = after_.numeric;
    if (a.overflow != b.overflow) major("numeric.overflow changed", "big results differ");
    if (a.nan != b.nan) major("numeric.nan changed", "results of NaN differ");
    if (a.rounding != b.rounding) major("numeric.rounding changed", "results differ");
    if (a.accumulate != b.accumulate)
      minor("numeric.accumulate changed", "results differ within another bound");
    if (a.order == b.order) return;
    if (b.order == NumericPolicy::Order::kFixed) {
      minor("numeric.order: any -> fixed", "results no longer depend on the schedule");
    } else {
      major("numeric.order: fixed -> any", "results may depend on the schedule now");
    }
  }

  void compare_tolerance() {
    const auto value = [](const OpContract& contract) {
      return contract.tolerance ? std::pair(contract.tolerance->value, contract.tolerance->absolute)
                                : std::pair(0.0, 0.0);
    };
    const auto before = value(before_), after = value(after_);
    if (before == after && before_.tolerance.has_value() == after_.tolerance.has_value()) return;
    const bool tighter =
        before_.tolerance &&
        (!after_.tolerance || (after.first <= before.first && after.second <= before.second));
    if (tighter) {
      minor("the tolerance is tighter", "results are at least as exact");
    } else {
      major("the tolerance is looser", "results may be less exact than promised before");
    }
  }

  void compare_soc() {
    const auto has = [](const std::vector<std::string>& list, const std::string& soc) {
      return list.empty() || std::count(list.begin(), list.end(), soc) > 0;
    };
    for (const std::string& soc : before_.soc) {
      if (!has(after_.soc, soc)) major("SoC removed: " + soc, "the op is refused there now");
    }
    if (before_.soc.empty() && !after_.soc.empty())
      major("soc lists some SoCs, was every one", "the op is refused on the others now");
    if (!before_.soc.empty() && after_.soc.empty())
      minor("soc: every one", "the op is offered on more SoCs");
    for (const std::string& soc : after_.soc) {
      if (!has(before_.soc, soc)) minor("SoC added: " + soc, "the op is offered there now");
    }
  }

  static std::string kernel_text(const OpContract& contract) {
    if (!contract.kernel) return "";
    return fmt::format("{} {} {}", contract.kernel->entry, contract.kernel->task_type,
                       fmt::join(contract.kernel->tiling_keys, ","));
  }

  static bool same_cases(const std::vector<Case>& a, const std::vector<Case>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Case& x, const Case& y) {
      return x.symbols == y.symbols && x.attrs == y.attrs;
    });
  }

  void compare_rest() {
    if (kernel_text(before_) != kernel_text(after_))
      patch("kernel changed", "callers do not see it; plugins are rebuilt");
    if (!same_cases(before_.tests, after_.tests) || before_.test_values != after_.test_values)
      patch("tests changed", "what callers see stays");
    if (!same_cases(before_.bench, after_.bench)) patch("bench changed", "what callers see stays");
    if (before_.doc != after_.doc) patch("doc changed", "it is text");
  }

  const OpContract& before_;
  const OpContract& after_;
  std::vector<Change> changes_;
};

}  // namespace

ContractDiff diff_contracts(const OpContract& before, const OpContract& after) {
  return Differ(before, after).run();
}

}  // namespace opkit
