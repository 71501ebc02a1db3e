#include "opkit/contract/sample_calls.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "opkit/contract/scope.h"

namespace opkit {
namespace {

constexpr size_t kMostMade = 4;

// How dims are chosen: `first`, then each further symbol `step` more.
struct Style {
  int64_t first, step;
};
constexpr Style kStyles[] = {{3, 2}, {2, 0}, {4, 4}, {16, 16}, {8, 0}, {1, 0}, {64, 64}, {6, 1}};

class Maker {
 public:
  Maker(const OpContract& contract, Style style)
      : contract_(contract), next_(style.first), step_(style.step) {}

  SymbolValues make(bool optional_present) {
    SymbolValues values;
    for (const Port& port : contract_.inputs) {
      if (port.presence == Presence::kOptional && !optional_present)
        values.absent.insert(port.name);
      if (port.presence == Presence::kDynamic) values.counts[port.name] = 2;
    }
    for (const Symbol& symbol : contract_.symbols) {
      if (symbol.kind == Symbol::Kind::kDim) values.dims[symbol.name] = dim(symbol.bounds);
      if (symbol.kind != Symbol::Kind::kDim)
        values.lists[symbol.name] = {dim(symbol.bounds), dim(symbol.bounds)};
    }
    return values;
  }

 private:
  int64_t dim(const Range& bounds) {
    const int64_t value = std::clamp(next_, bounds.lo, std::max(bounds.lo, bounds.hi));
    next_ += step_;
    return value;
  }

  const OpContract& contract_;
  int64_t next_, step_;
};

// Required attributes without a default take their first legal value; nothing when none is obvious.
std::optional<AttrValues> plain_attrs(const OpContract& contract) {
  AttrValues values;
  for (const Attr& attr : contract.attrs) {
    if (!attr.required()) continue;
    if (is_list(attr.type) || attr.type == AttrType::kString) {
      if (attr.allowed.empty() || is_list(attr.type)) return std::nullopt;
    }
    if (!attr.allowed.empty()) {
      values[attr.name] = attr.allowed[0];
    } else if (attr.type == AttrType::kBool) {
      values[attr.name] = false;
    } else {
      double number = 1;
      if (attr.range && !attr.range->contains(number)) number = std::ceil(attr.range->lo);
      if (attr.type == AttrType::kInt) values[attr.name] = static_cast<int64_t>(number);
      if (attr.type == AttrType::kFloat) values[attr.name] = number;
    }
  }
  auto complete = contract.complete(values);
  if (!complete.ok()) return std::nullopt;
  return std::move(complete).value();
}

bool accepted(const OpContract& contract, const SampleCall& call) {
  const Scope scope = scope_of(contract, call.symbols, call.attrs);
  return check_constraints(contract, scope).ok();
}

void add_cases(const OpContract& contract, const std::vector<Case>& cases,
               std::vector<SampleCall>& calls) {
  for (const Case& one : cases) {
    auto attrs = contract.complete(one.attrs);
    if (attrs.ok()) calls.push_back({one.symbols, std::move(attrs).value(), one.where});
  }
}

}  // namespace

std::vector<SampleCall> sample_calls(const OpContract& contract) {
  std::vector<SampleCall> calls;
  add_cases(contract, contract.tests, calls);
  const auto attrs = plain_attrs(contract);
  size_t made = 0;
  for (const Style& style : kStyles) {
    for (const bool present : {true, false}) {
      if (!attrs || made == kMostMade) return calls;
      SampleCall call{Maker(contract, style).make(present), *attrs, {}};
      if (!present && call.symbols.absent.empty()) continue;
      if (!accepted(contract, call)) continue;
      calls.push_back(std::move(call));
      ++made;
    }
  }
  return calls;
}

std::string to_string(const SampleCall& call) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : call.symbols.dims)
    parts.push_back(fmt::format("{}={}", name, value));
  for (const auto& [name, list] : call.symbols.lists)
    parts.push_back(fmt::format("{}=[{}]", name, fmt::join(list, ", ")));
  for (const auto& [name, value] : call.attrs) parts.push_back(name + "=" + to_string(value));
  for (const std::string& name : call.symbols.absent) parts.push_back("no " + name);
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace opkit
