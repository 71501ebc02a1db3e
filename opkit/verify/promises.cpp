#include "opkit/verify/promises.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/call/infer/infer.h"

namespace opkit::verify {
namespace {

std::optional<Error> unlisted_key(const OpContract& contract, uint64_t key) {
  if (!contract.kernel || contract.kernel->tiling_keys.empty()) return std::nullopt;
  const std::vector<int64_t>& keys = contract.kernel->tiling_keys;
  if (std::count(keys.begin(), keys.end(), static_cast<int64_t>(key)) > 0) return std::nullopt;
  return Error("OPK-VERIFY-026",
               fmt::format("tiling chose key {}, which the contract does not list ({})", key,
                           fmt::join(keys, ", ")),
               "");
}

std::optional<Error> other_tensors(const Port& port, DType dtype, const std::vector<Tensor>& got,
                                   const std::vector<Shape>& promised) {
  if (got.size() != promised.size())
    return Error("",
                 fmt::format("output {} has {} tensors, {} were promised", port.name, got.size(),
                             promised.size()),
                 "");
  for (size_t i = 0; i < promised.size(); ++i) {
    const bool open = !promised[i].has_rank() || !promised[i].is_static();
    if (got[i].dtype() == dtype && (open || got[i].shape() == promised[i])) continue;
    return Error("",
                 fmt::format("output {} is {} {}, but the contract promises {} {}", port.name,
                             name_of(got[i].dtype()), got[i].shape().to_string(), name_of(dtype),
                             promised[i].to_string()),
                 "");
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> broken_promise(const OpContract& contract, const Problem& problem,
                                    const Execution& execution) {
  if (execution.column != problem.column)
    return Error(
        "",
        fmt::format("bound to column {} in place of {}", contract.column_name(execution.column),
                    contract.column_name(problem.column)),
        "");
  if (auto unlisted = unlisted_key(contract, execution.tiling_key)) return unlisted;
  auto shapes = shapes_from_symbols(contract, problem.symbols, problem.attrs);
  if (!shapes.ok()) return Error("", shapes.error().to_string(), "");
  for (size_t p = 0; p < contract.outputs.size(); ++p) {
    const Port& port = contract.outputs[p];
    if (auto other = other_tensors(port, port.dtypes[problem.column], execution.outputs[p],
                                   shapes->outputs[p]))
      return other;
  }
  return std::nullopt;
}

}  // namespace opkit::verify
