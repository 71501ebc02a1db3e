#include "opkit/oracle/compare_call.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace opkit::oracle {
namespace {

using Ports = std::vector<std::vector<Tensor>>;

// Limits the elements of all values of a reference that is evaluated at once; each element takes
// some fifty bytes.
constexpr int64_t kMostAtOnce = int64_t{1} << 23;
constexpr int64_t kPart = int64_t{1} << 20;  // elements of a tensor in a part

int64_t elements_of(const LoweredReference& lowered) {
  int64_t total = 0;
  for (const auto& [name, value] : lowered.graph.values) {
    if (!value.shape || !value.shape->has_rank() || !value.shape->is_static()) continue;
    const auto elements = value.shape->checked_elements();
    total = std::min(total + std::min(elements.ok() ? *elements : kMostAtOnce, kMostAtOnce),
                     2 * kMostAtOnce);
  }
  return total;
}

Result<std::vector<Comparison>> compare_whole(const OracleCall& call,
                                              const LoweredReference& lowered,
                                              const Ports& outputs) {
  OPKIT_TRY(const auto expected, evaluate_lowered(call, lowered));
  std::vector<Comparison> all;
  for (size_t p = 0; p < outputs.size(); ++p) {
    for (size_t t = 0; t < outputs[p].size(); ++t) {
      const reference::RefTensor* value = t < expected[p].size() ? &expected[p][t].value : nullptr;
      if (auto other = computes_another(call.contract->outputs[p], outputs[p][t],
                                        value ? value->dtype : DType::kUndefined,
                                        value ? &value->shape : nullptr))
        return std::move(*other);
      all.push_back(
          compare(*call.contract, call.column, outputs[p][t], expected[p][t], *call.inputs));
      all.back().port = p;
    }
  }
  return all;
}

Result<std::vector<Comparison>> compare_parts(const OracleInParts& oracle, const OracleCall& call,
                                              const Ports& outputs) {
  OPKIT_CHECK(check_computed(oracle, *call.contract, outputs));
  std::vector<OutputComparer> comparers;
  for (const std::vector<Tensor>& port : outputs) {
    for (const Tensor& tensor : port)
      comparers.emplace_back(*call.contract, call.column, tensor, *call.inputs);
  }
  for (int64_t part = 0; part < oracle.parts(); ++part) {
    OPKIT_TRY(const auto expected, oracle.evaluate(*call.inputs, part));
    size_t next = 0;
    for (size_t p = 0; p < outputs.size(); ++p) {
      for (size_t t = 0; t < outputs[p].size(); ++t)
        comparers[next++].take(expected[p][t], oracle.section(p, t, part));
    }
  }
  std::vector<Comparison> all;
  for (size_t p = 0; p < outputs.size(); ++p) {
    for (size_t t = 0; t < outputs[p].size(); ++t) {
      all.push_back(comparers[all.size()].finish());
      all.back().port = p;
    }
  }
  return all;
}

}  // namespace

Status check_computed(const OracleInParts& oracle, const OpContract& contract,
                      const Ports& outputs) {
  for (size_t p = 0; p < outputs.size(); ++p) {
    for (size_t t = 0; t < outputs[p].size(); ++t) {
      const bool there = t < oracle.tensors(p);
      const graph::ValueInfo* value = there ? &oracle.value(p, t) : nullptr;
      if (auto other = computes_another(contract.outputs[p], outputs[p][t],
                                        there ? value->dtype : DType::kUndefined,
                                        there && value->shape ? &*value->shape : nullptr))
        return std::move(*other);
    }
  }
  return {};
}

bool same_bytes(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         (a.size_bytes() == 0 || std::memcmp(a.data(), b.data(), a.size_bytes()) == 0);
}

std::optional<Error> computes_another(const Port& output, const Tensor& got, DType dtype,
                                      const Shape* shape) {
  if (shape != nullptr && *shape == got.shape() && dtype == got.dtype()) return std::nullopt;
  const std::string computed = shape == nullptr
                                   ? std::string("nothing")
                                   : fmt::format("{} {}", name_of(dtype), shape->to_string());
  return Error(kComputesAnother,
               fmt::format("output {} is {} {}, its reference computes {}: correct the one or the "
                           "other",
                           output.name, name_of(got.dtype()), got.shape().to_string(), computed),
               "");
}

Result<std::vector<Comparison>> compare_call(const OracleCall& call, const Ports& outputs) {
  OPKIT_CHECK(check_judged(*call.contract));
  OPKIT_TRY(const LoweredReference lowered, lowered_call(call));
  if (elements_of(lowered) <= kMostAtOnce) return compare_whole(call, lowered, outputs);
  const auto parts = OracleInParts::of(call, kPart);
  if (parts.ok()) return compare_parts(*parts, call, outputs);
  if (parts.error().code == kNeedsWhole) return compare_whole(call, lowered, outputs);
  return parts.error();
}

}  // namespace opkit::oracle
