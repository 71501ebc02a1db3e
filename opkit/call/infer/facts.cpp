#include "opkit/call/infer/facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "opkit/base/suggest.h"

namespace opkit {
namespace {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

Error bad_facts(std::string_view text, const std::string& why) {
  return Error("OPK-INFER-020", fmt::format("'{}' does not describe a tensor: {}", text, why),
               "write e.g. \"x: float16 [32, 1..64, ?] ND\"");
}

std::optional<int64_t> parse_dim(std::string_view word) {
  int64_t value = 0;
  const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (code != std::errc() || stop != word.data() + word.size() || value < 0) return std::nullopt;
  return value;
}

std::optional<Range> parse_range(std::string_view word) {
  if (word == "?" || word == "-1") return Range::any_dim();
  const size_t dots = word.find("..");
  if (dots == word.npos) {
    const auto value = parse_dim(word);
    return value ? std::optional(Range::of(*value)) : std::nullopt;
  }
  Range range = Range::any_dim();
  const std::string_view low = word.substr(0, dots), high = word.substr(dots + 2);
  if (!low.empty()) {
    const auto value = parse_dim(low);
    if (!value) return std::nullopt;
    range.lo = *value;
  }
  if (!high.empty()) {
    const auto value = parse_dim(high);
    if (!value) return std::nullopt;
    range.hi = *value;
  }
  if (range.is_empty()) return std::nullopt;
  return range;
}

Status parse_dims(std::string_view text, std::string_view inside, TensorFacts& facts) {
  inside = trimmed(inside);
  if (inside == "..." || inside == "-2") {
    facts.desc.shape = Shape::unknown_rank();
    return {};
  }
  while (!inside.empty()) {
    const size_t comma = std::min(inside.find(','), inside.size());
    const auto range = parse_range(trimmed(inside.substr(0, comma)));
    if (!range) return bad_facts(text, "a dim is a number, a range such as 1..64, or ?");
    facts.desc.shape.dims().push_back(range->is_known() ? range->lo : kUnknownDim);
    facts.ranges.push_back(*range);
    if (comma == inside.size()) break;
    inside.remove_prefix(comma + 1);
    if (trimmed(inside).empty()) return bad_facts(text, "a dim is missing after the last comma");
  }
  return {};
}

// Returns how many tensors a dynamic port may take from what is left.
size_t share_of(const OpContract& contract, size_t port, size_t left) {
  if (contract.inputs[port].presence != Presence::kDynamic) return left > 0 ? 1 : 0;
  const size_t behind = contract.inputs.size() - port - 1;
  return left > behind ? left - behind : 0;
}

}  // namespace

Range TensorFacts::dim(size_t i) const {
  const int64_t value = desc.shape[i];
  if (value >= 0) return Range::of(value);
  return i < ranges.size() ? ranges[i].meet(Range::any_dim()) : Range::any_dim();
}

std::string TensorFacts::to_string() const {
  const std::string prefix = desc.name.empty() ? "" : desc.name + ": ";
  std::vector<std::string> dims;
  for (size_t i = 0; desc.shape.has_rank() && i < desc.shape.rank(); ++i) {
    const Range range = dim(i);
    dims.push_back(range == Range::any_dim() ? "?" : range.to_string());
  }
  const std::string shape =
      desc.shape.has_rank() ? fmt::format("{}", fmt::join(dims, ", ")) : "...";
  return fmt::format("{}{} [{}] {}", prefix, name_of(desc.dtype), shape, name_of(desc.format));
}

Result<TensorFacts> TensorFacts::parse(std::string_view text) {
  TensorFacts facts;
  const size_t open = text.find('['), close = text.rfind(']');
  if (open == text.npos || close == text.npos || close < open)
    return bad_facts(text, "it has no shape in brackets");
  std::string_view head = trimmed(text.substr(0, open));
  if (const size_t colon = head.find(':'); colon != head.npos) {
    facts.desc.name = std::string(trimmed(head.substr(0, colon)));
    head = trimmed(head.substr(colon + 1));
  }
  const auto dtype = dtype_from_name(head);
  if (!dtype) return bad_facts(text, fmt::format("'{}' is no dtype", head));
  facts.desc.dtype = *dtype;
  OPKIT_CHECK(parse_dims(text, text.substr(open + 1, close - open - 1), facts));
  const std::string_view tail = trimmed(text.substr(close + 1));
  if (tail.empty()) return facts;
  const auto format = format_from_name(tail);
  if (!format) return bad_facts(text, fmt::format("'{}' is no format", tail));
  facts.desc.format = *format;
  return facts;
}

Result<std::vector<PortFacts>> arrange_inputs(const OpContract& contract,
                                              std::span<const TensorFacts> tensors) {
  std::vector<PortFacts> ports(contract.inputs.size());
  size_t next = 0;
  for (size_t i = 0; i < ports.size(); ++i) {
    const size_t share = share_of(contract, i, tensors.size() - next);
    for (size_t k = 0; k < share; ++k, ++next) {
      if (tensors[next].desc.dtype != DType::kUndefined) ports[i].push_back(tensors[next]);
    }
  }
  if (next == tensors.size()) return ports;
  return contract.error(
      "OPK-INFER-001",
      fmt::format("{} inputs are given, the op has {}", tensors.size(), contract.inputs.size()),
      "leave out the last ones");
}

Result<std::vector<PortFacts>> arrange_inputs(const OpContract& contract,
                                              std::span<const TensorDesc> tensors) {
  std::vector<TensorFacts> facts;
  for (const TensorDesc& desc : tensors) facts.push_back({desc, {}, std::nullopt});
  return arrange_inputs(contract, std::span<const TensorFacts>(facts));
}

}  // namespace opkit
