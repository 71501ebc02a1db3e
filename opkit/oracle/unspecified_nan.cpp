#include "opkit/oracle/unspecified_nan.h"

#include <cmath>

namespace opkit::oracle {
namespace {

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void open_where_different(const Bounded* other, Bounded& output) {
  const int64_t count = output.value.elements();
  const bool comparable = other != nullptr && other->value.shape == output.value.shape;
  std::vector<Interval> bounds;
  for (int64_t i = 0; i < count; ++i) {
    const bool open = !comparable || !same(output.value[i], other->value[i]);
    bounds.push_back(open ? Interval::anything() : output.at(i));
  }
  output.bounds = std::move(bounds);
}

}  // namespace

bool holds_nan(const std::vector<std::vector<Tensor>>& inputs) {
  for (const std::vector<Tensor>& port : inputs) {
    for (const Tensor& tensor : port) {
      for (int64_t i = 0; is_float(tensor.dtype()) && i < tensor.elements(); ++i) {
        if (std::isnan(tensor.at(i))) return true;
      }
    }
  }
  return false;
}

std::vector<std::vector<Tensor>> without_nan(std::vector<std::vector<Tensor>> inputs,
                                             double value) {
  for (std::vector<Tensor>& port : inputs) {
    for (Tensor& tensor : port) {
      for (int64_t i = 0; is_float(tensor.dtype()) && i < tensor.elements(); ++i) {
        if (std::isnan(tensor.at(i))) tensor.set(i, value);
      }
    }
  }
  return inputs;
}

void open_where_different(const BoundedPorts& other, BoundedPorts& outputs) {
  for (size_t p = 0; p < outputs.size(); ++p) {
    for (size_t i = 0; i < outputs[p].size(); ++i) {
      const bool there = p < other.size() && i < other[p].size();
      open_where_different(there ? &other[p][i] : nullptr, outputs[p][i]);
    }
  }
}

}  // namespace opkit::oracle
