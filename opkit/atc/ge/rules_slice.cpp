// Slices, splits, pads and resizing: operators whose bounds are constants.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "opkit/atc/ge/emitter.h"
#include "opkit/atc/ge/types.h"

namespace opkit::ge_frontend {
namespace {

using Bounds = std::vector<int64_t>;

constexpr int64_t kEnd = std::numeric_limits<int32_t>::max();  // clamped to the dim

Status slice_of(Emitter& emit, const Bounds& offsets, const Bounds& sizes) {
  if (offsets.size() != sizes.size())
    return emit.refuse(fmt::format("{} offsets and {} sizes", offsets.size(), sizes.size()),
                       "give one of each for every dim");
  Bounds ends, axes(offsets.size());
  for (size_t i = 0; i < sizes.size(); ++i)
    ends.push_back(sizes[i] < 0 ? kEnd : offsets[i] + sizes[i]);
  std::iota(axes.begin(), axes.end(), 0);
  return emit.result(
      "Slice", {emit.in("x"), emit.constant(offsets), emit.constant(ends), emit.constant(axes)});
}

Status slice(Emitter& emit) {
  OPKIT_TRY(const Bounds offsets, emit.numbers("offsets"));
  OPKIT_TRY(const Bounds sizes, emit.numbers("size"));
  return slice_of(emit, offsets, sizes);
}

Status slice_d(Emitter& emit) { return slice_of(emit, emit.list("offsets"), emit.list("size")); }

// Bounds of a strided slice, one for each of its axes.
struct Strided {
  Bounds begins, ends, axes, strides;
  Bounds dropped;  // axes of one index
};

// A bit of the masks makes a bound open, or its axis one index.
void apply_masks(const Emitter& emit, Strided& slice) {
  const int64_t open_begin = emit.integer("begin_mask"), open_end = emit.integer("end_mask"),
                shrink = emit.integer("shrink_axis_mask");
  for (size_t i = 0; i < slice.begins.size() && i < 63; ++i) {
    const bool down = slice.strides[i] < 0;
    if ((open_begin >> i & 1) != 0) slice.begins[i] = down ? kEnd : 0;
    if ((open_end >> i & 1) != 0) slice.ends[i] = down ? -kEnd : kEnd;
    if ((shrink >> i & 1) == 0) continue;
    slice.strides[i] = 1;
    slice.ends[i] = slice.begins[i] == -1 ? kEnd : slice.begins[i] + 1;
    slice.dropped.push_back(slice.axes[i]);
  }
}

Status strided(Emitter& emit, Strided slice) {
  OPKIT_CHECK(emit.only("ellipsis_mask", int64_t{0}));
  OPKIT_CHECK(emit.only("new_axis_mask", int64_t{0}));
  const size_t count = slice.begins.size();
  if (slice.axes.empty()) {
    slice.axes.resize(count);
    std::iota(slice.axes.begin(), slice.axes.end(), 0);
  }
  if (slice.strides.empty()) slice.strides.assign(count, 1);
  if (slice.ends.size() != count || slice.axes.size() != count || slice.strides.size() != count)
    return emit.refuse(fmt::format("{} begins, {} ends, {} axes, {} strides", count,
                                   slice.ends.size(), slice.axes.size(), slice.strides.size()),
                       "give one of each for every axis");
  apply_masks(emit, slice);
  std::vector<std::string> inputs = {emit.in("x"), emit.constant(slice.begins),
                                     emit.constant(slice.ends), emit.constant(slice.axes),
                                     emit.constant(slice.strides)};
  if (slice.dropped.empty()) return emit.result("Slice", std::move(inputs));
  return emit.result("Squeeze",
                     {emit.inner("Slice", std::move(inputs)), emit.constant(slice.dropped)});
}

Status strided_slice(Emitter& emit) {
  Strided slice;
  OPKIT_TRY(slice.begins, emit.numbers("begin"));
  OPKIT_TRY(slice.ends, emit.numbers("end"));
  OPKIT_TRY(slice.strides, emit.numbers("strides"));
  return strided(emit, std::move(slice));
}

Status strided_slice_v2(Emitter& emit) {
  Strided slice;
  OPKIT_TRY(slice.begins, emit.numbers("begin"));
  OPKIT_TRY(slice.ends, emit.numbers("end"));
  OPKIT_TRY(slice.axes, emit.numbers("axes"));
  OPKIT_TRY(slice.strides, emit.numbers("strides"));
  return strided(emit, std::move(slice));
}

Result<size_t> part_count(const Emitter& emit) {
  const int64_t count = emit.integer("num_split");
  if (count >= 1 && count <= 4096) return static_cast<size_t>(count);
  return emit.refuse(fmt::format("num_split is {}", count), "set_attr_num_split(2)");
}

// Writes a Split into parts of equal size, as many as the attribute num_split says.
Status split_evenly(Emitter& emit, int64_t axis) {
  OPKIT_TRY(const size_t count, part_count(emit));
  return emit.results("Split", {emit.in("x")}, {{"axis", axis}}, count);
}

// Writes a Split into parts of the sizes that the node states. One of them may be -1, which stands
// for what the others leave.
Status split_by(Emitter& emit, Bounds sizes, int64_t axis) {
  OPKIT_TRY(const size_t count, part_count(emit));
  OPKIT_TRY(const Shape dims, emit.dims("x"));
  const auto rank = static_cast<int64_t>(dims.rank());
  if (sizes.size() != count || axis < -rank || axis >= rank)
    return emit.refuse(fmt::format("{} size_splits for {} parts of dim {} of {}", sizes.size(),
                                   count, axis, dims.to_string()),
                       "give a size for each part, along a dim that is there");
  const int64_t whole = dims[static_cast<size_t>(axis < 0 ? axis + rank : axis)];
  const auto open = std::ranges::find(sizes, -1);
  if (open != sizes.end()) *open = whole - (std::accumulate(sizes.begin(), sizes.end(), 0L) + 1);
  return emit.results("Split", {emit.in("x"), emit.constant(sizes)}, {{"axis", axis}}, count);
}

Status split(Emitter& emit) {
  OPKIT_TRY(const int64_t axis, emit.number_in("split_dim"));
  return split_evenly(emit, axis);
}

Status split_d(Emitter& emit) { return split_evenly(emit, emit.integer("split_dim")); }

Status split_v(Emitter& emit) {
  OPKIT_TRY(Bounds sizes, emit.numbers("size_splits"));
  OPKIT_TRY(const int64_t axis, emit.number_in("split_dim"));
  return split_by(emit, std::move(sizes), axis);
}

Status split_vd(Emitter& emit) {
  return split_by(emit, emit.list("size_splits"), emit.integer("split_dim"));
}

// ONNX has all begins, then all ends.
Status padded(Emitter& emit, const std::string& mode, const std::string& filler, bool pairs) {
  OPKIT_TRY(const Bounds given, emit.numbers("paddings"));
  const size_t rank = given.size() / 2;
  Bounds pads(given.size());
  for (size_t i = 0; i < rank; ++i) {
    pads[i] = given[pairs ? 2 * i : i];
    pads[rank + i] = given[pairs ? 2 * i + 1 : rank + i];
  }
  std::vector<std::string> inputs = {emit.in("x"), emit.constant(pads)};
  if (!filler.empty()) inputs.push_back(filler);
  return emit.result("Pad", std::move(inputs), {{"mode", mode}});
}

Status pad(Emitter& emit) { return padded(emit, "constant", "", true); }

Status pad_v3(Emitter& emit) {
  const std::string mode = emit.text("mode");
  if (mode != "constant" && mode != "reflect" && mode != "edge")
    return emit.refuse("mode is " + mode, "set_attr_mode(\"constant\")");
  std::string filler = emit.in("constant_values");
  if (!filler.empty() && mode == "constant")
    filler = emit.inner("Reshape", {filler, emit.constant({})});  // a scalar
  return padded(emit, mode, mode == "constant" ? filler : "", emit.flag("paddings_contiguous"));
}

// Returns the output's dims: those of the images, with the new height and width.
Result<std::string> sizes_of(Emitter& emit) {
  OPKIT_TRY(const Shape dims, emit.dims("x"));
  OPKIT_TRY(const Bounds size, emit.numbers("size"));
  if (dims.rank() == 4 && size.size() == 2)
    return emit.constant({dims[0], dims[1], size[0], size[1]});
  return emit.refuse(
      fmt::format("images of {} become {} numbers of size", dims.to_string(), size.size()),
      "give images in NCHW, and their new height and width as size");
}

Status resize(Emitter& emit, const std::string& images, const std::string& mode) {
  const bool corners = emit.flag("align_corners"), centers = emit.flag("half_pixel_centers");
  if (corners && centers)
    return emit.refuse("align_corners and half_pixel_centers exclude each other",
                       "set_attr_align_corners(false)");
  OPKIT_TRY(const std::string sizes, sizes_of(emit));
  Emitter::Attributes attributes = {{"mode", mode}};
  attributes["coordinate_transformation_mode"] = std::string(corners   ? "align_corners"
                                                             : centers ? "half_pixel"
                                                                       : "asymmetric");
  if (mode == "nearest")
    attributes["nearest_mode"] = std::string(corners || centers ? "round_prefer_ceil" : "floor");
  return emit.result("Resize", {images, "", "", sizes}, std::move(attributes));
}

Status resize_nearest(Emitter& emit) { return resize(emit, emit.in("x"), "nearest"); }

Status resize_bilinear(Emitter& emit) {
  OPKIT_TRY(const DType dtype, dtype_of(emit.integer("dtype"), emit.name()));
  const std::string images =
      emit.inner("Cast", {emit.in("x")}, {{"to", std::string(name_of(dtype))}});
  return resize(emit, images, "linear");
}

}  // namespace

Rules slice_rules() {
  return {{"Slice", slice},
          {"SliceD", slice_d},
          {"StridedSlice", strided_slice},
          {"StridedSliceV2", strided_slice_v2},
          {"Split", split},
          {"SplitD", split_d},
          {"SplitV", split_v},
          {"SplitVD", split_vd},
          {"Pad", pad},
          {"PadV3", pad_v3},
          {"ResizeNearestNeighborV2", resize_nearest},
          {"ResizeBilinearV2", resize_bilinear}};
}

}  // namespace opkit::ge_frontend
