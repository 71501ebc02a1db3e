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

// Says whether there are as many of each as the plan has outputs, and no byte beyond a tensor's.
bool fits(const CoverLaunch& seen, const CallPlan& plan) {
  if (seen.outputs.size() != plan.output_layouts.size()) return false;
  for (size_t p = 0; p < seen.outputs.size(); ++p) {
    if (seen.outputs[p].size() != plan.output_layouts[p].size()) return false;
    for (size_t t = 0; t < seen.outputs[p].size(); ++t) {
      const uint64_t bytes = stored_bytes(plan.output_layouts[p][t]);
      const core::CoverOfRange& range = seen.outputs[p][t];
      if (range.range.bytes > bytes || range.missing > bytes || range.written > bytes) return false;
      for (const auto& [begin, end] : range.holes)
        if (begin > end || end > bytes) return false;
    }
  }
  return true;
}

Status accept(DryWatch& dry, const CallPlan& plan) {
  if (!std::isfinite(dry.seconds)) dry.seconds = 0;
  return take_rates(dry.watched.timed, *plan.soc);
}

Status accept(PlanCost& cost, const CallPlan& plan) { return take_rates(cost.timed, *plan.soc); }

Status accept(CoverLaunch& seen, const CallPlan& plan) {
  if (fits(seen, plan)) return {};
  return Error("OPK-WORKER-006", "which bytes were written is of another call", kDamaged);
}

Status accept(bool, const CallPlan&) { return {}; }
Status accept(const std::vector<std::string>&, const CallPlan&) { return {}; }

}  // namespace

Result<Answer> read_answer(const std::string& body, const Question& question, wire::Names& names) {
  const std::string what = name_of_answer(question);
  wire::Reader reader(body, &names);
  Answer told;
  reader(told);
  OPKIT_CHECK(finish(reader, what));
  if (told.index() == question.index()) return told;
  return Error("OPK-WORKER-006",
               fmt::format("the worker was asked {} and answered otherwise", what), kDamaged);
}

Status accept_answer(Answer& answer, const CallPlan& plan) {
  return std::visit([&](auto& told) { return accept(told, plan); }, answer);
}

Status take_rates(std::optional<core::TimedResult>& timed, const SocSpec& soc) {
  if (!timed) return {};
  OPKIT_TRY(timed->rates, trace::rates_of(soc));
  return {};
}

}  // namespace opkit::isolation
