#include "opkit/call/execute/question.h"

#include "opkit/call/execute/in_place.h"

namespace opkit {
namespace {

constexpr uint32_t kRoomForAnyTile = 64;  // times the chip's: memories of 16 MiB and more

Result<DryWatch> answer_to(const DryQuestion& question, const AskedCall& call) {
  return watch_dry_launch(call.plan, call.machine, question.watch, call.schedule_seed);
}

Result<bool> answer_to(const InPlaceQuestion& question, const AskedCall& call) {
  return takes_in_place(call.plan, call.machine, question.pair);
}

Result<PlanCost> answer_to(const CostQuestion& question, const AskedCall& call) {
  return modelled_cost(call.plan, call.machine, question.options);
}

Result<CoverLaunch> answer_to(const CoverQuestion& question, const AskedCall& call) {
  if (question.kind == CoverKind::kReal) return cover_launch(*call.plan, call.outputs, call.launch);
  return cover_dry_launch(call.plan, call.machine, question.computed);
}

Result<std::vector<std::string>> answer_to(const WritersQuestion& question, const AskedCall& call) {
  const auto& layouts = call.plan->output_layouts;
  if (question.port >= layouts.size() || question.tensor >= layouts[question.port].size())
    return std::vector<std::string>();
  const ElementBytes at =
      bytes_of_element(layouts[question.port][question.tensor],
                       call.outputs[question.port][question.tensor], question.element);
  WriteTracer tracer(at.from, at.bytes);
  call.launch(&tracer);
  return sentences(tracer.events(), call.place);
}

}  // namespace

bool needs_tensors(const Question& question) {
  const auto* cover = std::get_if<CoverQuestion>(&question);
  return std::holds_alternative<WritersQuestion>(question) ||
         (cover && cover->kind == CoverKind::kReal);
}

uint32_t room_of(const Question& question) {
  const auto* cover = std::get_if<CoverQuestion>(&question);
  return cover && cover->kind == CoverKind::kRoomy ? kRoomForAnyTile : 1;
}

const char* name_of_answer(const Question& question) {
  return std::visit([](const auto& asked) { return asked.kAnswer; }, question);
}

Result<QuestionAnswer> answer(const Question& question, const AskedCall& call) {
  return std::visit(
      [&](const auto& asked) -> Result<QuestionAnswer> {
        OPKIT_TRY(auto told, answer_to(asked, call));
        return QuestionAnswer(std::in_place_type<decltype(told)>, std::move(told));
      },
      question);
}

}  // namespace opkit
