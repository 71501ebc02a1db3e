// Products, recurrent layers, quantization, sampling.
#include "tests/graphs/maker.h"

namespace opkit::graph_tests {
namespace {

bool matmul(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty()) return false;
  const int64_t k = make.shape(x).dims().back();
  return make.add("MatMul",
                  {x, make.floats(make.maybe(80) ? Shape{k, make.number(1, 4)} : Shape{k})});
}

// C may be absent since version 11.
bool gemm(Maker& make) {
  const std::string x = make.value(2, 2);
  if (x.empty()) return false;
  Attributes attributes;
  const bool turned = make.maybe(30), other = make.maybe();
  const int64_t m = make.shape(x)[turned ? 1 : 0], k = make.shape(x)[turned ? 0 : 1],
                n = make.number(1, 4);
  if (turned) attributes["transA"] = int64_t{1};
  if (other) attributes["transB"] = int64_t{1};
  if (make.maybe(30)) attributes["alpha"] = 0.5;
  if (make.maybe(30)) attributes["beta"] = 2.0;
  const std::vector<Shape> kShapes = {Shape{n},    Shape{m, n}, Shape{1, n},
                                      Shape{m, 1}, Shape{},     Shape{1}};
  const bool absent = make.since(11) && make.maybe(30);
  return make.add("Gemm",
                  {x, make.floats(other ? Shape{n, k} : Shape{k, n}),
                   absent ? "" : make.floats(make.one_of(kShapes))},
                  attributes);
}

bool einsum(Maker& make) {
  const std::string x = make.value(2, 2);
  if (x.empty() || !make.since(12)) return false;
  return make.add("Einsum", {x, make.floats(Shape{make.shape(x)[1], 3})},
                  {{"equation", std::string(make.maybe() ? "ij,jk->ik" : "ij,jk->ki")}});
}

// The layout is an attribute since version 14.
bool recurrent(Maker& make) {
  const std::string x = make.value(3, 3);
  if (x.empty()) return false;
  static const std::vector<std::pair<const char*, int64_t>> kOps = {
      {"RNN", 1}, {"GRU", 3}, {"LSTM", 4}};
  const auto& [op, gates] = make.one_of(kOps);
  const int64_t hidden = make.number(1, 3), features = make.shape(x)[2];
  const std::string direction = make.one_of<std::string>({"forward", "reverse", "bidirectional"});
  const int64_t directions = direction == "bidirectional" ? 2 : 1;
  Attributes attributes = {{"hidden_size", hidden}};
  if (direction != "forward" || make.maybe()) attributes["direction"] = direction;
  if (gates == 3 && make.maybe()) attributes["linear_before_reset"] = int64_t{1};
  if (make.since(14) && make.maybe(30)) attributes["layout"] = int64_t{1};
  return make.add(op,
                  {x, make.floats(Shape{directions, gates * hidden, features}),
                   make.floats(Shape{directions, gates * hidden, hidden}),
                   make.maybe() ? make.floats(Shape{directions, 2 * gates * hidden}) : ""},
                  attributes, static_cast<size_t>(make.number(1, 2)));
}

// Scales per axis since version 13.
bool quantize(Maker& make) {
  const std::string x = make.value(1);
  if (x.empty() || !make.since(10)) return false;
  const bool with_sign = make.maybe();
  const DType type = with_sign ? DType::kInt8 : DType::kUInt8;
  if (make.since(13) && make.maybe(40) && make.shape(x).rank() > 1) {
    const int64_t count = make.shape(x)[1];
    return make.add("QuantizeLinear",
                    {x, make.floats(Shape{count}, 0.03, 0.1),
                     make.integers(Integers(static_cast<size_t>(count), 1), type)});
  }
  return make.add("QuantizeLinear", {x, make.scalar(0.05),
                                     make.maybe(70) ? make.scalar(with_sign ? 3 : 100, type) : ""});
}

// The default of the places changed in version 16.
bool roi_align(Maker& make) {
  const std::string x = make.value(4, 4);
  if (x.empty() || !make.since(10)) return false;
  Attributes attributes = {{"output_height", make.number(1, 3)},
                           {"output_width", make.number(1, 3)},
                           {"sampling_ratio", int64_t{2}}};
  if (make.since(16) && make.maybe())
    attributes["coordinate_transformation_mode"] =
        std::string(make.maybe() ? "output_half_pixel" : "half_pixel");
  return make.add("RoiAlign", {x, make.floats(Shape{2, 4}, 0, 4), make.integers({0, 0})},
                  attributes);
}

// Modes have other names since version 20.
bool grid_sample(Maker& make) {
  const std::string x = make.value(4, 4);
  if (x.empty() || !make.since(16)) return false;
  Attributes attributes;
  const std::string smooth = make.since(20) ? "linear" : "bilinear";
  if (make.maybe()) attributes["mode"] = make.one_of<std::string>({smooth, "nearest"});
  if (make.maybe()) attributes["align_corners"] = make.number(0, 1);
  if (make.maybe())
    attributes["padding_mode"] = make.one_of<std::string>({"zeros", "border", "reflection"});
  return make.add("GridSample", {x, make.floats(Shape{make.shape(x)[0], 2, 3, 2})}, attributes);
}

// The axis is an operand since version 20; the last dim has one number or two.
bool dft(Maker& make) {
  const std::string x = make.value(2, 4);
  if (x.empty() || !make.since(17) || make.shape(x).dims().back() > 2) return false;
  Attributes attributes;
  if (make.maybe(30)) attributes["inverse"] = int64_t{1};
  if (make.maybe(30) && attributes.empty()) attributes["onesided"] = int64_t{1};
  const int64_t axis = make.number(0, static_cast<int64_t>(make.shape(x).rank()) - 2);
  const std::string length =
      make.maybe() ? make.scalar(static_cast<double>(make.number(1, 6)), DType::kInt64) : "";
  if (make.since(20))
    return make.add("DFT", {x, length, make.scalar(static_cast<double>(axis), DType::kInt64)},
                    attributes);
  attributes["axis"] = axis;
  return make.add("DFT", {x, length}, attributes);
}

bool stft(Maker& make) {
  const std::string x = make.value(2, 2);
  if (x.empty() || !make.since(17)) return false;
  const int64_t length = make.number(1, make.shape(x)[1]);
  const auto number = [&](int64_t value) {
    return make.scalar(static_cast<double>(value), DType::kInt64);
  };
  Attributes attributes;
  if (make.maybe()) attributes["onesided"] = make.number(0, 1);
  const std::string window = make.maybe() ? make.floats(Shape{length}) : "";
  return make.add("STFT", {x, number(make.number(1, 3)), window, number(length)}, attributes);
}

}  // namespace

const std::vector<Adder>& other_adders() {
  static const std::vector<Adder> kAdders = {matmul,   gemm,      gemm,        einsum, recurrent,
                                             quantize, roi_align, grid_sample, dft,    stft};
  return kAdders;
}

}  // namespace opkit::graph_tests
