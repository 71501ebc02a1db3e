#include "opkit/rewrite/match/conditions.h"

#include <algorithm>
#include <map>
#include <optional>

namespace opkit::match {
namespace {

// What a condition "kind == 'relu'" compares.
struct TextChoice {
  const Attr* attr;
  AttrValue value;
};

std::optional<TextChoice> text_choice_of(const ReferenceNode& node, const OpContract& contract) {
  constexpr std::string_view kEqual = " == '";
  const std::string text = node.when->to_string();
  const size_t at = text.find(kEqual);
  if (at == std::string::npos || !text.ends_with('\'')) return std::nullopt;
  const Attr* attr = contract.attr(text.substr(0, at));
  const size_t begin = at + kEqual.size();
  std::string value = text.substr(begin, text.size() - begin - 1);
  if (attr == nullptr || attr->type != AttrType::kString || value.find('\'') != std::string::npos)
    return std::nullopt;
  return TextChoice{attr, std::move(value)};
}

// Says what an attribute is, or what it is not.
bool decide_texts(const std::vector<Condition>& conditions, const OpContract& contract,
                  AttrValues& decided) {
  std::map<const Attr*, std::vector<AttrValue>> left;  // holds what each enum may still be
  for (const auto& [node, holds] : conditions) {
    const auto choice = text_choice_of(*node, contract);
    if (!choice) continue;
    if (holds) {
      const auto place = decided.emplace(choice->attr->name, choice->value).first;
      if (place->second != choice->value) return false;
    } else if (!choice->attr->allowed.empty()) {
      std::erase(left.emplace(choice->attr, choice->attr->allowed).first->second, choice->value);
    }
  }
  for (const auto& [attr, values] : left) {
    if (values.size() == 1) decided.emplace(attr->name, values.front());
    const auto known = decided.find(attr->name);
    if (known != decided.end() &&
        std::find(values.begin(), values.end(), known->second) == values.end())
      return false;
  }
  return true;
}

// A condition that is the name of a bool attribute says what the attribute is.
void decide_bool(const ReferenceNode& node, bool runs, const OpContract& contract,
                 AttrValues& decided) {
  const std::string text = node.when->to_string();
  const bool negated = text.starts_with("not ");
  const Attr* attr = contract.attr(negated ? text.substr(4) : text);
  if (attr && attr->type == AttrType::kBool) decided.emplace(attr->name, runs != negated);
}

}  // namespace

bool decide_attributes(const std::vector<Condition>& conditions, const OpContract& contract,
                       AttrValues& decided) {
  for (const auto& [node, holds] : conditions) decide_bool(*node, holds, contract, decided);
  return decide_texts(conditions, contract, decided);
}

}  // namespace opkit::match
