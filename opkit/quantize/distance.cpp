#include "opkit/quantize/distance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace opkit::quantize {
namespace {

using graph::RefTensor;

int64_t row_length(const RefTensor& tensor) {
  return tensor.shape.rank() == 0 || tensor.shape[0] == 0 ? 0 : tensor.elements() / tensor.shape[0];
}

// Returns the classes with the five largest scores, the largest first; of equal ones the first.
// None of a row that holds a NaN: it has no order.
std::vector<int64_t> best_five(const RefTensor& scores, int64_t row, int64_t length) {
  for (int64_t i = row * length; i < (row + 1) * length; ++i) {
    if (std::isnan(scores[i])) return {};
  }
  std::vector<int64_t> order(static_cast<size_t>(length));
  std::iota(order.begin(), order.end(), int64_t{0});
  const auto five = std::min<std::ptrdiff_t>(5, length);
  std::partial_sort(order.begin(), order.begin() + five, order.end(), [&](int64_t a, int64_t b) {
    const double x = scores[row * length + a], y = scores[row * length + b];
    return x != y ? x > y : a < b;
  });
  order.resize(static_cast<size_t>(five));
  return order;
}

bool has(const std::vector<int64_t>& list, int64_t one) {
  return std::find(list.begin(), list.end(), one) != list.end();
}

}  // namespace

void Distance::add(const RefTensor& a, const RefTensor& b) {
  for (int64_t i = 0; i < a.elements(); ++i) {
    const double x = a[i], y = b[i], off = std::abs(y - x);
    ++count;
    dead += y == 0 && x != 0;
    if (!std::isfinite(off)) {
      odd += !(x == y || (std::isnan(x) && std::isnan(y)));
      continue;
    }
    signal += x * x;
    other += y * y;
    dot += x * y;
    noise += off * off;
    total += off;
    largest = std::max(largest, off);
  }
}

void Distance::add(const Distance& more) {
  signal += more.signal;
  noise += more.noise;
  other += more.other;
  dot += more.dot;
  total += more.total;
  largest = std::max(largest, more.largest);
  count += more.count;
  dead += more.dead;
  odd += more.odd;
}

double Distance::decibels() const {
  if (odd > 0) return -std::numeric_limits<double>::infinity();
  if (noise == 0) return std::numeric_limits<double>::infinity();
  return signal == 0 ? -std::numeric_limits<double>::infinity() : 10 * std::log10(signal / noise);
}

double Distance::cosine() const {
  if (signal == 0 && other == 0) return 1;
  return signal == 0 || other == 0 ? 0 : dot / std::sqrt(signal * other);
}

double Distance::relative() const {
  if (odd > 0) return std::numeric_limits<double>::infinity();
  if (noise == 0) return 0;
  return signal == 0 ? std::numeric_limits<double>::infinity() : noise / signal;
}

bool is_scores(const RefTensor& tensor) {
  if (tensor.shape.rank() < 2) return false;
  size_t wide = 0;
  for (size_t d = 1; d < tensor.shape.rank(); ++d) wide += tensor.shape[d] > 1;
  return wide == 1;
}

void Agreement::add(const RefTensor& a, const RefTensor& b, const std::vector<int64_t>& labels) {
  const int64_t length = row_length(a);
  for (int64_t row = 0; length > 0 && row < a.shape[0]; ++row) {
    const auto of_a = best_five(a, row, length), of_b = best_five(b, row, length);
    ++rows;
    unordered += of_a.empty() || of_b.empty();
    same += !of_a.empty() && !of_b.empty() && of_a[0] == of_b[0];
    in_five += !of_a.empty() && has(of_b, of_a[0]);
    if (static_cast<size_t>(row) >= labels.size()) continue;
    const int64_t label = labels[static_cast<size_t>(row)];
    ++labelled;
    right_a += !of_a.empty() && of_a[0] == label;
    right_b += !of_b.empty() && of_b[0] == label;
    five_a += has(of_a, label);
    five_b += has(of_b, label);
  }
}

void Agreement::add(const Agreement& more) {
  rows += more.rows;
  unordered += more.unordered;
  same += more.same;
  in_five += more.in_five;
  labelled += more.labelled;
  right_a += more.right_a;
  right_b += more.right_b;
  five_a += more.five_a;
  five_b += more.five_b;
}

}  // namespace opkit::quantize
