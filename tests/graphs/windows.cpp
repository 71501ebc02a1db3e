// Convolutions and pools.
#include "tests/graphs/maker.h"

namespace opkit::graph_tests {
namespace {

Integers some(Maker& make, size_t count, int64_t low, int64_t high) {
  Integers all;
  for (size_t i = 0; i < count; ++i) all.push_back(make.number(low, high));
  return all;
}

// Strides, and pads or auto_pad.
Attributes window(Maker& make, size_t dims, int64_t most_pad) {
  Attributes attributes;
  if (make.maybe(60)) attributes["strides"] = some(make, dims, 1, 3);
  const int64_t way = make.number(0, 4);
  if (way < 2) attributes["pads"] = some(make, 2 * dims, 0, most_pad);
  if (way == 2) attributes["auto_pad"] = std::string("SAME_UPPER");
  if (way == 3) attributes["auto_pad"] = std::string(make.maybe(70) ? "SAME_LOWER" : "VALID");
  return attributes;
}

bool conv(Maker& make) {
  const std::string x = make.value(3);
  if (x.empty()) return false;
  const Shape shape = make.shape(x);
  const size_t dims = shape.rank() - 2;
  const int64_t groups = shape[1] % 2 == 0 && make.maybe(30) ? 2 : 1;
  const int64_t maps = groups * make.number(1, 2);
  Integers w = {maps, shape[1] / groups};
  const Integers kernel = some(make, dims, 1, 3);
  w.insert(w.end(), kernel.begin(), kernel.end());
  Attributes attributes = window(make, dims, 2);
  if (groups != 1) attributes["group"] = groups;
  if (make.maybe(30)) attributes["dilations"] = some(make, dims, 1, 2);
  if (make.maybe()) attributes["kernel_shape"] = kernel;
  return make.add("Conv", {x, make.floats(Shape(w)), make.maybe() ? make.floats(Shape{maps}) : ""},
                  attributes);
}

bool conv_transpose(Maker& make) {
  const std::string x = make.value(3, 4);
  if (x.empty()) return false;
  const Shape shape = make.shape(x);
  const size_t dims = shape.rank() - 2;
  const int64_t maps = make.number(1, 3);
  Integers w = {shape[1], maps};
  const Integers kernel = some(make, dims, 1, 3);
  w.insert(w.end(), kernel.begin(), kernel.end());
  Attributes attributes;
  const Integers strides = some(make, dims, 1, 3);
  attributes["strides"] = strides;
  const int64_t way = make.number(0, 4);
  if (way == 0) attributes["pads"] = some(make, 2 * dims, 0, 1);
  if (way == 1) attributes["auto_pad"] = std::string(make.maybe() ? "SAME_UPPER" : "SAME_LOWER");
  if (way == 2) {
    Integers wanted;
    for (size_t d = 0; d < dims; ++d)
      wanted.push_back(strides[d] * shape[d + 2] + make.number(-1, 1));
    attributes["output_shape"] = wanted;
  }
  if (way == 3) {
    Integers more;
    for (size_t d = 0; d < dims; ++d) more.push_back(make.number(0, strides[d] - 1));
    attributes["output_padding"] = more;
  }
  return make.add("ConvTranspose",
                  {x, make.floats(Shape(w)), make.maybe() ? make.floats(Shape{maps}) : ""},
                  attributes);
}

bool pool(Maker& make) {
  const std::string x = make.value(3);
  if (x.empty()) return false;
  const size_t dims = make.shape(x).rank() - 2;
  const std::string op = make.maybe() ? "MaxPool" : "AveragePool";
  Attributes attributes = window(make, dims, 0);
  const Integers kernel = some(make, dims, 1, 3);
  attributes["kernel_shape"] = kernel;
  if (attributes.count("pads") > 0) {
    Integers pads;
    for (size_t i = 0; i < 2 * dims; ++i) pads.push_back(make.number(0, kernel[i % dims] - 1));
    attributes["pads"] = pads;
  }
  if (make.since(10) && make.maybe(30)) attributes["ceil_mode"] = int64_t{1};
  const bool dilated = make.since(op == "MaxPool" ? 10 : 19) && make.maybe(30);
  if (dilated && attributes.count("pads") == 0) attributes["dilations"] = some(make, dims, 1, 2);
  if (op == "AveragePool") {
    if (make.maybe()) attributes["count_include_pad"] = make.number(0, 1);
    return make.add(op, {x}, attributes);
  }
  const bool indices = make.since(8) && make.maybe(20);
  if (make.since(8) && make.maybe(30)) attributes["storage_order"] = make.number(0, 1);
  return make.add(op, {x}, attributes, indices ? 2 : 1);
}

bool lp_pool(Maker& make) {
  const std::string x = make.value(3, 4);
  if (x.empty()) return false;
  Attributes attributes = {{"kernel_shape", some(make, make.shape(x).rank() - 2, 1, 2)}};
  if (make.maybe()) attributes["p"] = make.number(1, 3);
  return make.add("LpPool", {x}, attributes);
}

bool global_pool(Maker& make) {
  static const std::vector<const char*> kOps = {"GlobalAveragePool", "GlobalMaxPool"};
  const std::string x = make.value(3);
  return !x.empty() && make.add(make.one_of(kOps), {x});
}

// Normalizations whose factors are per channel.
bool batch_norm(Maker& make) {
  const std::string x = make.value(2);
  if (x.empty()) return false;
  const Shape channels{make.shape(x)[1]};
  Attributes attributes;
  if (make.maybe()) attributes["epsilon"] = 0.01;
  if (make.maybe(30)) attributes["momentum"] = 0.5;
  if (!make.since(9) && make.maybe()) attributes["spatial"] = int64_t{1};
  if (make.since(14) && make.maybe(30)) attributes["training_mode"] = int64_t{0};
  return make.add("BatchNormalization",
                  {x, make.floats(channels), make.floats(channels), make.floats(channels),
                   make.floats(channels, 0.5, 2)},
                  attributes);
}

bool instance_norm(Maker& make) {
  const std::string x = make.value(3);
  if (x.empty()) return false;
  const Shape channels{make.shape(x)[1]};
  Attributes attributes;
  if (make.maybe()) attributes["epsilon"] = 0.25;
  return make.add("InstanceNormalization", {x, make.floats(channels), make.floats(channels)},
                  attributes);
}

// Scale and bias are per group in versions 18 to 20, per channel since 21.
bool group_norm(Maker& make) {
  const std::string x = make.value(3);
  if (x.empty() || !make.since(18) || make.shape(x)[1] % 2 != 0) return false;
  const Shape factors{make.since(21) ? make.shape(x)[1] : 2};
  return make.add("GroupNormalization", {x, make.floats(factors), make.floats(factors)},
                  {{"num_groups", int64_t{2}}, {"epsilon", 0.25}});
}

bool lrn(Maker& make) {
  const std::string x = make.value(2);
  if (x.empty()) return false;
  Attributes attributes = {{"size", make.number(1, 4)}};
  if (make.maybe()) attributes["alpha"] = 0.5;
  if (make.maybe()) attributes["beta"] = 0.5;
  if (make.maybe()) attributes["bias"] = 2.0;
  return make.add("LRN", {x}, attributes);
}

}  // namespace

const std::vector<Adder>& window_adders() {
  static const std::vector<Adder> kAdders = {conv,       conv,    conv_transpose, pool,
                                             pool,       lp_pool, global_pool,    batch_norm,
                                             batch_norm, lrn,     instance_norm,  group_norm};
  return kAdders;
}

}  // namespace opkit::graph_tests
