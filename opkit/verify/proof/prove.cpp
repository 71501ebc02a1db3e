#include "opkit/verify/proof/prove.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "opkit/contract/scope.h"
#include "opkit/runtime/op_runner.h"
#include "opkit/soc/soc_spec.h"
#include "opkit/verify/judge.h"
#include "opkit/verify/proof/largest_tile.h"

namespace opkit::verify {
namespace {

std::string name_of(const core::CoverWriter& writer) {
  if (writer.lane == 0) return fmt::format("block {}", writer.block);
  return fmt::format("vector core {} of block {}", writer.lane - 1, writer.block);
}

// "elements 32 to 63, from [1, 0] on"
std::string part_of(const Tensor& tensor, uint64_t begin, uint64_t end) {
  const auto bits = static_cast<uint64_t>(std::max(bits_of(tensor.dtype()), 1));
  const uint64_t first = begin * 8 / bits, last = std::max(first, end * 8 / bits - 1);
  std::vector<int64_t> index(tensor.shape().rank());
  auto rest = static_cast<int64_t>(first);
  for (size_t d = index.size(); d-- > 0;) {
    const int64_t dim = std::max<int64_t>(tensor.shape().dims()[d], 1);
    index[d] = rest % dim;
    rest /= dim;
  }
  const std::string where = fmt::format("from [{}] on", fmt::join(index, ", "));
  return first == last ? fmt::format("element {}, at [{}]", first, fmt::join(index, ", "))
                       : fmt::format("elements {} to {}, {}", first, last, where);
}

class Prover {
 public:
  Prover(const OpContract& contract, Executor& executor, const Problem& problem,
         const Ports* inputs)
      : contract_(contract), executor_(executor), problem_(problem), inputs_(inputs) {}

  ProvedTiling run() {
    auto dry = cover(CoverKind::kDry, core::DryAnswer::kZero);
    if (!dry.ok()) return refused(dry.error());
    if (dry->report.asked_for_data && !independent_of_answers(*dry)) return run_on_data();
    if (dry->report.needs_data) return run_on_data();
    judge(*dry);
    return std::move(proved_);
  }

 private:
  Result<CoverRun> cover(CoverKind kind, core::DryAnswer answer) {
    Invocation invocation;
    invocation.contract = &contract_;
    invocation.soc = problem_.soc;
    invocation.attrs = problem_.attrs;
    if (kind == CoverKind::kReal) {
      invocation.inputs = *inputs_;
    } else {
      OPKIT_TRY(invocation.inputs, make_reserved_inputs(contract_, problem_));
    }
    return executor_.cover(std::move(invocation), kind, answer);
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
    proved_.tiling_key = run.tiling_key;
    proved_.block_dim = run.block_dim;
    proved_.not_judged = run.report.gave_up;
    if (!proved_.not_judged.empty()) return;
    if (!run.faults.empty()) return judge_fault(run.faults.front());
    for (size_t p = 0; p < run.outputs.size() && !proved_.wrong; ++p) {
      for (const Tensor& tensor : run.outputs[p]) judge_output(contract_.outputs[p], tensor, run);
    }
  }

  void judge_fault(const core::Fault& fault) {
    proved_.wrong = to_error(fault, contract_.op);
    if (fault.code != "EK1101") return;
    const auto roomy = cover(CoverKind::kRoomy, core::DryAnswer::kZero);
    if (roomy.ok()) proved_.wrong->message += largest_tile_text(contract_, problem_, *roomy);
  }

  void judge_output(const Port& port, const Tensor& tensor, const CoverRun& run) {
    const auto* base = reinterpret_cast<const uint8_t*>(tensor.data());
    for (const core::CoverOfRange& cover : run.report.ranges) {
      if (cover.range.base != base || tensor.size_bytes() == 0 || proved_.wrong) continue;
      if (cover.clashing > 0) return clash(tensor, cover);
      // What an in-place output keeps from its input is not missing.
      if (cover.missing > 0 && port.inplace.empty()) return hole(tensor, cover, run);
      if (cover.repeated > cover.atomic)
        proved_.notes.push_back(
            fmt::format("{} is written {:.2f} times over", tensor.desc().name,
                        1 + static_cast<double>(cover.repeated) /
                                static_cast<double>(std::max<uint64_t>(cover.written, 1))));
    }
  }

  void hole(const Tensor& tensor, const core::CoverOfRange& cover, const CoverRun& run) {
    proved_.wrong = Error(
        "OPK-VERIFY-060",
        fmt::format("the tiling leaves a hole in {}: {} are written by no block ({} of {} bytes in "
                    "all; {} blocks, tiling key {})",
                    tensor.desc().name, part_of(tensor, cover.hole_begin, cover.hole_end),
                    cover.missing, tensor.size_bytes(), run.block_dim, run.tiling_key),
        "let the shares of the blocks add up to the whole output");
  }

  void clash(const Tensor& tensor, const core::CoverOfRange& cover) {
    proved_.wrong = Error(
        "OPK-VERIFY-061",
        fmt::format("the tiling overlaps in {}: {} are written by {} and by {} ({} bytes in all)",
                    tensor.desc().name, part_of(tensor, cover.clash.begin, cover.clash.end),
                    name_of(cover.clash.first), name_of(cover.clash.second), cover.clashing),
        "let the share of each block end where the next one begins");
  }

  const OpContract& contract_;
  Executor& executor_;
  const Problem& problem_;
  const Ports* inputs_;
  ProvedTiling proved_;
};

}  // namespace

ProvedTiling prove_tiling(const OpContract& contract, Executor& executor, const Problem& problem,
                          const Ports* inputs) {
  return Prover(contract, executor, problem, inputs).run();
}

uint64_t usable_bytes(const std::string& soc, opk_memory memory) {
  const auto match = find_soc(soc);
  if (!match.ok()) return 0;
  const opk_soc_v1 chip = to_abi(*match->spec);
  const uint64_t kept = memory == OPK_MEM_UB   ? chip.reserved_ub
                        : memory == OPK_MEM_L1 ? chip.reserved_l1
                                               : 0;
  return chip.memory_size[memory] - kept;
}

}  // namespace opkit::verify
