#include "opkit/cli/models/compared_side.h"

#include <fmt/format.h>

#include <cstring>
#include <optional>
#include <utility>

#include "opkit/atc/compile/input_shapes.h"
#include "opkit/call/layout/storage_layout.h"
#include "opkit/cli/options/chip_ops.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/model/file/om_file.h"
#include "opkit/model/run/model_runner.h"
#include "opkit/quantize/codes.h"
#include "opkit/quantize/source_model.h"
#include "opkit/reference/tensor.h"

namespace opkit::cli {
namespace {

using graph::RefTensor;
using quantize::LookAtPlace;
using quantize::ValuePlace;

// Dense, in the dims of the model's author.
Result<RefTensor> dense_reference(const model_run::SeenTensor& seen) {
  const TensorDesc& desc = seen.tensor->desc;
  OPKIT_TRY(const StorageLayout layout, StorageLayout::of(desc.format, desc.dtype, desc.shape));
  Tensor stored(desc.dtype, layout.storage(), desc.name);
  std::memcpy(stored.data(), seen.at, stored.size_bytes());
  return reference::from_tensor(layout.dense() ? stored : layout.to_origin(stored));
}

std::string op_of(const model::OfflineModel& model, const model::Step& step) {
  if (model::asks_plugin(step.kind)) return model.plugins[step.plugin].op;
  return step.kind == model::StepKind::kHost ? step.node.op_type
                                             : std::string(model::name_of(step.kind));
}

// Shows what every step of a run writes.
class ChipRun {
 public:
  ChipRun(const model::OfflineModel& model, const LookAtPlace& look) : model_(model), look_(look) {}

  Status show_inputs(const std::vector<Tensor>& inputs) const {
    for (const Tensor& input : inputs) {
      OPKIT_TRY(const RefTensor tensor, reference::from_tensor(input));
      OPKIT_CHECK(look_({input.desc().name, "", "", tensor.shape.dims()}, tensor));
    }
    return {};
  }

  // Steps of a loop's body run many times: none of their values is the model's.
  Status operator()(const model_run::SeenStep& seen_step,
                    const std::vector<model_run::SeenTensor>& tensors, bool written) const {
    if (!written || seen_step.body != model::kNoBody) return {};
    const model::Step& step = seen_step.step;
    const bool turned = step.kind == model::StepKind::kStore ||
                        step.kind == model::StepKind::kDense || step.kind == model::StepKind::kCopy;
    for (const model_run::SeenTensor& seen : tensors) {
      if (seen.tensor == nullptr || turned) continue;
      auto tensor = dense_reference(seen);
      if (!tensor.ok()) continue;  // integers that a double does not hold
      OPKIT_CHECK(look_(
          {seen.tensor->desc.name, step.name, op_of(model_, step), tensor->shape.dims()}, *tensor));
    }
    return {};
  }

 private:
  const model::OfflineModel& model_;
  const LookAtPlace& look_;
};

}  // namespace

struct ComparedModel::State {
  std::string file;
  const Arguments* arguments = nullptr;
  Console* console = nullptr;
  quantize::SourceModel source;  // is filled from an ONNX file
  std::optional<quantize::Walk> walk;
  std::optional<model::OfflineModel> loaded;  // is filled from an offline model
  std::optional<registry::Registry> registry;
  std::optional<InstalledOps> ops;
  std::optional<model_run::ModelRunner> runner;
  std::optional<quantize::Samples> samples;

  Status run_on_chip(size_t sample, const LookAtPlace& look) {
    OPKIT_TRY(const std::vector<Tensor> inputs, samples->tensors(sample));
    const model::OfflineModel& model = runner->model();
    std::vector<Tensor> outputs;
    for (const uint32_t t : model.outputs)
      outputs.emplace_back(model.tensors[t].desc.dtype, model.tensors[t].desc.shape);
    std::vector<const std::byte*> from;
    std::vector<std::byte*> to;
    for (const Tensor& input : inputs) from.push_back(input.data());
    for (Tensor& output : outputs) to.push_back(output.data());
    const ChipRun shown(model, look);
    OPKIT_CHECK(shown.show_inputs(inputs));
    return runner->run(from, to, 0, nullptr, shown);
  }

  Status load_runner() {
    registry.emplace(open_registry(*arguments, *console));
    ops.emplace(open_ops(*registry, loaded->soc, *arguments, *console));
    const auto threads = static_cast<unsigned>(arguments->integer("--threads"));
    OPKIT_TRY(auto made, model_run::ModelRunner::load(std::move(*loaded), *ops, threads));
    runner.emplace(std::move(made));
    return {};
  }
};

ComparedModel::ComparedModel(std::unique_ptr<State> state) : state_(std::move(state)) {}
ComparedModel::ComparedModel(ComparedModel&&) noexcept = default;
ComparedModel::~ComparedModel() = default;

Result<ComparedModel> ComparedModel::open(const std::string& file, const Arguments& arguments,
                                          Console& console) {
  auto state = std::make_unique<State>();
  state->file = file;
  state->arguments = &arguments;
  state->console = &console;
  if (file.ends_with(".om")) {
    OPKIT_TRY(state->loaded, model::load(file));
    if (!state->loaded->aipp.empty())
      return Error(quantize::kDataMisfit,
                   fmt::format("{} takes pictures, which its AIPP prepares", file),
                   "compile it without --insert_op_conf for a comparison");
  } else {
    OPKIT_TRY(state->source, quantize::open_model(file));
  }
  return ComparedModel(std::move(state));
}

std::vector<std::string> ComparedModel::input_names() const {
  if (!state_->loaded) return state_->source.input_names();
  std::vector<std::string> names;
  for (const uint32_t t : state_->loaded->inputs)
    names.push_back(state_->loaded->tensors[t].desc.name);
  return names;
}

Status ComparedModel::take_data(const quantize::Samples& samples) {
  state_->samples = samples;
  std::vector<quantize::Wanted> wanted;
  if (state_->loaded) {
    for (const uint32_t t : state_->loaded->inputs) {
      const TensorDesc& desc = state_->loaded->tensors[t].desc;
      wanted.push_back({desc.name, desc.dtype, desc.shape});
    }
    OPKIT_CHECK(state_->load_runner());
  } else {
    OPKIT_TRY(const auto shapes,
              compile::parse_input_shapes(state_->arguments->get("--input_shape")));
    OPKIT_CHECK(quantize::take_graph(shapes, &samples, 1, state_->source));
    OPKIT_TRY(auto walk, quantize::Walk::make(state_->source.graph));
    state_->walk.emplace(std::move(walk));
    wanted = state_->source.wanted();
  }
  return state_->samples->fit(wanted);
}

quantize::ModelSide ComparedModel::side() const {
  if (state_->walk) return quantize::side_of(*state_->walk, *state_->samples);
  quantize::ModelSide side;
  for (const uint32_t t : state_->runner->model().outputs)
    side.outputs.push_back(state_->runner->model().tensors[t].desc.name);
  side.run = [state = state_.get()](size_t sample, const LookAtPlace& look) {
    return state->run_on_chip(sample, look);
  };
  return side;
}

const quantize::Samples& ComparedModel::samples() const { return *state_->samples; }
bool ComparedModel::runs_on_chip() const { return !state_->walk; }
const std::string& ComparedModel::file() const { return state_->file; }

}  // namespace opkit::cli
