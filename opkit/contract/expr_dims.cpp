#include "opkit/contract/expr_dims.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/contract/expr_functions.h"

namespace opkit {
namespace {

Error lengths_differ(const ExprNode& node, std::string message) {
  return Error("OPK-EXPR-016", std::move(message),
               "give tile one number for each dim, pad two, slice lists of one length")
      .at(node.where);
}

Error too_large(const ExprNode& node) {
  return Error("OPK-EXPR-011",
               fmt::format("a dim of {} has no 64-bit size", name_of(node.function)),
               "use smaller numbers")
      .at(node.where);
}

// Returns a position in a dim of `size` elements, cut to [low, high].
int64_t position(int64_t at, int64_t size, int64_t low, int64_t high) {
  if (at < 0) at = at < -size ? -1 : at + size;
  return std::clamp(at, low, high);
}

// Returns how many elements `begin : end : step` takes. REQUIRES: step != 0 and size >= 0.
int64_t taken(int64_t begin, int64_t end, int64_t step, int64_t size) {
  if (size == 0) return 0;
  const bool forward = step > 0;
  const int64_t first = position(begin, size, 0, forward ? size : size - 1);
  const int64_t last = position(end, size, forward ? 0 : -1, forward ? size : size - 1);
  const int64_t distance = forward ? last - first : first - last;
  const int64_t stride = forward ? step : step == INT64_MIN ? INT64_MAX : -step;
  return distance <= 0 ? 0 : (distance - 1) / stride + 1;
}

}  // namespace

Result<std::vector<size_t>> axes_of(const ExprNode& node, const ListValue& list, size_t rank) {
  std::vector<size_t> axes;
  for (const Range& item : list.items) {
    const int64_t axis = item.lo < 0 ? item.lo + static_cast<int64_t>(rank) : item.lo;
    const bool fits = axis >= 0 && axis < static_cast<int64_t>(rank);
    if (!fits || std::count(axes.begin(), axes.end(), static_cast<size_t>(axis))) {
      return Error("OPK-EXPR-015",
                   fmt::format("axis {} is {} for a tensor of rank {}", item.lo,
                               fits ? "named twice" : "not valid", rank),
                   "name each axis once, from -rank to rank - 1")
          .at(node.where);
    }
    axes.push_back(static_cast<size_t>(axis));
  }
  return axes;
}

Result<ListValue> tiled_dims(const ExprNode& node, const ListValue& dims,
                             const ListValue& repeats) {
  if (dims.items.size() != repeats.items.size())
    return lengths_differ(node, fmt::format("{} repeats stand for a tensor of rank {}",
                                            repeats.items.size(), dims.items.size()));
  ListValue result{true, {}};
  for (size_t i = 0; i < dims.items.size(); ++i) {
    const auto dim = multiply(dims.items[i], repeats.items[i]);
    if (!dim) return too_large(node);
    result.items.push_back(*dim);
  }
  return result;
}

Result<ListValue> padded_dims(const ExprNode& node, const ListValue& dims, const ListValue& pads) {
  const size_t rank = dims.items.size();
  if (pads.items.size() != 2 * rank)
    return lengths_differ(
        node, fmt::format("{} pads stand for a tensor of rank {}", pads.items.size(), rank));
  ListValue result{true, {}};
  for (size_t i = 0; i < rank; ++i) {
    const auto before = add(dims.items[i], pads.items[i]);
    const auto both = before ? add(*before, pads.items[rank + i]) : std::nullopt;
    if (!both) return too_large(node);
    result.items.push_back(*both);
  }
  return result;
}

Result<ListValue> sliced_dims(const ExprNode& node, const std::vector<ListValue>& lists) {
  const ListValue &starts = lists[1], &ends = lists[2], &axes = lists[3], &steps = lists[4];
  const size_t count = starts.items.size();
  if (ends.items.size() != count || axes.items.size() != count || steps.items.size() != count)
    return lengths_differ(node,
                          fmt::format("there are {} starts, {} ends, {} axes and {} steps", count,
                                      ends.items.size(), axes.items.size(), steps.items.size()));
  if (!axes.is_known()) return ListValue{true, std::vector<Range>(lists[0].items.size())};
  OPKIT_TRY(const std::vector<size_t> places, axes_of(node, axes, lists[0].items.size()));
  ListValue result = lists[0];
  for (size_t i = 0; i < count; ++i) {
    Range& dim = result.items[places[i]];
    const Range &start = starts.items[i], &end = ends.items[i], &step = steps.items[i];
    if (step == Range::of(0))
      return Error("OPK-EXPR-011", "a slice with a step of 0 has no size", "use another step")
          .at(node.where);
    const bool known = dim.is_known() && start.is_known() && end.is_known() && step.is_known();
    dim = known && dim.lo >= 0 ? Range::of(taken(start.lo, end.lo, step.lo, dim.lo))
                               : Range{0, std::max<int64_t>(dim.hi, 0)};
  }
  return result;
}

}  // namespace opkit
