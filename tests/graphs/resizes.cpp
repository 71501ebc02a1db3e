// Resize and Upsample.
#include "tests/graphs/maker.h"

namespace opkit::graph_tests {
namespace {

std::vector<double> scales(Maker& make, const Shape& shape, bool may_shrink) {
  std::vector<double> all;
  for (size_t d = 0; d < shape.rank(); ++d) {
    double scale = make.one_of<double>({1, 1, 2, 1.5, 3});
    if (may_shrink && make.maybe(40)) scale = make.one_of<double>({0.5, 0.6000000238418579, 0.75});
    if (scale * static_cast<double>(shape[d]) < 1) scale = 1;
    all.push_back(scale);
  }
  return all;
}

// Scales are an attribute in versions 7 and 8, an operand in 9.
bool upsample(Maker& make) {
  const std::string x = make.value(1, 4);
  if (x.empty() || make.since(10)) return false;
  Attributes attributes;
  if (make.maybe()) attributes["mode"] = std::string(make.maybe() ? "nearest" : "linear");
  const std::vector<double> by = scales(make, make.shape(x), false);
  if (make.since(9)) return make.add("Upsample", {x, make.list(by, DType::kFloat32)}, attributes);
  attributes["scales"] = by;
  return make.add("Upsample", {x}, attributes);
}

bool resize_10(Maker& make) {
  const std::string x = make.value(1, 4);
  if (x.empty() || make.opset() != 10) return false;
  Attributes attributes;
  if (make.maybe()) attributes["mode"] = std::string(make.maybe(70) ? "nearest" : "linear");
  return make.add("Resize", {x, make.list(scales(make, make.shape(x), true), DType::kFloat32)},
                  attributes);
}

Attributes modes(Maker& make) {
  Attributes attributes;
  std::vector<std::string> places = {"half_pixel", "asymmetric", "align_corners",
                                     "pytorch_half_pixel"};
  if (!make.since(13)) places.push_back("tf_half_pixel_for_nn");
  if (make.since(19)) places.push_back("half_pixel_symmetric");
  const std::vector<std::string> kModes = {"nearest", "nearest", "linear", "cubic"};
  const std::vector<std::string> kNearest = {"round_prefer_floor", "round_prefer_ceil", "floor",
                                             "ceil"};
  if (make.maybe(70)) attributes["coordinate_transformation_mode"] = make.one_of(places);
  if (make.maybe(70)) attributes["mode"] = make.one_of(kModes);
  if (make.maybe(60)) attributes["nearest_mode"] = make.one_of(kNearest);
  if (make.maybe(20)) attributes["cubic_coeff_a"] = -0.5;
  if (make.maybe(20)) attributes["exclude_outside"] = int64_t{1};
  return attributes;
}

// Version 11 has roi and scales in any case, empty ones where they say nothing; 18 may name axes.
bool resize(Maker& make) {
  const std::string x = make.value(1, 4);
  if (x.empty() || !make.since(11)) return false;
  Attributes attributes = modes(make);
  Shape shape = make.shape(x);
  if (make.since(18) && make.maybe(40)) {
    const Integers axes = make.some_axes(shape.rank(), 18);
    Shape named;
    for (const int64_t axis : axes)
      named.dims().push_back(
          shape[static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(shape.rank()) : axis)]);
    attributes["axes"] = axes;
    shape = named;
  }
  const std::string none = make.since(13) ? "" : make.list({}, DType::kFloat32);
  const std::vector<double> by = scales(make, shape, true);
  if (make.maybe())
    return make.add("Resize", {x, none, make.list(by, DType::kFloat32)}, attributes);
  Integers sizes;
  for (size_t d = 0; d < shape.rank(); ++d)
    sizes.push_back(static_cast<int64_t>(static_cast<double>(shape[d]) * by[d]));
  return make.add("Resize", {x, none, none, make.integers(sizes)}, attributes);
}

bool crop_and_resize(Maker& make) {
  const std::string x = make.value(2, 3);
  if (x.empty() || !make.since(11)) return false;
  const Shape shape = make.shape(x);
  std::vector<double> roi(shape.rank(), 0);
  roi[shape.rank() - 1] = 0.25;
  for (size_t d = 0; d < shape.rank(); ++d) roi.push_back(d + 1 == shape.rank() ? 1.25 : 1);
  Integers sizes = shape.dims();
  sizes.back() = make.number(1, 7);
  Attributes attributes = {{"coordinate_transformation_mode", std::string("tf_crop_and_resize")},
                           {"mode", std::string("linear")}};
  if (make.maybe()) attributes["extrapolation_value"] = 10.0;
  const std::string none = make.since(13) ? "" : make.list({}, DType::kFloat32);
  return make.add("Resize", {x, make.list(roi, DType::kFloat32), none, make.integers(sizes)},
                  attributes);
}

}  // namespace

const std::vector<Adder>& resize_adders() {
  static const std::vector<Adder> kAdders = {upsample, resize_10, resize, crop_and_resize};
  return kAdders;
}

}  // namespace opkit::graph_tests
