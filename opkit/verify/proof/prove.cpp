#include "opkit/verify/proof/prove.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "opkit/call/plan/aicpu.h"
#include "opkit/call/plan/placed_call.h"
#include "opkit/contract/scope.h"
#include "opkit/soc/soc_spec.h"
#include "opkit/verify/problem_inputs.h"
#include "opkit/verify/proof/largest_tile.h"

namespace opkit::verify {
namespace {

std::string name_of(const core::CoverWriter& writer) {
  if (writer.lane == 0) return fmt::format("block {}", writer.block);
  return fmt::format("vector core {} of block {}", writer.lane - 1, writer.block);
}

// "elements 32 to 63, from [1, 0] on", of the model's author, for a part of what is stored.
std::string part_of(const StorageLayout& layout, uint64_t begin, uint64_t end) {
  const auto bits = static_cast<uint64_t>(std::max(bits_of(layout.dtype()), 1));
  const auto first_place = static_cast<int64_t>(begin * 8 / bits);
  const auto end_place = static_cast<int64_t>((end * 8 + bits - 1) / bits);
  const int64_t before = layout.elements_before(first_place);
  const int64_t count = layout.elements_before(end_place) - before;
  if (count == 0) return fmt::format("places {} to {} of its padding", first_place, end_place - 1);
  // The last place before which no more elements lie is the first element's.
  int64_t place = first_place;
  for (auto step =
           static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(end_place - first_place)));
       step > 0; step /= 2) {
    if (place + step < end_place && layout.elements_before(place + step) == before) place += step;
  }
  const int64_t first = layout.element_at(place);
  std::vector<int64_t> index(layout.origin().rank());
  for (int64_t d = static_cast<int64_t>(index.size()), rest = first; d-- > 0;) {
    const int64_t dim = std::max<int64_t>(layout.origin()[static_cast<size_t>(d)], 1);
    index[static_cast<size_t>(d)] = rest % dim;
    rest /= dim;
  }
  if (count == 1) return fmt::format("element {}, at [{}]", first, fmt::join(index, ", "));
  if (!layout.dense())
    return fmt::format("{} elements, from [{}] on as they are stored", count,
                       fmt::join(index, ", "));
  return fmt::format("elements {} to {}, from [{}] on", first, first + count - 1,
                     fmt::join(index, ", "));
}

// The parts of a range that nobody writes, without what only holds padding.
struct Missing {
  uint64_t elements = 0;
  uint64_t begin = 0, end = 0;  // bytes of the first part
};

Missing missing_of(const core::CoverOfRange& cover, const StorageLayout& layout) {
  Missing missing;
  const auto bits = static_cast<uint64_t>(std::max(bits_of(layout.dtype()), 1));
  for (const auto& [begin, end] : cover.holes) {
    const auto first = layout.elements_before(static_cast<int64_t>(begin * 8 / bits));
    const auto last = layout.elements_before(static_cast<int64_t>((end * 8 + bits - 1) / bits));
    if (first == last) continue;
    if (missing.elements == 0) {
      missing.begin = begin;
      missing.end = end;
    }
    missing.elements += static_cast<uint64_t>(last - first);
  }
  return missing;
}

class Prover {
 public:
  Prover(const OpContract& contract, Executor& executor, const Problem& problem,
         const Ports* inputs, SharedPlan plan)
      : contract_(contract),
        executor_(executor),
        problem_(problem),
        inputs_(inputs),
        plan_(std::move(plan)) {}

  ProvedTiling run() {
    if (const Status planned = make_plan(); !planned.ok()) return refused(planned.error());
    proved_.plan = plan_;
    if (is_aicpu(*plan_)) {
      proved_.not_judged = "nobody watches a CpuKernel, which writes by pointer";
      return std::move(proved_);
    }
    auto dry = cover(CoverKind::kDry, core::DryAnswer::kZero);
    if (!dry.ok()) return refused(dry.error());
    proved_.instructions = dry->report.instructions;
    if (dry->dry.asked_for_data && !independent_of_answers(*dry)) return run_on_data();
    if (!dry->dry.needs_data.empty()) return run_on_data();
    judge(*dry);
    return std::move(proved_);
  }

 private:
  Status make_plan() {
    if (plan_) return {};
    OPKIT_TRY(const ProblemFacts call, make_facts(contract_, problem_));
    OPKIT_TRY(plan_, executor_.plan(contract_, problem_.soc, call.facts));
    return {};
  }

  Result<CoverRun> cover(CoverKind kind, core::DryAnswer answer) {
    return executor_.cover(plan_, kind, answer, kind == CoverKind::kReal ? *inputs_ : Ports());
  }

  ProvedTiling refused(Error error) {
    proved_.wrong = std::move(error);
    return std::move(proved_);
  }

  // The kernel read values that a dry run does not have. When it writes the same for other values,
  // they do not matter here.
  bool independent_of_answers(const CoverRun& dry) {
    for (const core::DryAnswer answer : {core::DryAnswer::kOne, core::DryAnswer::kOnes}) {
      const auto other = cover(CoverKind::kDry, answer);
      if (other.ok()) proved_.instructions += other->report.instructions;
      if (!other.ok() || other->report.digest != dry.report.digest ||
          other->faults.size() != dry.faults.size())
        return false;
    }
    return true;
  }

  ProvedTiling run_on_data() {
    if (inputs_ == nullptr) {
      proved_.not_judged = "what the kernel writes depends on its data";
      return std::move(proved_);
    }
    auto real = cover(CoverKind::kReal, core::DryAnswer::kZero);
    if (!real.ok()) return refused(real.error());
    judge(*real);
    return std::move(proved_);
  }

  void judge(const CoverRun& run) {
    proved_.peak = run.report.peak;
    proved_.instructions = run.report.instructions;
    proved_.tiling_key = plan_->tiling.key;
    proved_.block_dim = plan_->tiling.block_dim;
    proved_.not_judged = run.report.gave_up;
    if (!proved_.not_judged.empty()) return;
    if (!run.faults.empty()) return judge_fault(run.faults.front(), run.place);
    for (size_t p = 0; p < run.outputs.size() && !proved_.wrong; ++p) {
      for (size_t i = 0; i < run.outputs[p].size(); ++i)
        judge_output(contract_.outputs[p], plan_->output_layouts[p][i], run.outputs[p][i]);
    }
  }

  void judge_fault(const core::Fault& fault, const std::function<std::string(const void*)>& place) {
    proved_.wrong = to_error(fault, contract_.op);
    if (const std::string line = place ? place(fault.pc) : ""; !line.empty())
      proved_.wrong->trail.push_back(line);
    if (!has_cause(fault.code, Cause::kBehindMemory)) return;
    const auto roomy = cover(CoverKind::kRoomy, core::DryAnswer::kZero);
    if (roomy.ok()) proved_.wrong->message += largest_tile_text(contract_, problem_, *roomy);
  }

  void judge_output(const Port& port, const StorageLayout& layout,
                    const core::CoverOfRange& cover) {
    if (cover.range.bytes == 0 || proved_.wrong) return;
    if (cover.clashing > 0) return clash(port, layout, cover);
    // What an in-place output keeps from its input is not missing, nor is padding.
    const Missing missing = port.inplace.empty() ? missing_of(cover, layout) : Missing{};
    if (missing.elements > 0) return hole(port, layout, missing);
    if (cover.repeated > cover.atomic)
      proved_.notes.push_back(
          fmt::format("{} is written {:.2f} times over", port.name,
                      1 + static_cast<double>(cover.repeated) /
                              static_cast<double>(std::max<uint64_t>(cover.written, 1))));
  }

  void hole(const Port& port, const StorageLayout& layout, const Missing& missing) {
    proved_.wrong = Error(
        "OPK-VERIFY-060",
        fmt::format("the tiling leaves a hole in {}: {} are written by no block ({} of {} elements "
                    "in all; {} blocks, tiling key {})",
                    port.name, part_of(layout, missing.begin, missing.end), missing.elements,
                    layout.origin().elements(), plan_->tiling.block_dim, plan_->tiling.key),
        "let the shares of the blocks add up to the whole output");
  }

  void clash(const Port& port, const StorageLayout& layout, const core::CoverOfRange& cover) {
    proved_.wrong = Error(
        "OPK-VERIFY-061",
        fmt::format("the tiling overlaps in {}: {} are written by {} and by {} ({} bytes in all)",
                    port.name, part_of(layout, cover.clash.begin, cover.clash.end),
                    name_of(cover.clash.first), name_of(cover.clash.second), cover.clashing),
        "let the share of each block end where the next one begins");
  }

  const OpContract& contract_;
  Executor& executor_;
  const Problem& problem_;
  const Ports* inputs_;
  SharedPlan plan_;
  ProvedTiling proved_;
};

}  // namespace

ProvedTiling prove_tiling(const OpContract& contract, Executor& executor, const Problem& problem,
                          const Ports* inputs, SharedPlan plan) {
  return Prover(contract, executor, problem, inputs, std::move(plan)).run();
}

}  // namespace opkit::verify
