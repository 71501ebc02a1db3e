#include "opkit/verify/problem/attr_values.h"

#include <algorithm>
#include <cmath>

#include "opkit/verify/problem/list_values.h"

namespace opkit::verify {
namespace {

void offer(const Attr& attr, std::string label, AttrValue value, std::vector<AttrChoice>& choices) {
  if (!attr.check(value).ok()) return;
  for (const AttrChoice& choice : choices) {
    if (choice.value == value) return;
  }
  choices.push_back({std::move(label), std::move(value)});
}

// Ends of a range are tried even when they are open: check() sorts them out.
void offer_floats(const Attr& attr, std::vector<AttrChoice>& choices) {
  if (attr.range) {
    offer(attr, "min", attr.range->lo, choices);
    offer(attr, "max", attr.range->hi, choices);
    offer(attr, "middle", attr.range->lo / 2 + attr.range->hi / 2, choices);
  }
  offer(attr, "zero", 0.0, choices);
  offer(attr, "one", 1.0, choices);
  offer(attr, "negative", -0.75, choices);
  offer(attr, "fraction", 0.3, choices);
  offer(attr, "large", 2.5, choices);
}

void offer_integers(const Attr& attr, std::vector<AttrChoice>& choices) {
  constexpr double kFar = 1e6;
  if (attr.range) {
    if (std::abs(attr.range->lo) < kFar)
      offer(attr, "min", static_cast<int64_t>(std::ceil(attr.range->lo)), choices);
    if (std::abs(attr.range->hi) < kFar)
      offer(attr, "max", static_cast<int64_t>(std::floor(attr.range->hi)), choices);
  }
  offer(attr, "zero", int64_t{0}, choices);
  offer(attr, "one", int64_t{1}, choices);
  offer(attr, "negative", int64_t{-1}, choices);
  offer(attr, "two", int64_t{2}, choices);
}

// Returns the declaration of one element of a list.
Attr element_of(const Attr& list) {
  Attr element;
  element.name = list.name;
  element.type = element_type(list.type);
  element.range = list.range;
  element.allowed = list.allowed;
  return element;
}

bool bounded(const Attr& attr) { return attr.range.has_value(); }

}  // namespace

std::vector<AttrChoice> attr_choices(const Attr& attr) {
  std::vector<AttrChoice> choices;
  if (attr.default_value) choices.push_back({"default", *attr.default_value});
  if (is_list(attr.type)) {
    for (AttrChoice& choice : list_choices(attr, attr_choices(element_of(attr))))
      offer(attr, std::move(choice.label), std::move(choice.value), choices);
    return choices;
  }
  for (const AttrValue& value : attr.allowed) offer(attr, to_string(value), value, choices);
  if (attr.type == AttrType::kBool) {
    offer(attr, "false", false, choices);
    offer(attr, "true", true, choices);
  }
  if (attr.type == AttrType::kFloat) offer_floats(attr, choices);
  if (attr.type == AttrType::kInt) offer_integers(attr, choices);
  return choices;
}

AttrValue random_attr(const Attr& attr, Draws& draws) {
  std::vector<AttrChoice> choices = attr_choices(attr);
  if (attr.type == AttrType::kFloat && attr.allowed.empty() && draws.chance(0.5)) {
    double lo = bounded(attr) ? attr.range->lo : -4, hi = bounded(attr) ? attr.range->hi : 4;
    if (draws.chance(0.75)) lo = std::max(lo, -4.0), hi = std::min(hi, 4.0);
    // Few digits, so that the problem's line stays readable.
    const double value = std::round((lo + (hi - lo) * draws.unit()) * 1024) / 1024;
    if (attr.check(value).ok()) return value;
  }
  if (is_list(attr.type) && draws.chance(0.6)) {
    const std::vector<AttrChoice> elements = attr_choices(element_of(attr));
    for (int attempt = 0; attempt < 16; ++attempt) {
      AttrValue value = random_list(attr, elements, draws);
      if (attr.check(value).ok()) return value;
    }
  }
  if (choices.empty()) return attr.default_value.value_or(AttrValue{});
  return draws.pick(choices).value;
}

}  // namespace opkit::verify
