#include "opkit/model/file/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "opkit/call/layout/storage_layout.h"
#include "opkit/graph/bodies.h"
#include "opkit/model/file/bodies.h"

namespace opkit::model {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 46;  // limits any memory

Error wrong(std::string what) {
  return Error(kWrongOm, "the offline model contradicts itself: " + std::move(what),
               "make it again with atc");
}

template <typename T>
bool is_one_of(const std::vector<T>& all, T value) {
  return std::find(all.begin(), all.end(), value) != all.end();
}

bool lies_inside(uint64_t offset, uint64_t bytes, uint64_t size) {
  return offset <= size && bytes <= size - offset;
}

// Operands and results of operators may be absent.
bool may_be_absent(StepKind kind) { return kind == StepKind::kHost || kind == StepKind::kControl; }

// Validates one plan of a model.
class Validation {
 public:
  Validation(const OfflineModel& model, const Plan& plan)
      : model_(model), plan_(plan), written_(plan.tensors.size()) {}

  Status run() {
    if (plan_.block_bytes > kMostBytes) return wrong("its memory is larger than any chip's");
    OPKIT_CHECK(check_ends(plan_.inputs, Place::kInput, "input"));
    OPKIT_CHECK(check_ends(plan_.outputs, Place::kOutput, "output"));
    for (const ModelTensor& tensor : plan_.tensors) OPKIT_CHECK(check_tensor(tensor));
    mark_given();
    for (const Step& step : plan_.steps) OPKIT_CHECK(check_step(step));
    for (const uint32_t output : plan_.outputs) {
      if (!written_[output])
        return wrong(fmt::format("nothing writes output '{}'", plan_.tensors[output].desc.name));
    }
    return {};
  }

 private:
  Status check_ends(const std::vector<uint32_t>& ends, Place place, const char* what) const {
    for (size_t i = 0; i < ends.size(); ++i) {
      if (ends[i] >= plan_.tensors.size() || plan_.tensors[ends[i]].place != place ||
          plan_.tensors[ends[i]].offset != i)
        return wrong(fmt::format("{} {} is no tensor of that kind", what, i));
    }
    return {};
  }

  Status check_tensor(const ModelTensor& tensor) const {
    const TensorDesc& desc = tensor.desc;
    if (!is_one_of(all_dtypes(), desc.dtype) || !is_one_of(all_formats(), desc.format))
      return wrong(fmt::format("tensor '{}' has no known dtype or format", desc.name));
    const auto elements = desc.shape.checked_elements();
    const auto layout = elements.ok() ? StorageLayout::of(desc.format, desc.dtype, desc.shape)
                                      : Result<StorageLayout>(elements.error());
    const auto stored =
        layout.ok() ? layout->storage().checked_elements() : Result<int64_t>(layout.error());
    if (!stored.ok())
      return wrong(fmt::format("tensor '{}': {}", desc.name, stored.error().message));
    const uint64_t bytes = opkit::bytes_of(desc.dtype, static_cast<uint64_t>(*stored));
    if (tensor.bytes != bytes)
      return wrong(fmt::format("tensor '{}' of {} bytes is said to have {}", desc.name, bytes,
                               tensor.bytes));
    return check_place(tensor);
  }

  Status check_place(const ModelTensor& tensor) const {
    const uint64_t at = tensor.offset;
    bool inside = false;
    switch (tensor.place) {
      case Place::kInput: inside = at < plan_.inputs.size(); break;
      case Place::kOutput: inside = at < plan_.outputs.size(); break;
      case Place::kWeight: inside = lies_inside(at, tensor.bytes, model_.weight_bytes); break;
      case Place::kBlock: inside = lies_inside(at, tensor.bytes, plan_.block_bytes); break;
      default: break;
    }
    const bool aligned =
        tensor.place == Place::kInput || tensor.place == Place::kOutput || at % 64 == 0;
    if (inside && aligned && fits_its_end(tensor)) return {};
    return wrong(fmt::format("tensor '{}' lies outside its memory", tensor.desc.name));
  }

  // A view of an input or an output has its bytes.
  bool fits_its_end(const ModelTensor& tensor) const {
    const bool input = tensor.place == Place::kInput, output = tensor.place == Place::kOutput;
    if (!input && !output) return true;
    const uint32_t end = (input ? plan_.inputs : plan_.outputs)[tensor.offset];
    return plan_.tensors[end].bytes == tensor.bytes;
  }

  void mark_given() {
    for (size_t t = 0; t < plan_.tensors.size(); ++t) {
      const Place place = plan_.tensors[t].place;
      written_[t] = place == Place::kInput || place == Place::kWeight;
    }
  }

  // Views: tensors that lie where another one lies are written with it.
  bool is_written(uint32_t t) const {
    if (written_[t]) return true;
    const ModelTensor& tensor = plan_.tensors[t];
    return written_at_.count({tensor.place, tensor.offset}) > 0;
  }

  Status check_step(const Step& step) {
    if (static_cast<uint8_t>(step.kind) > static_cast<uint8_t>(StepKind::kControl))
      return wrong(fmt::format("step '{}' is of no known kind", step.name));
    if (asks_plugin(step.kind) && step.plugin >= model_.plugins.size())
      return wrong(fmt::format("step '{}' asks a plugin that is not listed", step.name));
    if (!lies_inside(step.workspace, step.workspace_bytes, plan_.block_bytes) ||
        step.workspace % 64 != 0)
      return wrong(fmt::format("the workspace of step '{}' lies outside the block", step.name));
    OPKIT_CHECK(check_operands(step));
    OPKIT_CHECK(check_results(step));
    return asks_plugin(step.kind) ? Status() : check_host(step);
  }

  Status check_operands(const Step& step) const {
    for (const auto& port : step.in) {
      for (const uint32_t t : port) {
        if (t == kNoTensor && may_be_absent(step.kind)) continue;
        if (t >= plan_.tensors.size() || !is_written(t))
          return wrong(fmt::format("step '{}' reads a tensor that nothing wrote", step.name));
      }
    }
    return {};
  }

  Status check_results(const Step& step) {
    for (const auto& port : step.out) {
      for (const uint32_t t : port) {
        if (t == kNoTensor && may_be_absent(step.kind)) continue;
        if (t >= plan_.tensors.size())
          return wrong(fmt::format("step '{}' writes a tensor that does not exist", step.name));
        const ModelTensor& tensor = plan_.tensors[t];
        if (tensor.place == Place::kInput || tensor.place == Place::kWeight)
          return wrong(fmt::format("step '{}' writes into '{}'", step.name, tensor.desc.name));
        written_[t] = true;
        written_at_.emplace(tensor.place, tensor.offset);
      }
    }
    return {};
  }

  // Host steps have one list of operands; all but operators turn one tensor into one.
  Status check_host(const Step& step) const {
    const bool one_list = step.in.size() == 1 && step.out.size() == 1;
    if (!one_list) return wrong(fmt::format("step '{}' has several lists of operands", step.name));
    if (step.kind == StepKind::kHost && graph::has_bodies(step.node.op_type))
      return wrong(fmt::format("step '{}' runs {} without bodies", step.name, step.node.op_type));
    if (may_be_absent(step.kind)) return {};
    const bool turns = step.in[0].size() == 1 && step.out[0].size() == 1;
    if (!turns) return wrong(fmt::format("step '{}' turns not one tensor into one", step.name));
    const TensorDesc& from = plan_.tensors[step.in[0][0]].desc;
    const TensorDesc& to = plan_.tensors[step.out[0][0]].desc;
    const bool dense_from = is_dense(from.format), dense_to = is_dense(to.format);
    const bool fits = from.dtype == to.dtype && from.shape == to.shape &&
                      dense_from == (step.kind != StepKind::kDense) &&
                      dense_to == (step.kind != StepKind::kStore);
    if (fits) return {};
    return wrong(fmt::format("step '{}' turns '{}' into something else", step.name, from.name));
  }

  const OfflineModel& model_;
  const Plan& plan_;
  std::vector<bool> written_;
  std::set<std::pair<Place, uint64_t>> written_at_;
};

Status check_part(const OfflineModel& model, const WeightPart& part) {
  const bool in_memory = lies_inside(part.offset, part.bytes, model.weight_bytes);
  const bool in_file = part.filled
                           ? !part.element.empty() && part.element.size() <= 8 &&
                                 part.bytes % part.element.size() == 0
                           : lies_inside(part.file_offset, part.bytes, model.weights.size());
  if (in_memory && in_file) return {};
  return wrong(
      fmt::format("weights of {} bytes at {} are not in the file", part.bytes, part.offset));
}

// Ends of two gears differ in dims alone.
bool are_alike(const Plan& a, const std::vector<uint32_t>& a_ends, const Plan& b,
               const std::vector<uint32_t>& b_ends) {
  return std::equal(a_ends.begin(), a_ends.end(), b_ends.begin(), b_ends.end(),
                    [&](uint32_t i, uint32_t j) {
                      const TensorDesc &one = a.tensors[i].desc, &other = b.tensors[j].desc;
                      return one.name == other.name && one.dtype == other.dtype &&
                             one.shape.rank() == other.shape.rank();
                    });
}

std::vector<Shape> dims_of(const Plan& plan) {
  std::vector<Shape> dims;
  for (const uint32_t t : plan.inputs) dims.push_back(plan.tensors[t].desc.shape);
  return dims;
}

// Returns how many values a gear of that kind has; 0: any number.
size_t values_of(GearKind kind) {
  return kind == GearKind::kBatch ? 1 : kind == GearKind::kImage ? 2 : 0;
}

Status check_gears(const OfflineModel& model) {
  if (static_cast<uint8_t>(model.gear_kind) > static_cast<uint8_t>(GearKind::kShapes))
    return wrong("its gears are of no known kind");
  const size_t wanted = model.gear_kind == GearKind::kNone ? 0 : model.plan_count();
  if (model.gears.size() != wanted || wanted > kMostGears || (wanted == 0 && !model.more.empty()))
    return wrong(
        fmt::format("it has {} gears and {} plans", model.gears.size(), model.plan_count()));
  for (size_t g = 0; g < wanted; ++g) {
    const Plan& plan = model.plan(g);
    const size_t values = values_of(model.gear_kind);
    if (model.gears[g].size() != (values ? values : model.gears[0].size()))
      return wrong(fmt::format("gear {} has {} values", g, model.gears[g].size()));
    if (!are_alike(model, model.inputs, plan, plan.inputs) ||
        !are_alike(model, model.outputs, plan, plan.outputs))
      return wrong(fmt::format("gear {} has other inputs or outputs than the first", g));
    for (size_t before = 0; before < g; ++before) {
      if (dims_of(model.plan(before)) == dims_of(plan) || model.gears[before] == model.gears[g])
        return wrong(fmt::format("gears {} and {} are the same", before, g));
    }
  }
  return {};
}

// Tells whether tensor `input` of every gear is such a one; fits(tensor, dims of the gear).
template <typename Fits>
bool every_gear(const OfflineModel& model, const AippInput& aipp, uint32_t input, Fits fits) {
  for (size_t g = 0; g < model.plan_count(); ++g) {
    const Plan& plan = model.plan(g);
    if (!fits(plan.tensors[plan.inputs[input]].desc, aipp.dims[g])) return false;
  }
  return true;
}

bool are_images(const std::vector<int64_t>& dims) {
  return dims.size() == 4 && Shape(dims).is_static() && Shape(dims).checked_elements().ok() &&
         Shape(dims).elements() > 0;
}

Status check_aipp(const OfflineModel& model, const AippInput& aipp) {
  const auto refuse = [&](const char* what) {
    return wrong(fmt::format("AIPP of input {} {}", aipp.input, what));
  };
  const size_t inputs = model.inputs.size();
  if (aipp.input >= inputs || aipp.dims.size() != model.plan_count() || !is_float(aipp.dtype) ||
      !std::all_of(aipp.dims.begin(), aipp.dims.end(), are_images))
    return refuse("is for no images");
  if (aipp.aipp.format > Aipp::Format::kGray) return refuse("takes no known format");
  const size_t rank = aipp.dynamic ? 1 : 4;
  const bool bytes = every_gear(model, aipp, aipp.input, [&](const TensorDesc& desc, const auto&) {
    return desc.dtype == DType::kUInt8 && desc.shape.rank() == rank;
  });
  if (!bytes) return refuse("takes no bytes");
  if (!aipp.dynamic) return {};
  if (aipp.settings >= inputs || aipp.settings == aipp.input) return refuse("has no settings");
  const bool rows = every_gear(
      model, aipp, aipp.settings, [](const TensorDesc& desc, const std::vector<int64_t>& dims) {
        return desc.dtype == DType::kFloat64 && desc.shape == Shape{dims[0], kAippNumbers};
      });
  return rows ? Status() : refuse("has settings of another kind");
}

// Bodies lie inside each other as a tree that is not deep, whose steps are there.
Status check_places(const OfflineModel& model) {
  std::vector<size_t> depths;
  for (size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const bool inner = body.inside != kNoBody;
    if (body.gear >= model.plan_count() || (inner && body.inside >= b) ||
        (inner && model.bodies[body.inside].gear != body.gear))
      return wrong(fmt::format("body {} lies nowhere", b));
    depths.push_back(inner ? depths[body.inside] + 1 : 1);
    if (depths.back() > kMostNested)
      return wrong(fmt::format("{} bodies lie inside each other", depths.back()));
    const std::vector<Step>& steps = holder_of(model, body).steps;
    if (body.step >= steps.size() || steps[body.step].kind != StepKind::kControl)
      return wrong(fmt::format("no step runs body {}", b));
  }
  return {};
}

Status check_steps(const OfflineModel& model, const StepBodies& bodies, const Plan& plan,
                   uint32_t gear, uint32_t inside) {
  for (size_t s = 0; s < plan.steps.size(); ++s) {
    if (plan.steps[s].kind != StepKind::kControl) continue;
    std::vector<const Plan*> run;
    for (const uint32_t b : bodies.of(gear, inside, s)) run.push_back(&model.bodies[b]);
    OPKIT_CHECK(check_control(plan.steps[s], plan, run));
  }
  return {};
}

Status check_bodies(const OfflineModel& model) {
  OPKIT_CHECK(check_places(model));
  for (const Body& body : model.bodies) OPKIT_CHECK(Validation(model, body).run());
  const StepBodies bodies(model);
  for (uint32_t g = 0; g < model.plan_count(); ++g)
    OPKIT_CHECK(check_steps(model, bodies, model.plan(g), g, kNoBody));
  for (uint32_t b = 0; b < model.bodies.size(); ++b)
    OPKIT_CHECK(check_steps(model, bodies, model.bodies[b], model.bodies[b].gear, b));
  return {};
}

}  // namespace

Status validate(const OfflineModel& model) {
  if (model.weight_bytes > kMostBytes) return wrong("its memory is larger than any chip's");
  for (const WeightPart& part : model.weight_parts) OPKIT_CHECK(check_part(model, part));
  for (size_t g = 0; g < model.plan_count(); ++g)
    OPKIT_CHECK(Validation(model, model.plan(g)).run());
  OPKIT_CHECK(check_bodies(model));
  OPKIT_CHECK(check_gears(model));
  for (const AippInput& aipp : model.aipp) OPKIT_CHECK(check_aipp(model, aipp));
  return {};
}

}  // namespace opkit::model
