#include "opkit/call/layout/storage_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace opkit {
namespace {

constexpr int64_t kCubeRows = 16;    // M0, N0
constexpr int64_t kC0Bits = 32 * 8;  // C0 is 32 bytes

int64_t ceil_div(int64_t a, int64_t b) { return a / b + (a % b != 0 ? 1 : 0); }

Error wrong_rank(Format format, const Shape& origin, std::string_view wanted) {
  return Error("OPK-LAYOUT-001",
               fmt::format("a tensor in {} has {}, not the {} dims of {}", name_of(format), wanted,
                           origin.rank(), origin.to_string()),
               "give the tensor a shape that the format has, or the format ND");
}

unsigned nibble_at(const Tensor& tensor, int64_t i) {
  const auto byte = std::to_integer<unsigned>(tensor.data()[i / 2]);
  return (i % 2 ? byte >> 4 : byte) & 15u;
}

void set_nibble(Tensor& tensor, int64_t i, unsigned nibble) {
  const auto byte = std::to_integer<unsigned>(tensor.data()[i / 2]);
  tensor.data()[i / 2] =
      static_cast<std::byte>(i % 2 ? (byte & 0x0fu) | nibble << 4 : (byte & 0xf0u) | nibble);
}

// `count` elements; those of `to` and `from` lie `to_step` and `from_step` apart.
void copy(Tensor& to, int64_t at, int64_t to_step, const Tensor& from, int64_t source,
          int64_t from_step, int64_t count) {
  const int bits = bits_of(to.dtype());
  if (bits < 8) {
    for (int64_t i = 0; i < count; ++i)
      set_nibble(to, at + i * to_step, nibble_at(from, source + i * from_step));
    return;
  }
  const auto bytes = static_cast<size_t>(bits / 8);
  if (to_step == 1 && from_step == 1) {
    std::memcpy(to.data() + static_cast<size_t>(at) * bytes,
                from.data() + static_cast<size_t>(source) * bytes,
                static_cast<size_t>(count) * bytes);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    std::memcpy(to.data() + static_cast<size_t>(at + i * to_step) * bytes,
                from.data() + static_cast<size_t>(source + i * from_step) * bytes, bytes);
}

// Tells whether at most 32 bytes are all zero.
bool is_zero(const std::byte* bytes, int64_t count) {
  static constexpr std::byte kZeros[kC0Bits / 8]{};
  return std::memcmp(bytes, kZeros, static_cast<size_t>(count)) == 0;
}

bool all_bytes(const Tensor& tensor, int64_t i, std::byte value) {
  const int bits = bits_of(tensor.dtype());
  if (bits < 8) return nibble_at(tensor, i) == (std::to_integer<unsigned>(value) & 15u);
  const std::byte* first = tensor.data() + i * (bits / 8);
  return std::all_of(first, first + bits / 8, [&](std::byte byte) { return byte == value; });
}

}  // namespace

bool is_dense(Format format) {
  return format == Format::kND || format == Format::kNCHW || format == Format::kNHWC;
}

Format taken_as(Format given, std::span<const Format> columns) {
  const bool own = std::ranges::count(columns, given) > 0;
  const bool any = std::ranges::count(columns, Format::kND) > 0;
  return given == Format::kNCHW && !own && any ? Format::kND : given;
}

Format origin_format(Format format) {
  if (format == Format::kFractalNZ) return Format::kND;
  return is_dense(format) ? format : Format::kNCHW;
}

Result<StorageLayout> StorageLayout::of(Format format, DType dtype, const Shape& origin) {
  StorageLayout layout;
  layout.format_ = format;
  layout.dtype_ = dtype;
  layout.origin_ = layout.storage_ = origin;
  if (is_dense(format)) return layout;
  OPKIT_CHECK(layout.choose_digits(kC0Bits / std::max(bits_of(dtype), 1)));
  OPKIT_CHECK(layout.count_storage());
  return layout;
}

// Chooses digits and the storage's shape: one dim for each digit, but for FRACTAL_Z, whose first
// three are one.
Status StorageLayout::choose_digits(int64_t c0) {
  const size_t rank = origin_.rank();
  const auto blocks = [&](size_t axis, int64_t block) { return ceil_div(origin_[axis], block); };
  if (format_ == Format::kFractalNZ) {
    if (rank < 2) return wrong_rank(format_, origin_, "2 dims or more");
    const size_t m = rank - 2, n = rank - 1;
    for (size_t axis = 0; axis < m; ++axis) digits_.push_back({axis, origin_[axis], 1});
    digits_.insert(digits_.end(), {{n, blocks(n, c0), c0},
                                   {m, blocks(m, kCubeRows), kCubeRows},
                                   {m, kCubeRows, 1},
                                   {n, c0, 1}});
    return {};
  }
  if (rank != 4) return wrong_rank(format_, origin_, "4 dims, those of NCHW");
  const Digit c1{1, blocks(1, c0), c0}, h{2, origin_[2], 1}, w{3, origin_[3], 1};
  if (format_ == Format::kNC1HWC0) {
    digits_ = {{0, origin_[0], 1}, c1, h, w, {1, c0, 1}};
  } else {
    digits_ = {c1, h, w, {0, blocks(0, kCubeRows), kCubeRows}, {0, kCubeRows, 1}, {1, c0, 1}};
  }
  return {};
}

Status StorageLayout::count_storage() {
  std::vector<int64_t> dims;
  for (const Digit& digit : digits_) dims.push_back(digit.extent);
  const auto elements = Shape(dims).checked_elements();
  if (!elements.ok())
    return Error("OPK-LAYOUT-002",
                 fmt::format("{} in {} takes too many places to count", origin_.to_string(),
                             name_of(format_)),
                 "choose a smaller shape");
  if (format_ == Format::kFractalZ) {
    dims[2] *= dims[0] * dims[1];
    dims.erase(dims.begin(), dims.begin() + 2);
  }
  storage_ = Shape(std::move(dims));
  return {};
}

std::vector<int64_t> StorageLayout::strides() const {
  std::vector<int64_t> strides(origin_.rank(), 1);
  for (size_t axis = strides.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * origin_[axis];
  return strides;
}

int64_t StorageLayout::place_of(int64_t element) const {
  if (dense()) return element;
  std::vector<int64_t> index(origin_.rank());
  for (size_t axis = index.size(); axis-- > 0;) {
    index[axis] = element % origin_[axis];
    element /= origin_[axis];
  }
  int64_t place = 0;
  for (const Digit& digit : digits_)
    place = place * digit.extent + index[digit.axis] / digit.weight % digit.extent;
  return place;
}

int64_t StorageLayout::element_at(int64_t place) const {
  if (dense()) return place;
  std::vector<int64_t> index(origin_.rank());
  for (size_t d = digits_.size(); d-- > 0;) {
    index[digits_[d].axis] += place % digits_[d].extent * digits_[d].weight;
    place /= digits_[d].extent;
  }
  int64_t element = 0;
  for (size_t axis = 0; axis < index.size(); ++axis) {
    if (index[axis] >= origin_[axis]) return -1;
    element = element * origin_[axis] + index[axis];
  }
  return element;
}

// Places before this one share its first digits, have a smaller next one, and any others.
int64_t StorageLayout::elements_before(int64_t place) const {
  if (dense()) return place;
  if (place >= storage_.elements()) return origin_.elements();
  std::vector<int64_t> digits(digits_.size());
  for (size_t d = digits.size(); d-- > 0;) {
    digits[d] = place % digits_[d].extent;
    place /= digits_[d].extent;
  }
  std::vector<int64_t> index(origin_.rank());  // what the first digits say
  std::vector<int64_t> open = origin_.dims();  // how far the others reach from there
  int64_t before = 0;
  for (size_t d = 0; d < digits.size(); ++d) {
    const Digit& digit = digits_[d];
    int64_t inside = 1;
    for (size_t axis = 0; axis < index.size(); ++axis) {
      const int64_t reach = axis == digit.axis ? digits[d] * digit.weight : open[axis];
      inside *= std::clamp<int64_t>(origin_[axis] - index[axis], 0, reach);
    }
    before += inside;
    index[digit.axis] += digits[d] * digit.weight;
    open[digit.axis] = digit.weight;
  }
  return before;
}

template <typename Take>
void StorageLayout::each_run(Take take) const {
  const Digit last = digits_.back();
  const std::vector<int64_t> steps = strides();
  std::vector<int64_t> counter(digits_.size() - 1), index(origin_.rank());
  const int64_t places = storage_.elements();
  for (int64_t place = 0; place < places; place += last.extent) {
    int64_t element = 0, valid = last.extent;
    for (size_t axis = 0; axis < index.size(); ++axis) {
      element += index[axis] * steps[axis];
      const int64_t left = origin_[axis] - index[axis];
      if (left <= 0) valid = 0;
      if (axis == last.axis) valid = std::clamp<int64_t>(left, 0, valid);
    }
    take(place, element, valid, steps[last.axis]);
    for (size_t d = counter.size(); d-- > 0;) {
      index[digits_[d].axis] += digits_[d].weight;
      if (++counter[d] < digits_[d].extent) break;
      index[digits_[d].axis] -= digits_[d].weight * digits_[d].extent;
      counter[d] = 0;
    }
  }
}

Result<Tensor> StorageLayout::to_storage(const Tensor& origin) const {
  if (dense()) return origin;
  if (origin.is_reserved()) {
    OPKIT_TRY(Tensor addresses, Tensor::reserved(dtype_, storage_, origin.desc().name));
    addresses.desc().format = format_;
    return addresses;
  }
  Tensor stored(dtype_, storage_, origin.desc().name);
  stored.desc().format = format_;
  each_run([&](int64_t place, int64_t element, int64_t valid, int64_t step) {
    copy(stored, place, 1, origin, element, step, valid);
  });
  return stored;
}

Tensor StorageLayout::to_origin(const Tensor& storage) const {
  if (dense()) return storage;
  Tensor origin(dtype_, origin_, storage.desc().name);
  origin.desc().format = format_;
  each_run([&](int64_t place, int64_t element, int64_t valid, int64_t step) {
    copy(origin, element, step, storage, place, 1, valid);
  });
  return origin;
}

Padding padding_of(const StorageLayout& layout, const Tensor& storage) {
  Padding found;
  if (layout.dense()) return found;
  const int64_t extent = layout.digits_.back().extent;  // 32 bytes
  const int bits = bits_of(layout.dtype());
  layout.each_run([&](int64_t place, int64_t, int64_t valid, int64_t) {
    const int64_t count = extent - valid;
    if (count == 0) return;
    found.elements += count;
    // Padding of whole bytes is mostly zero.
    if (valid * bits % 8 == 0 &&
        is_zero(storage.data() + (place + valid) * bits / 8, count * bits / 8))
      return;
    for (int64_t at = place + valid; at < place + extent; ++at) {
      if (!all_bytes(storage, at, std::byte{0})) ++found.not_zero;
      if (all_bytes(storage, at, std::byte{0xff})) ++found.untouched;
    }
  });
  return found;
}

}  // namespace opkit
