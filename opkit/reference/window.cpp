#include "opkit/reference/window.h"

#include <algorithm>

namespace opkit::reference {
namespace {

constexpr int64_t kLimit = int64_t{1}
                           << 31;  // limits strides, dilations, pads: keeps products in range

Status check_list(const OperatorCall& call, const std::vector<int64_t>& list, size_t size,
                  std::string_view name, int64_t least) {
  const bool good = list.size() == size && std::all_of(list.begin(), list.end(), [&](int64_t v) {
                      return v >= least && v < kLimit;
                    });
  if (good) return {};
  return call.attribute_error(std::string(name) + " must have " + std::to_string(size) +
                              " values of at least " + std::to_string(least));
}

int64_t extent(const Window& w, size_t d) { return (w.kernel[d] - 1) * w.dilations[d] + 1; }

// SAME: as many positions as strides fit into the input; an odd pad goes to the end (UPPER) or the
// beginning (LOWER).
void pad_same(Window& w, bool upper) {
  for (size_t d = 0; d < w.input.rank(); ++d) {
    const int64_t count = (w.input[d] + w.strides[d] - 1) / w.strides[d];
    const int64_t total =
        std::max<int64_t>((count - 1) * w.strides[d] + extent(w, d) - w.input[d], 0);
    w.pads_begin[d] = upper ? total / 2 : total - total / 2;
    w.pads_end[d] = total - w.pads_begin[d];
  }
}

Status read_pads(const OperatorCall& call, Window& w) {
  const size_t rank = w.input.rank();
  const std::string automatic = call.text("auto_pad", "NOTSET");
  std::vector<int64_t> pads = call.integers("pads", std::vector<int64_t>(2 * rank, 0));
  OPKIT_CHECK(check_list(call, pads, 2 * rank, "pads", 0));
  w.pads_begin.assign(pads.begin(), pads.begin() + rank);
  w.pads_end.assign(pads.begin() + rank, pads.end());
  if (automatic == "NOTSET") return {};
  if (std::any_of(pads.begin(), pads.end(), [](int64_t p) { return p != 0; })) {
    return call.attribute_error("pads and auto_pad exclude each other");
  }
  if (automatic == "VALID") return {};
  if (automatic != "SAME_UPPER" && automatic != "SAME_LOWER") {
    return call.attribute_error("auto_pad '" + automatic + "' is unknown");
  }
  pad_same(w, automatic == "SAME_UPPER");
  return {};
}

Status size_output(const OperatorCall& call, Window& w) {
  const bool ceil_mode = call.integer("ceil_mode", 0) != 0;
  std::vector<int64_t> dims;
  for (size_t d = 0; d < w.input.rank(); ++d) {
    const int64_t room = w.input[d] + w.pads_begin[d] + w.pads_end[d] - extent(w, d);
    if (room < 0) {
      return call.shape_error("a kernel of extent " + std::to_string(extent(w, d)) +
                              " does not fit the padded input " + w.input.to_string());
    }
    int64_t count = (room + (ceil_mode ? w.strides[d] - 1 : 0)) / w.strides[d] + 1;
    if (ceil_mode && (count - 1) * w.strides[d] >= w.input[d] + w.pads_begin[d]) --count;
    dims.push_back(count);
  }
  w.output = Shape(std::move(dims));
  return {};
}

int64_t position(const Window& w, const Index& output, const Index& kernel, size_t d) {
  return output[d] * w.strides[d] - w.pads_begin[d] + kernel[d] * w.dilations[d];
}

}  // namespace

std::vector<AttributeSpec> window_attributes(std::initializer_list<AttributeSpec> more) {
  std::vector<AttributeSpec> all = {text("auto_pad", "NOTSET"), integers("dilations"),
                                    integers("pads"), integers("strides")};
  all.insert(all.end(), more);
  return all;
}

Result<Window> read_window(const OperatorCall& call, const Shape& input, const Shape& kernel) {
  const size_t rank = input.rank();
  Window w;
  w.input = input;
  w.kernel = kernel;
  OPKIT_CHECK(check_list(call, kernel.dims(), rank, "kernel_shape", 1));
  w.strides = call.integers("strides", std::vector<int64_t>(rank, 1));
  OPKIT_CHECK(check_list(call, w.strides, rank, "strides", 1));
  w.dilations = call.integers("dilations", std::vector<int64_t>(rank, 1));
  OPKIT_CHECK(check_list(call, w.dilations, rank, "dilations", 1));
  OPKIT_CHECK(read_pads(call, w));
  OPKIT_CHECK(size_output(call, w));
  return w;
}

Shape spatial(const Shape& shape) {
  return Shape(std::vector<int64_t>(shape.dims().begin() + 2, shape.dims().end()));
}

std::vector<Tap> taps(const Window& w, const Index& output) {
  std::vector<Tap> found;
  Index at(w.input.rank());
  int64_t kernel_offset = 0;
  for_each_index(w.kernel, [&](const Index& kernel) {
    bool inside = true;
    for (size_t d = 0; d < at.size(); ++d) {
      at[d] = position(w, output, kernel, d);
      inside = inside && at[d] >= 0 && at[d] < w.input[d];
    }
    if (inside) found.push_back({offset_of(w.input, at), kernel_offset});
    ++kernel_offset;
  });
  return found;
}

std::vector<TapRun> tap_runs(const Window& w) {
  std::vector<TapRun> runs;
  const size_t rank = w.input.rank(), last = rank - 1;
  Shape lines = w.output;
  if (w.output.elements() == 0) return runs;
  lines[last] = 1;
  Index at(rank);
  int64_t kernel_offset = -1;
  for_each_index(w.kernel, [&](const Index& kernel) {
    ++kernel_offset;
    const int64_t step = w.strides[last], start = position(w, Index(rank, 0), kernel, last);
    const int64_t first = start >= 0 ? 0 : (-start + step - 1) / step;
    const int64_t end = std::min(
        w.output[last], start >= w.input[last] ? 0 : (w.input[last] - 1 - start) / step + 1);
    if (first >= end) return;
    for_each_index(lines, [&](const Index& line) {
      bool inside = true;
      for (size_t d = 0; d < last; ++d) {
        at[d] = position(w, line, kernel, d);
        inside = inside && at[d] >= 0 && at[d] < w.input[d];
      }
      if (!inside) return;
      at[last] = start + first * step;
      const TapRun run{kernel_offset, offset_of(w.output, line) + first, offset_of(w.input, at),
                       end - first, step};
      TapRun* before = runs.empty() ? nullptr : &runs.back();
      const bool goes_on = before && before->kernel == run.kernel && step == 1 &&
                           before->output + before->count == run.output &&
                           before->input + before->count == run.input;
      if (goes_on) before->count += run.count;
      if (!goes_on) runs.push_back(run);
    });
  });
  return runs;
}

int64_t padded_count(const Window& w, const Index& output) {
  int64_t count = 0;
  for_each_index(w.kernel, [&](const Index& kernel) {
    bool inside = true;
    for (size_t d = 0; d < w.input.rank(); ++d) {
      const int64_t at = position(w, output, kernel, d);
      inside = inside && at < w.input[d] + w.pads_end[d];
    }
    count += inside;
  });
  return count;
}

Shape with_spatial(int64_t batch, int64_t channels, const Shape& spatial) {
  std::vector<int64_t> dims = {batch, channels};
  dims.insert(dims.end(), spatial.dims().begin(), spatial.dims().end());
  return Shape(std::move(dims));
}

}  // namespace opkit::reference
