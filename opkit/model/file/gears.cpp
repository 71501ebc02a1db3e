#include "opkit/model/file/gears.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace opkit::model {
namespace {

constexpr uint64_t kAlignment = 512;

std::string_view bytes_of(const OfflineModel& model, const WeightPart& part) {
  if (part.filled) return part.element;
  return std::string_view(model.weights).substr(part.file_offset, part.bytes);
}

bool are_equal(const OfflineModel& a, const WeightPart& in_a, const OfflineModel& b,
               const WeightPart& in_b) {
  return in_a.filled == in_b.filled && in_a.bytes == in_b.bytes &&
         bytes_of(a, in_a) == bytes_of(b, in_b);
}

size_t hash_of(const OfflineModel& model, const WeightPart& part) {
  return std::hash<std::string_view>{}(bytes_of(model, part)) ^ part.bytes;
}

// Memory of part `p` up to the next one: parts lie one behind the other.
uint64_t room_of(const OfflineModel& model, size_t p) {
  const uint64_t end =
      p + 1 < model.weight_parts.size() ? model.weight_parts[p + 1].offset : model.weight_bytes;
  return end - model.weight_parts[p].offset;
}

uint64_t input_bytes(const Plan& plan) {
  uint64_t bytes = 0;
  for (const uint32_t t : plan.inputs) bytes += plan.tensors[t].bytes;
  return bytes;
}

std::string shapes_text(const Plan& plan) {
  std::string text;
  for (const uint32_t t : plan.inputs)
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", plan.tensors[t].desc.name,
                        plan.tensors[t].desc.shape.to_string());
  return text;
}

bool takes(const Plan& plan, const std::vector<Shape>& inputs) {
  return std::equal(
      plan.inputs.begin(), plan.inputs.end(), inputs.begin(), inputs.end(),
      [&](uint32_t t, const Shape& shape) { return plan.tensors[t].desc.shape == shape; });
}

}  // namespace

uint64_t GearJoin::add_weight(const OfflineModel& one, const WeightPart& part, uint64_t room) {
  const size_t hash = hash_of(one, part);
  const auto [first, last] = known_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    const WeightPart& there = model_.weight_parts[known->second];
    if (are_equal(model_, there, one, part)) return there.offset;
  }
  WeightPart added = part;
  added.offset = model_.weight_bytes;
  if (!part.filled) {
    model_.weights.resize((model_.weights.size() + kAlignment - 1) / kAlignment * kAlignment);
    added.file_offset = model_.weights.size();
    model_.weights += bytes_of(one, part);
  }
  model_.weight_bytes += room;
  known_.emplace(hash, model_.weight_parts.size());
  model_.weight_parts.push_back(std::move(added));
  return model_.weight_parts.back().offset;
}

GearJoin::Offsets GearJoin::add_weights(const OfflineModel& one) {
  Offsets offsets;
  for (size_t p = 0; p < one.weight_parts.size(); ++p) {
    const WeightPart& part = one.weight_parts[p];
    offsets[part.offset] = add_weight(one, part, room_of(one, p));
  }
  return offsets;
}

std::vector<uint32_t> GearJoin::add_plugins(const OfflineModel& one) {
  std::vector<uint32_t> numbers;
  for (const PluginId& plugin : one.plugins) {
    const auto known = std::find(model_.plugins.begin(), model_.plugins.end(), plugin);
    numbers.push_back(static_cast<uint32_t>(known - model_.plugins.begin()));
    if (known == model_.plugins.end()) model_.plugins.push_back(plugin);
  }
  return numbers;
}

Plan GearJoin::taken(OfflineModel& one, uint32_t gear) {
  const Offsets offsets = add_weights(one);
  const std::vector<uint32_t> plugins = add_plugins(one);
  const auto move = [&](Plan& plan) {
    for (ModelTensor& tensor : plan.tensors) {
      if (tensor.place == Place::kWeight) tensor.offset = offsets.at(tensor.offset);
    }
    for (Step& step : plan.steps) {
      if (asks_plugin(step.kind)) step.plugin = plugins[step.plugin];
    }
  };
  move(one);
  for (Body& body : one.bodies) {
    move(body);
    body.gear = gear;
  }
  return std::move(static_cast<Plan&>(one));
}

void GearJoin::add_body(uint32_t step, OfflineModel one) {
  const auto gear = static_cast<uint32_t>(model_.more.size());
  const auto outer = static_cast<uint32_t>(model_.bodies.size());
  model_.bodies.push_back({{taken(one, gear)}, gear, kNoBody, step});
  for (Body& body : one.bodies) {
    body.inside = body.inside == kNoBody ? outer : body.inside + outer + 1;
    model_.bodies.push_back(std::move(body));
  }
}

void GearJoin::add(std::vector<int64_t> values, OfflineModel one) {
  const auto outer = static_cast<uint32_t>(model_.bodies.size());
  Plan plan = taken(one, empty_ ? 0 : static_cast<uint32_t>(model_.more.size()) + 1);
  for (Body& body : one.bodies) {
    if (body.inside != kNoBody) body.inside += outer;
    model_.bodies.push_back(std::move(body));
  }
  if (model_.gear_kind != GearKind::kNone) model_.gears.push_back(std::move(values));
  if (!empty_) {
    for (size_t i = 0; i < model_.aipp.size(); ++i)
      model_.aipp[i].dims.push_back(std::move(one.aipp[i].dims[0]));
    return model_.more.push_back(std::move(plan));
  }
  model_.aipp = std::move(one.aipp);
  static_cast<Plan&>(model_) = std::move(plan);
  model_.name = one.name, model_.soc = one.soc, model_.made_by = one.made_by;
  model_.command = one.command, model_.opset = one.opset;
  empty_ = false;
}

Result<size_t> gear_of(const OfflineModel& model, const std::vector<Shape>& inputs) {
  std::string known, given;
  for (size_t g = 0; g < model.plan_count(); ++g) {
    if (takes(model.plan(g), inputs)) return g;
    known += fmt::format("{}{}", g ? "; " : "", shapes_text(model.plan(g)));
  }
  for (const Shape& shape : inputs) given += (given.empty() ? "" : ", ") + shape.to_string();
  return Error(kBadInput,
               fmt::format("no gear of the model takes inputs of {}; there are {}", given, known),
               "give inputs of one gear, or compile the model with one for these dims");
}

size_t largest_gear(const OfflineModel& model) {
  size_t largest = 0;
  for (size_t g = 1; g < model.plan_count(); ++g) {
    if (input_bytes(model.plan(g)) > input_bytes(model.plan(largest))) largest = g;
  }
  return largest;
}

std::vector<int64_t> open_dims(const OfflineModel& model, std::vector<uint32_t> Plan::*ends,
                               size_t index) {
  const auto dims_of = [&](size_t gear) -> const std::vector<int64_t>& {
    const Plan& plan = model.plan(gear);
    return plan.tensors[(plan.*ends)[index]].desc.shape.dims();
  };
  std::vector<int64_t> dims = dims_of(0);
  for (size_t g = 1; g < model.plan_count(); ++g) {
    const std::vector<int64_t>& other = dims_of(g);
    for (size_t d = 0; d < dims.size(); ++d) dims[d] = dims[d] == other[d] ? dims[d] : -1;
  }
  return dims;
}

std::vector<int64_t> gear_values(const OfflineModel& model, size_t gear) {
  return model.gears.empty() ? std::vector<int64_t>() : model.gears[gear];
}

std::string gears_text(const OfflineModel& model) {
  std::string text;
  for (const std::vector<int64_t>& gear : model.gears)
    text += fmt::format("{}{}", text.empty() ? "" : "; ", fmt::join(gear, ","));
  return text;
}

}  // namespace opkit::model
