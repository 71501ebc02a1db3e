// Constraints and the reference: what an op accepts and computes.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "opkit/contract/diff_parts.h"
#include "opkit/contract/explain.h"
#include "opkit/contract/scope.h"

namespace opkit {
namespace {

// Where the one relation of a canonical text stands, outside of all brackets.
size_t relation_at(const std::string& text) {
  int depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' || text[i] == '[' ? 1 : text[i] == ')' || text[i] == ']' ? -1 : 0;
    const bool relation = text[i] == '<' || text[i] == '>' || text[i] == '=' || text[i] == '!';
    if (depth == 0 && relation) return i;
  }
  return std::string::npos;
}

// Returns what a comparison with a constant says about its left side, whatever that is: "rank(S) <=
// 4" about "rank(S)". The subject is empty for other conditions.
Range limit_of(const Expr& rule, std::string& subject) {
  const Scope nothing;
  const Range of_name = rule.limit(nothing, subject);
  if (!subject.empty()) return of_name;
  const std::string text = rule.to_string();
  const size_t at = relation_at(text);
  if (at == std::string::npos) return {};
  const size_t behind = text.find_first_not_of("<>=!", at);
  const std::string left = text.substr(0, at), right = text.substr(behind);
  const std::string relation = text.substr(at, behind - at);
  for (const bool constant_right : {true, false}) {
    const auto condition =
        Expr::parse_condition(constant_right ? fmt::format("X{}{}", relation, right)
                                             : fmt::format("{}{}X", left, relation),
                              rule.where());
    if (!condition.ok() || condition->names().size() != 1) continue;
    const Range limit = condition->limit(nothing, subject);
    if (subject != "X") continue;
    subject = constant_right ? left : right;
    while (!subject.empty() && subject.front() == ' ') subject.erase(0, 1);
    while (!subject.empty() && subject.back() == ' ') subject.pop_back();
    return limit;
  }
  subject.clear();
  return {};
}

// Tells whether `rule` follows from one of the parts: the same text, or a tighter limit on the same
// subject.
bool implied(const Expr& rule, const std::vector<Expr>& parts) {
  std::string subject, other;
  const Range limit = limit_of(rule, subject);
  return std::any_of(parts.begin(), parts.end(), [&](const Expr& part) {
    if (part.to_string() == rule.to_string()) return true;
    const Range tighter = limit_of(part, other);
    return !subject.empty() && other == subject && limit != Range{} &&
           tighter.meet(limit) == tighter;
  });
}

std::vector<Expr> parts_of(const OpContract& contract) {
  std::vector<Expr> parts;
  for (const Constraint& constraint : contract.where) {
    for (const Expr& part : constraint.rule.conjuncts()) parts.push_back(part);
  }
  return parts;
}

void compare_labels(const OpContract& before, const OpContract& after, Changes& changes) {
  std::map<std::string, std::string> labels;
  for (const Constraint& constraint : before.where)
    labels[constraint.rule.to_string()] = constraint.label;
  for (const Constraint& constraint : after.where) {
    const auto old = labels.find(constraint.rule.to_string());
    if (old != labels.end() && old->second != constraint.label)
      changes.patch(changed("constraint", old->second, constraint.label),
                    "messages name it differently");
  }
}

// Tells whether the node only runs for an optional input that `other` does not have.
bool only_for_new_input(const ReferenceNode& node, const OpContract& other) {
  if (!node.when) return false;
  const std::vector<Expr::Name>& names = node.when->names();
  return names.size() == 1 && node.when->to_string() == fmt::format("present({})", names[0].name) &&
         !other.input(names[0].name);
}

// Returns the reference with results numbered, so that names of intermediate tensors do not matter,
// and without the nodes that only run for inputs which `other` does not have.
std::string canonical_reference(const OpContract& contract, const OpContract& other) {
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

// Returns the spellings without names and places.
std::set<std::string> spellings_of(const OpContract& contract) {
  std::set<std::string> texts;
  for (const Spelling& spelling : contract.spellings) {
    std::string text;
    for (const auto& [name, value] : spelling.attrs) text += name + "=" + to_string(value) + "\n";
    for (const ReferenceNode& node : spelling.reference) text += node_text(node) + "\n";
    texts.insert(std::move(text));
  }
  return texts;
}

void compare_spellings(const OpContract& before, const OpContract& after, Changes& changes) {
  if (spellings_of(before) != spellings_of(after))
    changes.patch("the spellings changed", "the op takes other graphs that mean the same");
}

}  // namespace

void compare_constraints(const OpContract& before, const OpContract& after, Changes& changes) {
  const std::vector<Expr> old_parts = parts_of(before), new_parts = parts_of(after);
  for (const Constraint& constraint : after.where) {
    for (const Expr& part : constraint.rule.conjuncts()) {
      if (!implied(part, old_parts))
        changes.major(fmt::format("constraint {} demands {}", constraint.label, part.to_string()),
                      "shapes or attributes that were accepted are refused now");
    }
  }
  for (const Constraint& constraint : before.where) {
    for (const Expr& part : constraint.rule.conjuncts()) {
      if (!implied(part, new_parts))
        changes.minor(
            fmt::format("constraint {} no longer demands {}", constraint.label, part.to_string()),
            "more shapes or attributes are accepted");
    }
  }
  compare_labels(before, after, changes);
}

void compare_reference(const OpContract& before, const OpContract& after, Changes& changes) {
  compare_spellings(before, after, changes);
  if (canonical_reference(before, after) == canonical_reference(after, before)) {
    if (before.no_reference != after.no_reference)
      changes.patch("the reason for having no reference changed", "it is text");
    return;
  }
  if (before.reference.empty()) {
    changes.minor("a reference was added", "the op can be checked and fused now");
  } else {
    changes.major("the reference changed", "the op computes something else, or is fused elsewhere");
  }
}

}  // namespace opkit
