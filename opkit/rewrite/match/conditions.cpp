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
bool decide_texts(const std::vector<Condition>& conditions, Pattern& pattern) {
  std::map<const Attr*, std::vector<AttrValue>> left;  // of an enum
  for (const auto& [node, holds] : conditions) {
    const auto choice = text_choice_of(*node, *pattern.contract);
    if (!choice) continue;
    if (holds) {
      const auto place = pattern.decided.emplace(choice->attr->name, choice->value).first;
      if (place->second != choice->value) return false;
    } else if (!choice->attr->allowed.empty()) {
      std::erase(left.emplace(choice->attr, choice->attr->allowed).first->second, choice->value);
    }
  }
  for (const auto& [attr, values] : left) {
    if (values.size() == 1) pattern.decided.emplace(attr->name, values.front());
    const auto decided = pattern.decided.find(attr->name);
    if (decided != pattern.decided.end() &&
        std::find(values.begin(), values.end(), decided->second) == values.end())
      return false;
  }
  return true;
}

// A condition that is the name of a bool attribute says what the attribute is.
void decide_bool(const ReferenceNode& node, bool runs, Pattern& pattern) {
  const std::string text = node.when->to_string();
  const bool negated = text.starts_with("not ");
  const Attr* attr = pattern.contract->attr(negated ? text.substr(4) : text);
  if (attr && attr->type == AttrType::kBool) pattern.decided.emplace(attr->name, runs != negated);
}

}  // namespace

bool decide_attributes(const std::vector<Condition>& conditions, Pattern& pattern) {
  for (const auto& [node, holds] : conditions) decide_bool(*node, holds, pattern);
  return decide_texts(conditions, pattern);
}

}  // namespace opkit::match
