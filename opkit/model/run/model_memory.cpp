#include "opkit/model/run/model_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "opkit/soc/soc_spec.h"

namespace opkit::model_run {
namespace {

using model::ModelTensor;
using model::OfflineModel;
using model::Plan;

uint64_t sum(uint64_t a, uint64_t b) {
  uint64_t all = 0;
  return __builtin_add_overflow(a, b, &all) ? std::numeric_limits<uint64_t>::max() : all;
}

// Returns what a chip holds; of one whose memory is not known, more than any host has.
uint64_t most_bytes(const SocSpec& soc) {
  constexpr uint64_t kMoreThanAnybodyHas = uint64_t{1} << 60;
  return soc.memory.device ? soc.memory.device : kMoreThanAnybodyHas;
}

// Tensors of a model that nobody can hold may have sizes that wrapped around.
bool is_countable(const TensorDesc& desc, uint64_t most) {
  const auto elements = desc.shape.checked_elements();
  return elements.ok() && static_cast<uint64_t>(*elements) <= most * 2;  // int4: two to a byte
}

Error too_large(const std::string& what, const SocSpec& soc) {
  return Error(model::kTooLarge,
               fmt::format("{} more than the {} bytes of {}", what, most_bytes(soc), soc.name),
               "compile it for a smaller batch");
}

Status check_tensors(const Plan& plan, const SocSpec& soc) {
  for (const ModelTensor& tensor : plan.tensors) {
    if (!is_countable(tensor.desc, most_bytes(soc)))
      return too_large(fmt::format("tensor '{}' of {}{} takes", tensor.desc.name,
                                   name_of(tensor.desc.dtype), tensor.desc.shape.to_string()),
                       soc);
  }
  return {};
}

}  // namespace

uint64_t room_of(uint64_t bytes) {
  constexpr uint64_t kUnit = 512;
  return (bytes + kUnit - 1) / kUnit * kUnit + kUnit;
}

uint64_t work_of(const Plan& plan) {
  uint64_t work = room_of(plan.block_bytes);
  for (const auto* ends : {&plan.inputs, &plan.outputs}) {
    for (const uint32_t t : *ends) work = sum(work, room_of(plan.tensors[t].bytes));
  }
  return work;
}

// A body lies behind the one that it is inside of in the list, too.
ModelMemory memory_of(const OfflineModel& model) {
  std::vector<uint64_t> inner(model.bodies.size()), behind(model.plan_count());
  for (size_t b = model.bodies.size(); b-- > 0;) {
    const model::Body& body = model.bodies[b];
    uint64_t& most = body.inside == model::kNoBody ? behind[body.gear] : inner[body.inside];
    most = std::max(most, sum(work_of(body), inner[b]));
  }
  ModelMemory memory{room_of(model.weight_bytes), 0};
  for (size_t g = 0; g < model.plan_count(); ++g)
    memory.work = std::max(memory.work, sum(work_of(model.plan(g)), behind[g]));
  return memory;
}

Status check_fits(const OfflineModel& model) {
  OPKIT_TRY(const SocMatch match, find_soc(model.soc));
  const SocSpec& soc = *match.spec;
  for (size_t g = 0; g < model.plan_count(); ++g) OPKIT_CHECK(check_tensors(model.plan(g), soc));
  for (const model::Body& body : model.bodies) OPKIT_CHECK(check_tensors(body, soc));
  const ModelMemory wanted = memory_of(model);
  const uint64_t all = sum(wanted.weights, wanted.work);
  if (all > most_bytes(soc)) return too_large(fmt::format("the model takes {} bytes,", all), soc);
  return {};
}

}  // namespace opkit::model_run
