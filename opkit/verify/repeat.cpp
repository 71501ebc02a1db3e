#include "opkit/verify/repeat.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "opkit/oracle/compare_call.h"
#include "opkit/oracle/evaluate_bounded.h"
#include "opkit/verify/judgement.h"

namespace opkit::verify {
namespace {

constexpr const char* kDiffers = "OPK-VERIFY-021";

Result<Execution> run(Executor& executor, Invocation call, unsigned threads, uint64_t schedule) {
  call.threads = threads;
  call.schedule_seed = schedule;
  return executor.run(std::move(call));
}

std::string threads_text(unsigned threads) {
  return fmt::format("{} thread{}", threads, threads == 1 ? "" : "s");
}

// One block has no order: something else differs from run to run.
Error threads_differ(const std::string& output, unsigned threads, unsigned other, uint32_t blocks) {
  const std::string differs = fmt::format("output {} has other bits with {} than with {}: ", output,
                                          threads_text(threads), threads_text(other));
  if (blocks > 1)
    return Error(kDiffers, differs + "the kernel depends on the order in which blocks run",
                 "let blocks that share memory wait for each other, or add with atomics");
  return Error(kDiffers,
               differs +
                   "with one block, the kernel depends on what lay in memory before, or on "
                   "earlier calls",
               "initialise everything that the kernel reads");
}

std::string differing_part(const TilingPlan& a, const TilingPlan& b) {
  if (a.block_dim != b.block_dim)
    return fmt::format("block dims {} and {}", a.block_dim, b.block_dim);
  if (a.key != b.key) return fmt::format("tiling keys {} and {}", a.key, b.key);
  if (a.data.size() != b.data.size())
    return fmt::format("{} and {} bytes of tiling data", a.data.size(), b.data.size());
  const auto [at, other] = std::mismatch(a.data.begin(), a.data.end(), b.data.begin());
  if (at != a.data.end())
    return fmt::format("tiling data that differ at byte {}", at - a.data.begin());
  if (a.workspaces != b.workspaces) return "other sizes of workspaces";
  return {};
}

}  // namespace

// More threads than the host has cores are worth a try: they interleave differently.
unsigned other_threads(unsigned threads, uint64_t seed) {
  constexpr std::array<unsigned, 5> kThreads{2, 1, 3, 4, 7};
  const unsigned chosen = kThreads[seed % kThreads.size()];
  return chosen != threads ? chosen : threads == 1 ? 2 : 1;
}

std::optional<Error> differing_plans(const CallPlan& first, const CallPlan& again) {
  const std::string part = differing_part(first.tiling, again.tiling);
  if (part.empty()) return std::nullopt;
  return Error(kDiffers,
               fmt::format("the tiling function gave {} for one call, asked twice: the op depends "
                           "on earlier calls",
                           part),
               "compute the tiling from the call alone, and initialise every member of its struct");
}

std::string differing_output(const OpContract& contract, const Execution& a, const Execution& b) {
  for (size_t p = 0; p < a.outputs.size() && p < b.outputs.size(); ++p) {
    for (size_t i = 0; i < a.outputs[p].size() && i < b.outputs[p].size(); ++i) {
      if (!oracle::same_bytes(a.outputs[p][i], b.outputs[p][i]))
        return tensor_name(contract.outputs[p], i);
    }
  }
  return {};
}

std::optional<Error> repeat_alike(Executor& executor, const Invocation& call,
                                  const Execution& first) {
  for (int again = 0; again < 2; ++again) {
    const auto same = run(executor, call, call.threads, 0);
    const std::string output =
        same.ok() ? differing_output(*call.contract, first, *same) : std::string();
    if (same.ok() && output.empty()) continue;
    const std::string what = same.ok()
                                 ? fmt::format("output {} of a second run has other bits", output)
                                 : "a second run failed (" + same.error().message + ")";
    return Error(kDiffers,
                 fmt::format("{}, with the same {}, too: the kernel depends on earlier calls", what,
                             threads_text(call.threads)),
                 "initialise everything that the kernel reads");
  }
  return std::nullopt;
}

std::optional<Error> repeat_with_threads(Executor& executor, const Invocation& call,
                                         const Execution& first, uint64_t seed) {
  const unsigned other = other_threads(call.threads, seed);
  const auto second = run(executor, call, other, 0);
  if (!second.ok()) {
    Error error = second.error();
    error.message = fmt::format("a second run of the same call (with {}) failed: {}",
                                threads_text(other), error.message);
    return error;
  }
  const std::string output = differing_output(*call.contract, first, *second);
  if (output.empty()) return std::nullopt;
  if (auto differs = repeat_alike(executor, call, first)) return differs;
  return threads_differ(output, other, call.threads, first.block_dim);
}

std::optional<Error> repeat_with_schedules(Executor& executor, const Invocation& call,
                                           const Execution& first, uint64_t seed, int schedules) {
  constexpr uint64_t kByChance = 1000;
  for (int i = 0; i < schedules; ++i) {
    const uint64_t schedule = i == 0 ? 1 : 2 + (seed + static_cast<uint64_t>(i) - 1) % kByChance;
    const auto other = run(executor, call, 1, schedule);
    if (!other.ok()) {
      Error error = other.error();
      error.message =
          fmt::format("under schedule seed {} the call failed: {}", schedule, error.message);
      return error;
    }
    const std::string output = differing_output(*call.contract, first, *other);
    if (output.empty()) continue;
    return Error(kDiffers,
                 fmt::format("output {} has other bits under schedule seed {} ({}) than in program "
                             "order: an order that the kernel needs is not enforced",
                             output, schedule,
                             schedule == 1 ? "everything as late as flags and queues allow"
                                           : "moments by chance"),
                 "set the flag, queue or barrier between the two instructions");
  }
  return std::nullopt;
}

}  // namespace opkit::verify
