#include "opkit/isolation/accept_answer.h"

#include <fmt/format.h>

#include <cmath>

#include "opkit/call/trace/rates.h"
#include "opkit/isolation/finish.h"
#include "opkit/isolation/question_fields.h"

namespace opkit::isolation {
namespace {

constexpr const char* kDamaged =
    "the plugin damaged its worker; look for writes outside its own memory";

bool lies_in(uint64_t begin, uint64_t end, uint64_t bytes) { return begin <= end && end <= bytes; }

// Holes come one behind the other, and a clash is told where there is one.
bool fits(const core::CoverOfRange& range, uint64_t bytes) {
  if (range.range.bytes > bytes || range.missing > bytes || range.written > bytes) return false;
  if (range.clashing > 0 && !lies_in(range.clash.begin, range.clash.end, bytes)) return false;
  uint64_t behind = 0;
  for (const auto& [begin, end] : range.holes) {
    if (begin < behind || !lies_in(begin, end, bytes)) return false;
    behind = end;
  }
  return true;
}

// Says whether there are as many of each as the plan has outputs, and no byte beyond a tensor's.
bool fits(const CoverLaunch& seen, const CallPlan& plan) {
  if (seen.outputs.size() != plan.output_layouts.size()) return false;
  for (size_t p = 0; p < seen.outputs.size(); ++p) {
    if (seen.outputs[p].size() != plan.output_layouts[p].size()) return false;
    for (size_t t = 0; t < seen.outputs[p].size(); ++t) {
      if (!fits(seen.outputs[p][t], stored_bytes(plan.output_layouts[p][t]))) return false;
    }
  }
  return true;
}

Status accept(DryWatch& dry, const CallPlan& plan) {
  if (!std::isfinite(dry.seconds)) dry.seconds = 0;
  return take_rates(dry.watched.timed, *plan.soc);
}

Status accept(PlanCost& cost, const CallPlan& plan) {
  if (!std::isfinite(cost.watched_share) || !std::isfinite(cost.spread))
    return Error("OPK-WORKER-006", "what a plan costs is told in no numbers", kDamaged);
  return take_rates(cost.timed, *plan.soc);
}

Status accept(CoverLaunch& seen, const CallPlan& plan) {
  if (fits(seen, plan)) return {};
  return Error("OPK-WORKER-006", "which bytes were written is of another call", kDamaged);
}

Status accept(bool, const CallPlan&) { return {}; }
Status accept(const std::vector<std::string>&, const CallPlan&) { return {}; }

}  // namespace

Result<QuestionAnswer> read_answer(const std::string& body, const Question& question,
                                   wire::Names& names) {
  const std::string what = name_of_answer(question);
  wire::Reader reader(body, &names);
  QuestionAnswer told;
  reader(told);
  OPKIT_CHECK(finish(reader, what));
  if (told.index() == question.index()) return told;
  return Error("OPK-WORKER-006",
               fmt::format("the worker was asked {} and answered otherwise", what), kDamaged);
}

Status accept_answer(QuestionAnswer& answer, const CallPlan& plan) {
  return std::visit([&](auto& told) { return accept(told, plan); }, answer);
}

Status take_rates(std::optional<core::TimedResult>& timed, const SocSpec& soc) {
  if (!timed) return {};
  OPKIT_TRY(timed->rates, trace::rates_of(soc));
  return {};
}

}  // namespace opkit::isolation
