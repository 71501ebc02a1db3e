// Resize and Upsample. Every axis is resampled on its own: an output position has a few source
// positions with weights, and the result is the sum over their products.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"

namespace opkit::reference {
namespace {

struct Source {
  int64_t position;
  double weight;
};

struct AxisPoint {
  std::vector<Source> sources;
  bool outside = false;  // takes the extrapolation value of tf_crop_and_resize
};

struct Plan {
  std::string mode, coordinates, nearest;
  // Version 10: the nearest element lies behind the place on an axis that shrinks, before it on
  // others. (ONNX's tests of that version have it so.)
  bool turns_when_shrinking = false;
  double cubic = -0.75;
  bool exclude_outside = false;
  double extrapolation = 0;
  std::vector<double> scales, roi;  // roi: starts, then ends
  // x of the input become y of the output: 1 and the scale, or both sizes, whose quotients are
  // whole where the exact place is.
  struct Ratio {
    double x, y;
  };
  std::vector<Ratio> ratios;
  // The resized lengths that coordinates are computed with: input * scale where scales are given,
  // not rounded down as the output's dims are. (ONNX's own tests have it so.)
  std::vector<double> lengths;
  Shape output;
};

// Where the output position lies in the input.
double original(const Plan& plan, size_t d, int64_t at, int64_t in) {
  const double x = static_cast<double>(at);
  const auto [of_x, of_y] = plan.ratios[d];
  const double in_size = static_cast<double>(in), out_size = plan.lengths[d];
  if (plan.coordinates == "asymmetric") return x * of_x / of_y;
  if (plan.coordinates == "align_corners") {
    return out_size == 1 ? 0 : x * (in_size - 1) / (out_size - 1);
  }
  if (plan.coordinates == "pytorch_half_pixel" && out_size == 1) return 0;
  if (plan.coordinates == "half_pixel_symmetric") {
    const double kept = static_cast<double>(plan.output[d]) / out_size;
    return in_size / 2 * (1 - kept) + (x + 0.5) * of_x / of_y - 0.5;
  }
  if (plan.coordinates == "tf_half_pixel_for_nn") return (x + 0.5) * of_x / of_y;
  if (plan.coordinates == "tf_crop_and_resize") {
    const double start = plan.roi[d], end = plan.roi[plan.roi.size() / 2 + d];
    if (out_size == 1) return 0.5 * (start + end) * (in_size - 1);
    return start * (in_size - 1) + x * (end - start) * (in_size - 1) / (out_size - 1);
  }
  return (x + 0.5) * of_x / of_y - 0.5;
}

int64_t nearest_of(const std::string& mode, double x) {
  if (mode == "floor") return static_cast<int64_t>(std::floor(x));
  if (mode == "ceil") return static_cast<int64_t>(std::ceil(x));
  if (mode == "round_prefer_ceil") return static_cast<int64_t>(std::floor(x + 0.5));
  return static_cast<int64_t>(std::ceil(x - 0.5));
}

// Keys' cubic convolution kernel at distance t with parameter a.
double cubic_weight(double t, double a) {
  t = std::abs(t);
  if (t <= 1) return ((a + 2) * t - (a + 3)) * t * t + 1;
  if (t < 2) return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a;
  return 0;
}

std::string nearest_mode(const Plan& plan, size_t d) {
  return plan.turns_when_shrinking && plan.scales[d] < 1 ? "ceil" : plan.nearest;
}

std::vector<Source> sources_of(const Plan& plan, size_t d, double x) {
  if (plan.mode == "nearest") return {{nearest_of(nearest_mode(plan, d), x), 1}};
  const int64_t base = static_cast<int64_t>(std::floor(x));
  const double fraction = x - std::floor(x);
  if (plan.mode == "linear") return {{base, 1 - fraction}, {base + 1, fraction}};
  std::vector<Source> sources;
  for (int64_t k = -1; k <= 2; ++k) {
    sources.push_back({base + k, cubic_weight(fraction - static_cast<double>(k), plan.cubic)});
  }
  return sources;
}

// Sources outside the input repeat its edge, or are left out and the others rescaled.
void confine(const Plan& plan, std::vector<Source>& sources, int64_t size) {
  const auto outside = [&](const Source& s) { return s.position < 0 || s.position >= size; };
  if (plan.exclude_outside && plan.mode == "cubic") {
    sources.erase(std::remove_if(sources.begin(), sources.end(), outside), sources.end());
    double total = 0;
    for (const Source& s : sources) total += s.weight;
    for (Source& s : sources) s.weight /= total;
  }
  for (Source& s : sources) s.position = std::clamp<int64_t>(s.position, 0, size - 1);
}

AxisPoint axis_point(const Plan& plan, size_t d, int64_t at, int64_t in) {
  // An axis that is not scaled is copied, whatever the coordinate mode would make of it.
  const bool crop = plan.coordinates == "tf_crop_and_resize";
  if (!crop && plan.scales[d] == 1 && in == plan.output[d]) return {{{at, 1}}, false};
  const double x = original(plan, d, at, in);
  const bool inside = x >= 0 && x <= static_cast<double>(in - 1);
  if (crop && !inside) return {{}, true};
  AxisPoint point{sources_of(plan, d, x), false};
  confine(plan, point.sources, in);
  return point;
}

double blended(const RefTensor& x, const std::vector<const AxisPoint*>& points, size_t d,
               int64_t offset) {
  if (d == points.size()) return x[offset];
  double sum = 0;
  for (const Source& s : points[d]->sources) {
    sum += s.weight * blended(x, points, d + 1, offset * x.shape[d] + s.position);
  }
  return sum;
}

Result<RefTensor> resample(const OperatorCall& call, const Plan& plan) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(RefTensor out, call.result());
  std::vector<std::vector<AxisPoint>> axes(x.shape.rank());
  for (size_t d = 0; d < axes.size(); ++d) {
    for (int64_t at = 0; at < plan.output[d]; ++at) {
      axes[d].push_back(axis_point(plan, d, at, x.shape[d]));
    }
  }
  std::vector<const AxisPoint*> points(axes.size());
  int64_t position = 0;
  for_each_index(plan.output, [&](const Index& index) {
    bool outside = false;
    for (size_t d = 0; d < axes.size(); ++d) {
      points[d] = &axes[d][static_cast<size_t>(index[d])];
      outside = outside || points[d]->outside;
    }
    out[position++] = outside ? plan.extrapolation : blended(x, points, 0, 0);
  });
  return out;
}

Status check_modes(const OperatorCall& call, const Plan& plan) {
  const auto known = [](const std::string& word, std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  if (!known(plan.mode, {"nearest", "linear", "cubic"})) {
    return call.attribute_error("mode '" + plan.mode + "' is unknown");
  }
  if (!known(plan.coordinates,
             {"half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel",
              "half_pixel_symmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"})) {
    return call.attribute_error("coordinate_transformation_mode '" + plan.coordinates +
                                "' is unknown");
  }
  if (!known(plan.nearest, {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"})) {
    return call.attribute_error("nearest_mode '" + plan.nearest + "' is unknown");
  }
  if (call.integer("antialias", 0) != 0) return call.not_implemented("antialias");
  if (call.text("keep_aspect_ratio_policy", "stretch") != "stretch")
    return call.not_implemented("keep_aspect_ratio_policy");
  return {};
}

// Where roi, scales and sizes belong: to every axis, or since version 18 to those that are named.
Result<std::vector<size_t>> named_axes(const OperatorCall& call) {
  const size_t rank = call.input(0).shape.rank();
  std::vector<int64_t> every(rank);
  std::iota(every.begin(), every.end(), 0);
  const std::vector<int64_t> stated = call.integers("axes", every);
  OPKIT_TRY([[maybe_unused]] const std::vector<size_t> distinct, call.axes(stated, rank));
  std::vector<size_t> axes;
  for (const int64_t axis : stated) {
    OPKIT_TRY(const size_t d, call.axis(axis, rank));
    axes.push_back(d);
  }
  return axes;
}

// Returns one value for every axis: those of `some` at the named ones, `others` elsewhere.
Result<std::vector<double>> spread(const OperatorCall& call, const std::vector<double>& some,
                                   std::vector<double> others) {
  OPKIT_TRY(const std::vector<size_t> axes, named_axes(call));
  if (some.size() != axes.size())
    return call.shape_error("scales or sizes must have one value per resized dim");
  for (size_t i = 0; i < axes.size(); ++i) others[axes[i]] = some[i];
  return others;
}

std::vector<double> dims_of(const Shape& shape) {
  return std::vector<double>(shape.dims().begin(), shape.dims().end());
}

// Scales give the sizes (rounded down), or sizes give the scales.
Status size_by_scales(const OperatorCall& call, const std::vector<double>& scales, Plan& plan) {
  const Shape& in = call.input(0).shape;
  if (scales.size() != in.rank()) return call.shape_error("scales must have one value per dim");
  for (size_t d = 0; d < in.rank(); ++d) {
    const double size = std::floor(static_cast<double>(in[d]) * scales[d]);
    if (!(scales[d] > 0) || size > static_cast<double>(kMaxElements)) {
      return call.attribute_error("a scale of " + std::to_string(scales[d]));
    }
    plan.output.dims().push_back(static_cast<int64_t>(size));
    plan.lengths.push_back(static_cast<double>(in[d]) * scales[d]);
    plan.ratios.push_back({1, scales[d]});
  }
  plan.scales = scales;
  return {};
}

Status size_by_sizes(const OperatorCall& call, Plan& plan) {
  const Shape& in = call.input(0).shape;
  OPKIT_CHECK(call.require_integer(3));
  OPKIT_TRY(const std::vector<double> sizes, spread(call, call.input(3).values, dims_of(in)));
  plan.output = Shape(std::vector<int64_t>(sizes.begin(), sizes.end()));
  for (size_t d = 0; d < in.rank(); ++d) {
    plan.scales.push_back(sizes[d] / static_cast<double>(in[d]));
    plan.lengths.push_back(sizes[d]);
    plan.ratios.push_back({static_cast<double>(in[d]), sizes[d]});
  }
  return {};
}

bool given(const OperatorCall& call, size_t input) {
  if (!call.has_input(input)) return false;
  const Shape& shape = call.input(input).shape;
  return product(shape, 0, shape.rank()) != 0;
}

// Before version 11 there are scales only; since then scales or sizes.
Status check_given(const OperatorCall& call) {
  const bool old = call.opset() < 11;
  if (given(call, old ? 1 : 2) != (!old && given(call, 3))) return {};
  return call.error(kBadArity, "exactly one of scales and sizes must be given", "give one");
}

// Starts of all axes, then ends: an axis that is not named is kept whole.
Status read_roi(const OperatorCall& call, Plan& plan) {
  const std::vector<double>& values = call.input(1).values;
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  const size_t rank = call.input(0).shape.rank();
  if (plan.coordinates != "tf_crop_and_resize") return {};
  OPKIT_TRY(plan.roi, spread(call, {values.begin(), half}, std::vector<double>(rank, 0)));
  OPKIT_TRY(const auto ends, spread(call, {half, values.end()}, std::vector<double>(rank, 1)));
  plan.roi.insert(plan.roi.end(), ends.begin(), ends.end());
  return {};
}

// Inputs: x, roi, scales, sizes; in version 10: x, scales.
Result<Plan> resize_plan(const OperatorCall& call) {
  const bool old = call.opset() < 11;
  Plan plan;
  plan.mode = call.text("mode");
  plan.coordinates = call.text("coordinate_transformation_mode", old ? "asymmetric" : "half_pixel");
  plan.nearest = call.text("nearest_mode", old ? "floor" : "round_prefer_floor");
  plan.turns_when_shrinking = old;
  plan.cubic = call.number("cubic_coeff_a");
  plan.exclude_outside = call.integer("exclude_outside") != 0;
  plan.extrapolation = call.number("extrapolation_value");
  OPKIT_CHECK(check_modes(call, plan));
  if (!old && given(call, 1)) OPKIT_CHECK(read_roi(call, plan));
  if (plan.coordinates == "tf_crop_and_resize" &&
      plan.roi.size() != 2 * call.input(0).shape.rank()) {
    return call.shape_error("roi must have two values per dim");
  }
  const size_t scales = old ? 1 : 2;
  if (given(call, scales)) {
    const std::vector<double> kept(call.input(0).shape.rank(), 1);
    OPKIT_TRY(const auto every, spread(call, call.input(scales).values, kept));
    OPKIT_CHECK(size_by_scales(call, every, plan));
  } else {
    OPKIT_CHECK(size_by_sizes(call, plan));
  }
  return plan;
}

Result<Outputs> resize(const OperatorCall& call) {
  OPKIT_TRY(const Plan plan, resize_plan(call));
  return only(resample(call, plan));
}

// Resize with asymmetric coordinates rounded down; scales are an attribute before version 9.
Result<Plan> upsample_plan(const OperatorCall& call) {
  Plan plan;
  plan.mode = call.text("mode");
  plan.coordinates = "asymmetric";
  plan.nearest = "floor";
  OPKIT_CHECK(check_modes(call, plan));
  OPKIT_CHECK(size_by_scales(
      call, call.has_input(1) ? call.input(1).values : call.numbers("scales"), plan));
  return plan;
}

Result<Outputs> upsample(const OperatorCall& call) {
  OPKIT_TRY(const Plan plan, upsample_plan(call));
  return only(resample(call, plan));
}

Result<DTypes> resized_type(const OperatorCall& call) {
  if (call.has_input(3)) OPKIT_CHECK(call.require_integer(3));
  return first_type(call);
}

Result<Shapes> planned_shape(const OperatorCall& call, const Plan& plan) {
  const Shape& x = call.input(0).shape;
  OPKIT_CHECK(call.check_size(plan.output));
  const bool empty = product(x, 0, x.rank()) == 0;
  if (empty && product(plan.output, 0, plan.output.rank()) != 0)
    return call.shape_error("the input is empty");
  return one(plan.output);
}

Result<Shapes> resized_shape(const OperatorCall& call) {
  OPKIT_CHECK(check_given(call));
  for (size_t i = 1; i < call.input_count(); ++i) {
    if (!call.known(i)) return Shapes();
  }
  OPKIT_TRY(const Plan plan, resize_plan(call));
  return planned_shape(call, plan);
}

Result<Shapes> upsampled_shape(const OperatorCall& call) {
  if (!call.known(1)) return Shapes();
  OPKIT_TRY(const Plan plan, upsample_plan(call));
  return planned_shape(call, plan);
}

}  // namespace

// The modes that have no value here depend on the version.
Operators resize_operators() {
  return {
      {.name = "Resize",
       .most_inputs = 4,
       .attributes = {text("coordinate_transformation_mode"), number("cubic_coeff_a", -0.75),
                      integer("exclude_outside", 0), number("extrapolation_value", 0),
                      text("mode", "nearest"), text("nearest_mode"), integer("antialias", 0),
                      integers("axes"), text("keep_aspect_ratio_policy", "stretch")},
       .evaluate = resize,
       .types = resized_type,
       .shapes = resized_shape,
       .bound = Bound::by(BoundRule::kResample, "n roundings")},
      {.name = "Upsample",
       .most_inputs = 2,
       .attributes = {text("mode", "nearest"), {"scales", AttributeKind::kNumbers}},
       .evaluate = upsample,
       .types = first_type,
       .shapes = upsampled_shape},
  };
}

}  // namespace opkit::reference
