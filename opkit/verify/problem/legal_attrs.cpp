#include "opkit/verify/problem/legal_attrs.h"

#include <algorithm>

#include "opkit/verify/problem/attr_values.h"

namespace opkit::verify {
namespace {

constexpr int kTries = 64;

struct Free {
  const Attr* attr;
  std::vector<AttrValue> values;
};

// Returns what the cases of the contract give, then the choices that some symbols may go with.
std::vector<AttrValue> values_of(const Domain& domain, const Attr& attr, const AttrValues& fixed) {
  std::vector<AttrValue> values;
  for (const Case& one : domain.contract().tests) {
    const auto given = one.attrs.find(attr.name);
    if (given != one.attrs.end()) values.push_back(given->second);
  }
  for (const AttrChoice& choice : attr_choices(attr)) {
    AttrValues known = fixed;
    known[attr.name] = choice.value;
    if (domain.possible(known)) values.push_back(choice.value);
  }
  return values;
}

// Returns one value for each free attribute: at first the usual ones, then more and more by chance.
AttrValue draw(const Free& free, int attempt, Draws& draws) {
  const bool usual = attempt == 0 || (free.attr->default_value && draws.chance(0.5));
  if (usual && free.attr->default_value) return *free.attr->default_value;
  if (free.values.empty()) return free.attr->default_value.value_or(random_attr(*free.attr, draws));
  return attempt == 0 ? free.values.front() : draws.pick(free.values);
}

}  // namespace

std::optional<AttrValues> legal_attrs(const Domain& domain, const AttrValues& fixed, Draws& draws) {
  std::vector<Free> frees;
  for (const Attr& attr : domain.contract().attrs) {
    if (fixed.count(attr.name) == 0) frees.push_back({&attr, values_of(domain, attr, fixed)});
  }
  for (int attempt = 0; attempt < (frees.empty() ? 1 : kTries); ++attempt) {
    AttrValues attrs = fixed;
    for (const Free& free : frees) attrs[free.attr->name] = draw(free, attempt, draws);
    if (domain.possible(attrs) && domain.solve({}, {}, attrs, draws)) return attrs;
  }
  return std::nullopt;
}

AttrValues usual_attrs(const Domain& domain, Draws& draws) {
  if (auto attrs = legal_attrs(domain, {}, draws)) return *std::move(attrs);
  AttrValues attrs;
  for (const Attr& attr : domain.contract().attrs)
    attrs[attr.name] = attr.default_value ? *attr.default_value : random_attr(attr, draws);
  return attrs;
}

}  // namespace opkit::verify
