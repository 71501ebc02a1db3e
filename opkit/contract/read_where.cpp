// Numbered constraints.
#include <fmt/format.h>

#include "opkit/contract/reader.h"

namespace opkit {
namespace {

// C1, C2, ...: no leading zeros, so that one constraint has one spelling.
bool is_label(const std::string& text) {
  return text.size() >= 2 && text.size() <= 5 && text[0] == 'C' && text[1] != '0' &&
         text.find_first_not_of("0123456789", 1) == text.npos;
}

}  // namespace

void ContractReader::read_where(const Value& value) {
  if (value.is_list()) {
    for (size_t i = 0; i < value.items.size(); ++i)
      read_constraint(fmt::format("C{}", i + 1), value.items[i], value.items[i].where);
    return;
  }
  if (!value.is_map()) {
    return fail(value.where, "OPK-CONTRACT-001", "where must be a map or a list of constraints",
                "write e.g. C1: \"1 <= N <= 65536\"");
  }
  for (const Value::Entry& entry : value.entries) {
    if (!is_label(entry.key)) {
      fail(entry.where, "OPK-CONTRACT-018", fmt::format("'{}' is no constraint label", entry.key),
           "number constraints C1, C2, ...");
      continue;
    }
    read_constraint(entry.key, entry.value, entry.where);
  }
}

// "expression", or {rule: "expression", why: "reason"}.
void ContractReader::read_constraint(const std::string& label, const Value& value,
                                     const Location& where) {
  const Value* rule = &value;
  std::string why;
  if (value.is_map()) {
    if (!accept(value.check_keys("constraint " + label, {"rule", "why"}))) return;
    rule = value.find("rule");
    if (!rule) {
      return fail(where, "OPK-CONTRACT-019", fmt::format("constraint {} has no rule", label),
                  "add rule: \"expression\"");
    }
    if (const Value* reason = value.find("why");
        reason && !accept(reason->as_string(label + ".why"), why))
      return;
  }
  std::optional<Expr> expression;
  if (!read_condition_text(*rule, "constraint " + label, expression)) return;
  contract_.where.push_back({label, *std::move(expression), rule->text, why, where});
}

bool ContractReader::read_condition_text(const Value& value, const std::string& what,
                                         std::optional<Expr>& result) {
  std::string text;
  Location where;
  if (!read_expression_text(value, what, text, where)) return false;
  auto parsed = Expr::parse_condition(text, where);
  if (parsed.ok()) return result = std::move(parsed).value(), true;
  fail(std::move(parsed).error().with(what));
  return false;
}

}  // namespace opkit
