// Written so that a processor is busy with products: maps lie side by side, sixteen of them, which
// share what they read, and a strip of their sums stays in the first cache. No sum is cut in parts:
// the results are those of the definition, to the last bit.
#include "opkit/reference/convolve.h"

#include <algorithm>

namespace opkit::reference {
namespace {

constexpr int64_t kStrip = 128;  // places of results
constexpr size_t kMaps = 16;     // that lie side by side

using Runs = std::vector<TapRun>;

// The runs of each strip of results, every result's in the order of the kernel.
std::vector<Runs> strips_of(const Runs& runs, int64_t results) {
  std::vector<Runs> strips(static_cast<size_t>((results + kStrip - 1) / kStrip));
  for (TapRun left : runs) {
    while (left.count > 0) {
      const int64_t strip = left.output / kStrip;
      TapRun part = left;
      part.count = std::min(left.count, (strip + 1) * kStrip - left.output);
      part.output -= strip * kStrip;
      strips[static_cast<size_t>(strip)].push_back(part);
      left.output += part.count;
      left.input += part.count * left.step;
      left.count -= part.count;
    }
  }
  return strips;
}

// One map after the other, where a group has few: a depthwise convolution has one.
void add_alone(const Runs& runs, const double* weights, const double* x, double* y) {
  for (const TapRun& run : runs) {
    const double weight = weights[run.kernel];
    for (int64_t i = 0; i < run.count; ++i)
      y[run.output + i] += x[run.input + i * run.step] * weight;
  }
}

// Two maps' numbers, as many as the registers of every processor here hold.
using Pair = double __attribute__((vector_size(2 * sizeof(double)), aligned(8), may_alias));
constexpr size_t kPairs = kMaps / 2;

// Adds the products of one channel to sums of all maps, which lie beside each other.
void add_row(const TapRun& run, const double* weights, const double* x, double* sums) {
  Pair w[kPairs];
  for (size_t p = 0; p < kPairs; ++p) w[p] = reinterpret_cast<const Pair*>(weights)[p];
  Pair* at = reinterpret_cast<Pair*>(sums + run.output * static_cast<int64_t>(kMaps));
  for (int64_t i = 0; i < run.count; ++i, at += kPairs) {
    const double value = x[run.input + i * run.step];
    for (size_t p = 0; p < kPairs; ++p) at[p] += w[p] * value;
  }
}

// What a block of maps is computed of, one strip at a time.
struct Block {
  std::vector<double> weights;  // index: channel, then kernel element, then map
  std::vector<double> sums;     // index: result of the strip, then map
  int64_t depth = 0, filter = 0, plane = 0;
};

void add_strip(const Runs& strip, const double* x, Block& block) {
  const auto maps = static_cast<int64_t>(kMaps);
  for (int64_t c = 0; c < block.depth; ++c) {
    const double* weights = block.weights.data() + c * block.filter * maps;
    for (const TapRun& run : strip)
      add_row(run, weights + run.kernel * maps, x + c * block.plane, block.sums.data());
  }
}

class Convolution {
 public:
  Convolution(const Window& window, int64_t groups, const RefTensor& x, const RefTensor& w,
              RefTensor& y)
      : x_(x),
        w_(w),
        y_(y),
        maps_(w.shape[0]),
        of_group_(maps_ / groups),
        results_(window.output.elements()) {
    block_.depth = w.shape[1];
    block_.filter = window.kernel.elements();
    block_.plane = window.input.elements();
    runs_ = tap_runs(window);
  }

  void run() {
    if (of_group_ < static_cast<int64_t>(kMaps) / 4) return run_alone();
    block_.weights.resize(static_cast<size_t>(block_.depth * block_.filter) * kMaps);
    block_.sums.resize(static_cast<size_t>(kStrip) * kMaps);
    const std::vector<Runs> strips = strips_of(runs_, results_);
    for (int64_t first = 0, count = 0; first < maps_; first += count) {
      const int64_t end = (first / of_group_ + 1) * of_group_;
      count = std::min(static_cast<int64_t>(kMaps), end - first);
      take_weights(first, count);
      for (int64_t n = 0; n < x_.shape[0]; ++n) run_block(strips, n, first, count);
    }
  }

 private:
  const double* channels(int64_t n, int64_t map) const {
    const int64_t channel = n * x_.shape[1] + map / of_group_ * block_.depth;
    return x_.values.data() + channel * block_.plane;
  }
  double* results(int64_t n, int64_t map) {
    return y_.values.data() + (n * maps_ + map) * results_;
  }
  const double* weights(int64_t map) const {
    return w_.values.data() + map * block_.depth * block_.filter;
  }

  void run_alone() {
    for (int64_t n = 0; n < x_.shape[0]; ++n) {
      for (int64_t m = 0; m < maps_; ++m) {
        for (int64_t c = 0; c < block_.depth; ++c)
          add_alone(runs_, weights(m) + c * block_.filter, channels(n, m) + c * block_.plane,
                    results(n, m));
      }
    }
  }

  // Maps that are not there keep what weights there were: nobody reads their sums.
  void take_weights(int64_t first, int64_t count) {
    for (int64_t m = 0; m < count; ++m) {
      const double* from = weights(first + m);
      for (int64_t i = 0; i < block_.depth * block_.filter; ++i)
        block_.weights[static_cast<size_t>(i) * kMaps + static_cast<size_t>(m)] = from[i];
    }
  }

  void run_block(const std::vector<Runs>& strips, int64_t n, int64_t first, int64_t count) {
    for (size_t s = 0; s < strips.size(); ++s) {
      std::fill(block_.sums.begin(), block_.sums.end(), 0.0);
      add_strip(strips[s], channels(n, first), block_);
      const int64_t begin = static_cast<int64_t>(s) * kStrip;
      const int64_t places = std::min(kStrip, results_ - begin);
      for (int64_t m = 0; m < count; ++m) {
        double* to = results(n, first + m) + begin;
        for (int64_t i = 0; i < places; ++i)
          to[i] = block_.sums[static_cast<size_t>(i) * kMaps + static_cast<size_t>(m)];
      }
    }
  }

  const RefTensor &x_, &w_;
  RefTensor& y_;
  const int64_t maps_, of_group_, results_;
  Runs runs_;
  Block block_;
};

}  // namespace

void convolve(const Window& window, int64_t groups, const RefTensor& x, const RefTensor& w,
              RefTensor& y) {
  if (w.shape[0] > 0) Convolution(window, groups, x, w, y).run();
}

}  // namespace opkit::reference
