#include "opkit/rewrite/passes/new_nodes.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/rewrite/passes/edit.h"

namespace opkit::passes {
namespace {

using Names = std::vector<std::string>;
using Integers = std::vector<int64_t>;

// More parts are taken apart and joined by groups: the shipped Split and Concat have so many.
constexpr int64_t kMostParts = 32;

}  // namespace

std::string NewNodes::add(const std::string& op_type, Names inputs, const std::string& what,
                          std::map<std::string, graph::Attribute> attributes) {
  parts_.push_back(
      add_node(graph_, op_type, std::move(inputs), stem_ + what, std::move(attributes)));
  return parts_.back();
}

void NewNodes::define(const std::string& result, const std::string& op_type, Names inputs,
                      std::map<std::string, graph::Attribute> attributes) {
  graph_.nodes.push_back({op_type, std::move(inputs), {result}, std::move(attributes)});
  parts_.push_back(result);
}

std::string NewNodes::add_constant(const std::string& what, graph::RefTensor tensor) {
  return passes::add_constant(graph_, stem_ + what, std::move(tensor));
}

std::string NewNodes::view(const std::string& from, const std::string& what, const Integers& dims) {
  return add_reshape(graph_, from, stem_ + what, dims);
}

void NewNodes::define_view(const std::string& result, const std::string& from,
                           const Integers& dims) {
  define_reshape(graph_, from, result, dims);
}

Names NewNodes::split_at_once(const std::string& from, const std::string& what, int64_t axis,
                              const Integers& sizes) {
  const std::string operand = add_constant(what + "/sizes", whole_numbers(sizes));
  Names made;
  for (size_t i = 0; i < sizes.size(); ++i)
    made.push_back(fresh_name(graph_, fmt::format("{}{}/{}", stem_, what, i)));
  graph_.nodes.push_back({"Split", {from, operand}, made, {{"axis", axis}}});
  parts_.push_back(made[0]);
  return made;
}

Names NewNodes::split(const std::string& from, const std::string& what, int64_t axis, int64_t count,
                      int64_t each) {
  if (count == 1) return {from};
  if (count <= kMostParts)
    return split_at_once(from, what, axis, Integers(static_cast<size_t>(count), each));
  Integers counts, sizes;
  for (int64_t left = count; left > 0; left -= kMostParts) {
    counts.push_back(std::min(left, kMostParts));
    sizes.push_back(counts.back() * each);
  }
  const Names groups = split_at_once(from, what, axis, sizes);
  Names all;
  for (size_t g = 0; g < groups.size(); ++g) {
    const Names parts = split(groups[g], fmt::format("{}/{}", what, g), axis, counts[g], each);
    all.insert(all.end(), parts.begin(), parts.end());
  }
  return all;
}

std::string NewNodes::join(const Names& parts, const std::string& what, int64_t axis) {
  if (parts.size() == 1) return parts[0];
  const auto most = static_cast<size_t>(kMostParts);
  if (parts.size() <= most) return add("Concat", parts, what, {{"axis", axis}});
  Names groups;
  for (size_t begin = 0; begin < parts.size(); begin += most) {
    const size_t end = std::min(begin + most, parts.size());
    const auto at = parts.begin();
    groups.push_back(join(Names(at + static_cast<int64_t>(begin), at + static_cast<int64_t>(end)),
                          fmt::format("{}/{}", what, groups.size()), axis));
  }
  return join(groups, what, axis);
}

}  // namespace opkit::passes
