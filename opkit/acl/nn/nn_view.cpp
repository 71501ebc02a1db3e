#include "opkit/acl/nn/nn_view.h"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

namespace opkit::acl {
namespace {

// Calls move(view element's address, dense element's address, bytes) for every row of the view's
// last dim, or element by element when that dim has a stride of its own.
template <typename Move>
class Walk {
 public:
  Walk(const aclTensor& view, std::byte* dense, Move move)
      : view_(view), bytes_(bytes_of(view.desc.dtype, 1)), dense_(dense), move_(move) {}

  void run() {
    if (view_.desc.shape.elements() != 0) dim(0, view_.first());
  }

 private:
  void dim(size_t axis, std::byte* at) {
    if (axis == view_.stride.size()) return step(at, 1);
    const auto extent = static_cast<uint64_t>(view_.desc.shape[axis]);
    if (axis + 1 == view_.stride.size() && view_.stride[axis] == 1) return step(at, extent);
    const uint64_t pitch = static_cast<uint64_t>(view_.stride[axis]) * bytes_;
    for (uint64_t i = 0; i < extent; ++i) dim(axis + 1, at + i * pitch);
  }

  void step(std::byte* at, uint64_t elements) {
    move_(at, dense_, elements * bytes_);
    dense_ += elements * bytes_;
  }

  const aclTensor& view_;
  uint64_t bytes_;
  std::byte* dense_;
  Move move_;
};

}  // namespace

std::optional<uint64_t> reach_of(const aclTensor& view) {
  constexpr uint64_t kMost = uint64_t{1} << 56;
  if (view.desc.shape.elements() == 0) return 0;
  auto last = static_cast<uint64_t>(view.offset);
  if (last > kMost) return std::nullopt;
  for (size_t i = 0; i < view.stride.size(); ++i) {
    uint64_t reach = 0;
    if (__builtin_mul_overflow(static_cast<uint64_t>(view.desc.shape[i] - 1),
                               static_cast<uint64_t>(view.stride[i]), &reach) ||
        __builtin_add_overflow(last, reach, &last) || last > kMost)
      return std::nullopt;
  }
  return last + 1;
}

uint64_t extent_of(const aclTensor& view) {
  const uint64_t reach = reach_of(view).value_or(0);
  return reach == 0 ? 0 : bytes_of(view.desc.dtype, reach - static_cast<uint64_t>(view.offset));
}

bool shares_places(const aclTensor& view) {
  if (view.desc.shape.elements() == 0) return false;
  std::vector<std::pair<int64_t, int64_t>> steps;  // a stride, and how often it is taken
  for (size_t i = 0; i < view.stride.size(); ++i) {
    if (view.desc.shape[i] > 1) steps.emplace_back(view.stride[i], view.desc.shape[i] - 1);
  }
  std::sort(steps.begin(), steps.end());
  int64_t reached = 0;
  for (const auto& [stride, count] : steps) {
    if (stride <= reached) return true;
    reached += stride * count;
  }
  return false;
}

void gather(const aclTensor& view, Tensor& dense) {
  const auto move = [](const std::byte* from, std::byte* to, uint64_t bytes) {
    std::memcpy(to, from, bytes);
  };
  Walk(view, dense.data(), move).run();
}

void scatter(const Tensor& dense, const aclTensor& view) {
  const auto move = [](std::byte* to, const std::byte* from, uint64_t bytes) {
    std::memcpy(to, from, bytes);
  };
  Walk(view, const_cast<std::byte*>(dense.data()), move).run();
}

}  // namespace opkit::acl
