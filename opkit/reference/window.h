// The geometry that convolution and pooling share: a kernel sliding over the spatial dims.
#ifndef OPKIT_REFERENCE_WINDOW_H_
#define OPKIT_REFERENCE_WINDOW_H_

#include <vector>

#include "opkit/reference/index.h"
#include "opkit/reference/operator.h"

namespace opkit::reference {

// One entry per spatial dim.
struct Window {
  Shape input;
  Shape kernel;
  std::vector<int64_t> strides;
  std::vector<int64_t> dilations;
  std::vector<int64_t> pads_begin;
  std::vector<int64_t> pads_end;
  Shape output;
};

// Returns the attributes that read_window reads, and more.
std::vector<AttributeSpec> window_attributes(std::initializer_list<AttributeSpec> more);

// Reads strides, dilations, pads, auto_pad and ceil_mode. With ceil_mode, a window that would start
// behind the data and the leading pad is left out.
Result<Window> read_window(const OperatorCall& call, const Shape& input, const Shape& kernel);

// Returns the dims behind batch and channel. REQUIRES: rank >= 2.
Shape spatial(const Shape& shape);

// Where one window position meets the data.
struct Tap {
  int64_t input;   // offset in the input's spatial dims
  int64_t kernel;  // offset in the kernel
};
std::vector<Tap> taps(const Window& window, const Index& output);

// Window positions side by side along the last dim that one kernel element meets: results from
// `output` on, data from `input` on, every `step`-th.
struct TapRun {
  int64_t kernel, output, input, count, step;
};
// Returns the runs of all positions, in the order of the kernel.
std::vector<TapRun> tap_runs(const Window& window);

// Kernel elements that lie inside the padded input (the divisor of an average with padding).
int64_t padded_count(const Window& window, const Index& output);

// [batch, channels, spatial...]
Shape with_spatial(int64_t batch, int64_t channels, const Shape& spatial);

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_WINDOW_H_
