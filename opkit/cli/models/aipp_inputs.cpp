#include "opkit/cli/models/aipp_inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "opkit/atc/compile/aipp.h"
#include "opkit/base/file.h"

namespace opkit::cli {

using model::Aipp;
using model::AippInput;

namespace {

Shape image_shape(const Aipp& aipp, int64_t images) {
  if (aipp.format == Aipp::Format::kYuv420) return {images, aipp.height / 2 * 3, aipp.width, 1};
  return {images, aipp.height, aipp.width, channels_of(aipp.format)};
}

Shape taken(const AippInput& input, int64_t images) {
  Shape dims(input.dims[0]);
  dims.dims()[0] = images;
  return dims;
}

}  // namespace

Flag aipp_flag() {
  return {.name = "--aipp",
          .value = "FILE",
          .help =
              "of a model with dynamic AIPP: what is done to every image, written as for atc with "
              "aipp_mode: static; --input takes the images as they are, [N, H, W, C] of uint8",
          .complete = Complete::kFile};
}

Result<AippInputs> AippInputs::read(const model::OfflineModel& model, const Arguments& arguments) {
  AippInputs inputs(model);
  const auto file = arguments.find("--aipp");
  if (!file) return inputs;
  OPKIT_TRY(const std::string text, read_file(*file, size_t{1} << 22));
  OPKIT_TRY(const auto ops, compile::parse_aipp(text, *file));
  for (const compile::AippOp& op : ops) {
    const auto found = std::ranges::find_if(model.aipp, [&](const AippInput& input) {
      const bool meant =
          op.input.empty() ? input.input == op.rank : inputs.desc(input.input).name == op.input;
      return input.dynamic && meant;
    });
    if (found == model.aipp.end() || op.dynamic)
      return Error("OPK-CLI-004",
                   op.dynamic ? "--aipp: the settings have aipp_mode: dynamic"
                              : "--aipp: the model has no dynamic AIPP for what an aipp_op is for",
                   op.dynamic ? "aipp_mode: static" : "related_input_rank or related_input_name")
          .at(op.where);
    if (std::ranges::find(inputs.all_, &*found, &Settings::of) != inputs.all_.end())
      return Error("OPK-CLI-004", "--aipp: two aipp_op are for one input",
                   "state related_input_rank")
          .at(op.where);
    inputs.all_.push_back({&*found, with_sizes(op.aipp, Shape(found->dims[0]))});
  }
  return inputs;
}

Result<Tensor> AippInputs::rows(const Settings& settings, int64_t images) const {
  OPKIT_TRY(const auto rows,
            model::aipp_rows(std::vector<Aipp>(static_cast<size_t>(images), settings.aipp),
                             taken(*settings.of, images),
                             static_cast<uint64_t>(desc(settings.of->input).shape.elements())));
  const TensorDesc& wanted = desc(settings.of->settings);
  Tensor tensor(wanted.dtype, Shape{images, model::kAippNumbers}, wanted.name);
  std::memcpy(tensor.data(), rows.data(), tensor.size_bytes());
  return tensor;
}

Status AippInputs::check(const Settings& settings, const Tensor& image) const {
  const TensorDesc& wanted = desc(settings.of->input);
  const int64_t given = image.shape().rank() > 0 ? image.shape()[0] : 0;
  const auto takes = [&](const std::vector<int64_t>& dims) { return dims[0] == given; };
  const bool taken = std::ranges::any_of(settings.of->dims, takes);
  const int64_t batch = taken ? given : settings.of->dims[0][0];
  if (image.dtype() != DType::kUInt8 || image.shape() != image_shape(settings.aipp, given))
    return Error(model::kBadInput,
                 fmt::format("input '{}' is {} {}; images as --aipp says are uint8 {}", wanted.name,
                             name_of(image.dtype()), image.shape().to_string(),
                             image_shape(settings.aipp, batch).to_string()),
                 "correct src_image_size and input_format, or give other images");
  if (taken) return {};
  return Error(
      model::kBadInput,
      fmt::format("input '{}' has {} images, the model takes {}", wanted.name, given, batch),
      "give as many images as a gear of the model takes (opkit om show)");
}

// REQUIRES: there are settings for the images, which fit.
Tensor AippInputs::memory(const Settings& settings, const Tensor& image) const {
  const TensorDesc& wanted = desc(settings.of->input);
  Tensor memory(wanted.dtype, wanted.shape, wanted.name);
  std::memcpy(memory.data(), image.data(), image.size_bytes());
  return memory;
}

Status AippInputs::give(GivenInputs& given) const {
  for (const Settings& settings : all_) {
    if (given[settings.of->settings])
      return Error("OPK-CLI-004",
                   fmt::format("--aipp: the settings of input '{}' are given as '{}', too",
                               desc(settings.of->input).name, desc(settings.of->settings).name),
                   "leave one of them out");
    std::optional<Tensor>& image = given[settings.of->input];
    if (!image) continue;
    OPKIT_CHECK(check(settings, *image));
    OPKIT_TRY(given[settings.of->settings], rows(settings, image->shape()[0]));
    image = memory(settings, *image);
  }
  return {};
}

Result<std::optional<Tensor>> AippInputs::settings(const model::Plan& plan, size_t input) const {
  for (const Settings& settings : all_) {
    if (settings.of->settings != input) continue;
    OPKIT_TRY(Tensor tensor, rows(settings, plan.tensors[plan.inputs[input]].desc.shape[0]));
    return std::optional<Tensor>(std::move(tensor));
  }
  return std::optional<Tensor>();
}

bool takes_aipp_settings(const model::OfflineModel& model, size_t input) {
  return std::ranges::any_of(
      model.aipp, [&](const AippInput& one) { return one.dynamic && one.settings == input; });
}

}  // namespace opkit::cli
