#include "opkit/atc/compile/gears.h"

#include <fmt/format.h>

#include <algorithm>

#include "opkit/atc/compile/flag_text.h"
#include "opkit/atc/compile/input_shapes.h"

namespace opkit::compile {
namespace {

using model::GearKind;

constexpr size_t kLeastGears = 2;

using Inputs = std::vector<StatedInput>;
using Values = std::vector<int64_t>;

// The flag that says what stands for -1.
struct Flag {
  GearKind kind = GearKind::kNone;
  std::string name, text;
  const char* example = "";
};

Error invalid(const Flag& flag, const std::string& why) {
  return Error("E10001",
               fmt::format("value [{}] for parameter [{}] is invalid. Reason: {}", flag.text,
                           flag.name, why),
               flag.example);
}

Error bad_shape(const std::string& text, const std::string& why, const char* action) {
  return Error(
      "E10001",
      fmt::format("value [{}] for parameter [--input_shape] is invalid. Reason: {}", text, why),
      action);
}

Result<Flag> flag_of(const GearFlags& flags) {
  const Flag all[] = {
      {GearKind::kBatch, "--dynamic_batch_size", flags.batch,
       "--input_shape=\"data:-1,3,224,224\" --dynamic_batch_size=\"1,2,4\""},
      {GearKind::kImage, "--dynamic_image_size", flags.image,
       "--input_shape=\"data:1,3,-1,-1\" --dynamic_image_size=\"224,224;448,448\""},
      {GearKind::kDims, "--dynamic_dims", flags.dims,
       "--input_format=ND --input_shape=\"ids:-1,-1\" --dynamic_dims=\"1,64;1,128\""}};
  Flag given;
  for (const Flag& flag : all) {
    if (flag.text.empty()) continue;
    if (given.kind != GearKind::kNone)
      return invalid(flag, fmt::format("it may not be given together with {}", given.name));
    given = flag;
  }
  return given;
}

// "1,2,4" for batches, "224,224;448,448" for the others.
Result<std::vector<Values>> parse_values(const Flag& flag) {
  std::vector<Values> gears;
  for (const std::string_view gear : split(flag.text, flag.kind == GearKind::kBatch ? ',' : ';')) {
    Values values;
    for (const std::string_view part : split(gear, ',')) {
      const auto value = whole_number(part);
      if (!value || *value < 1)
        return invalid(flag, fmt::format("'{}' is no positive number", part));
      values.push_back(*value);
    }
    if (std::find(gears.begin(), gears.end(), values) != gears.end())
      return invalid(flag, fmt::format("the gear {} stands there twice", gear_text(values)));
    gears.push_back(std::move(values));
  }
  if (gears.size() >= kLeastGears && gears.size() <= model::kMostGears) return gears;
  return invalid(flag, fmt::format("{} gears are given, {} to {} can be", gears.size(), kLeastGears,
                                   model::kMostGears));
}

std::vector<size_t> open_dims(const StatedInput& input) {
  std::vector<size_t> open;
  for (size_t d = 0; d < input.dims.size(); ++d) {
    if (input.dims[d].open()) open.push_back(d);
  }
  return open;
}

// Returns the dims that may be -1 in an input that has any; {}: all.
std::vector<size_t> allowed_dims(GearKind kind) {
  if (kind == GearKind::kBatch) return {0};
  if (kind == GearKind::kImage) return {2, 3};
  return {};
}

Status check_open_dims(const Flag& flag, const Inputs& inputs) {
  const std::vector<size_t> allowed = allowed_dims(flag.kind);
  size_t all = 0;
  for (const StatedInput& input : inputs) {
    const std::vector<size_t> open = open_dims(input);
    all += open.size();
    const bool fits = open.empty() || allowed.empty() || open == allowed;
    const bool image = flag.kind != GearKind::kImage || open.empty() || input.dims.size() == 4;
    if (!fits || !image)
      return invalid(
          flag, fmt::format("the -1 of input '{}' in --input_shape do not stand for {}", input.name,
                            flag.kind == GearKind::kBatch ? "the batch, the first dim"
                                                          : "H and W of NCHW"));
  }
  if (all > 0) return {};
  return invalid(flag, "no dim of --input_shape is -1");
}

// Returns how many values a gear has to have.
size_t wanted_values(GearKind kind, const Inputs& inputs) {
  if (kind == GearKind::kBatch) return 1;
  if (kind == GearKind::kImage) return 2;
  size_t open = 0;
  for (const StatedInput& input : inputs) open += open_dims(input).size();
  return open;
}

Status check_gears(const Flag& flag, const Inputs& inputs, const std::vector<Values>& gears) {
  const size_t wanted = wanted_values(flag.kind, inputs);
  for (const Values& gear : gears) {
    if (gear.size() == wanted) continue;
    return invalid(flag, fmt::format("the gear {} has {} values, {} are wanted", gear_text(gear),
                                     gear.size(), wanted));
  }
  return {};
}

// Returns the shapes with a gear's values in the place of -1: in order, from the start for every
// input but of --dynamic_dims.
std::map<std::string, Shape> shapes_of(const Inputs& inputs, GearKind kind, const Values& gear) {
  std::map<std::string, Shape> shapes;
  size_t next = 0;
  for (const StatedInput& input : inputs) {
    if (kind == GearKind::kBatch || kind == GearKind::kImage) next = 0;
    Shape& shape = shapes[input.name];
    for (const StatedDim& dim : input.dims)
      shape.dims().push_back(dim.open() || dim.range() ? gear[next++] : dim.low);
  }
  return shapes;
}

Gears made(const Inputs& inputs, GearKind kind, std::vector<Values> values) {
  Gears gears{kind, std::move(values), {}};
  for (const Values& gear : gears.values) gears.shapes.push_back(shapes_of(inputs, kind, gear));
  return gears;
}

std::vector<StatedDim> ranges_of(const Inputs& inputs) {
  std::vector<StatedDim> ranges;
  for (const StatedInput& input : inputs)
    std::copy_if(input.dims.begin(), input.dims.end(), std::back_inserter(ranges),
                 [](const StatedDim& dim) { return dim.range(); });
  return ranges;
}

// Returns every combination of the ranges' values, the last one fastest.
Result<std::vector<Values>> combinations(const std::string& text,
                                         const std::vector<StatedDim>& ranges) {
  std::vector<Values> all = {{}};
  for (const StatedDim& range : ranges) {
    const auto count = static_cast<uint64_t>(range.high - range.low) + 1;
    if (count > model::kMostGears / all.size())
      return bad_shape(text,
                       fmt::format("the ranges have more than {} shapes, and every shape is "
                                   "compiled by itself",
                                   model::kMostGears),
                       "give narrower ranges, or --dynamic_dims with the shapes that you need");
    std::vector<Values> longer;
    for (const Values& values : all) {
      for (int64_t value = range.low; value <= range.high; ++value) {
        longer.push_back(values);
        longer.back().push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

bool has_open(const Inputs& inputs) {
  return std::any_of(inputs.begin(), inputs.end(),
                     [](const StatedInput& input) { return !open_dims(input).empty(); });
}

Result<Gears> without_flag(const std::string& text, const Inputs& inputs) {
  if (has_open(inputs))
    return bad_shape(text, "no flag says which values -1 stands for",
                     "add --dynamic_batch_size, --dynamic_image_size or --dynamic_dims, or write a "
                     "range such as 1~8");
  const std::vector<StatedDim> ranges = ranges_of(inputs);
  if (ranges.empty()) return made(inputs, GearKind::kNone, {{}});
  OPKIT_TRY(std::vector<Values> all, combinations(text, ranges));
  return made(inputs, GearKind::kShapes, std::move(all));
}

}  // namespace

std::string gear_text(const std::vector<int64_t>& values) {
  return fmt::format("{}", fmt::join(values, ","));
}

Result<Gears> read_gears(const GearFlags& flags) {
  OPKIT_TRY(const Inputs inputs, parse_stated_inputs(flags.input_shape));
  OPKIT_TRY(const Flag flag, flag_of(flags));
  if (flag.kind == GearKind::kNone) return without_flag(flags.input_shape, inputs);
  if (!ranges_of(inputs).empty())
    return invalid(flag, "ranges in --input_shape are gears by themselves");
  if (flag.kind == GearKind::kDims && flags.input_format != "ND")
    return invalid(flag, "it needs --input_format=ND");
  if (flag.kind == GearKind::kImage && !flags.input_format.empty() && flags.input_format != "NCHW")
    return invalid(flag, "it needs --input_format=NCHW");
  OPKIT_TRY(std::vector<Values> values, parse_values(flag));
  OPKIT_CHECK(check_open_dims(flag, inputs));
  OPKIT_CHECK(check_gears(flag, inputs, values));
  return made(inputs, flag.kind, std::move(values));
}

}  // namespace opkit::compile
