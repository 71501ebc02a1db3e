// Which elements an instruction touches, written out as the vendor's pages say it: block b of
// iteration r of an operand starts (r * repeat stride + b * block stride) * 32 bytes after its
// base.
#ifndef TESTS_CONFORMANCE_TWIN_ADDRESSING_H_
#define TESTS_CONFORMANCE_TWIN_ADDRESSING_H_

#include <cstdint>
#include <string>
#include <vector>

namespace twin {

struct Stride {
  uint32_t block = 1, repeat = 8;
};

// The count form, or `repeats` iterations under a mask.
struct Form {
  bool is_count = true;
  uint32_t count = 0;
  uint64_t mask[2] = {0, 0};
  uint32_t prefix = 0;  // the mask as a number, when use_prefix
  bool use_prefix = false;
  uint32_t repeats = 0;
  Stride dst, src0, src1;

  std::string text() const {
    if (is_count) return "count " + std::to_string(count);
    return "mask " +
           (use_prefix ? std::to_string(prefix)
                       : std::to_string(mask[0]) + "," + std::to_string(mask[1])) +
           " repeats " + std::to_string(repeats) + " strides " + std::to_string(dst.block) + "/" +
           std::to_string(dst.repeat) + " " + std::to_string(src0.block) + "/" +
           std::to_string(src0.repeat) + " " + std::to_string(src1.block) + "/" +
           std::to_string(src1.repeat);
  }
  bool selects(uint32_t i) const {
    return use_prefix ? i < prefix : (mask[i / 64] >> (i % 64) & 1) != 0;
  }
};

// Byte offset of element i of iteration r; per_repeat elements in an iteration.
inline uint64_t place(const Form& form, const Stride& stride, uint32_t size, uint32_t per_repeat,
                      uint32_t r, uint32_t i) {
  if (form.is_count) return (uint64_t{r} * per_repeat + i) * size;
  const uint32_t per_block = 32 / size;
  return (uint64_t{r} * stride.repeat + uint64_t{i / per_block} * stride.block) * 32 +
         i % per_block * size;
}

// Calls f(r, i) for every element that takes part, iteration by iteration.
template <typename F>
void for_each(const Form& form, uint32_t per_repeat, F&& f) {
  if (form.is_count) {
    for (uint32_t k = 0; k < form.count; ++k) f(k / per_repeat, k % per_repeat);
    return;
  }
  for (uint32_t r = 0; r < form.repeats; ++r) {
    for (uint32_t i = 0; i < per_repeat; ++i) {
      if (form.selects(i)) f(r, i);
    }
  }
}

inline Form count_form(uint32_t n) {
  Form form;
  form.count = n;
  return form;
}
inline Form prefix_form(uint32_t n, uint32_t repeats, Stride dst = {}, Stride src0 = {},
                        Stride src1 = {}) {
  Form form;
  form.is_count = false;
  form.use_prefix = true;
  form.prefix = n;
  form.repeats = repeats;
  form.dst = dst;
  form.src0 = src0;
  form.src1 = src1;
  return form;
}
inline Form bits_form(uint64_t low, uint64_t high, uint32_t repeats, Stride dst = {},
                      Stride src0 = {}, Stride src1 = {}) {
  Form form = prefix_form(0, repeats, dst, src0, src1);
  form.use_prefix = false;
  form.mask[0] = low;
  form.mask[1] = high;
  return form;
}

// Lengths around every border, and iterations with all kinds of masks and strides. dst and sources
// have per_repeat elements per iteration.
inline std::vector<Form> forms(uint32_t per_repeat) {
  std::vector<Form> all;
  for (uint32_t n : {0,  1,  2,   7,   8,   9,   15,  16,  17,  31,  32,   33,  63,
                     64, 65, 100, 127, 128, 129, 255, 256, 257, 511, 1000, 1024})
    all.push_back(count_form(n));
  const uint32_t e = per_repeat;
  for (uint32_t n : {0u, 1u, 5u, e / 4, e / 2 + 3, e - 1, e, e + 20}) {
    all.push_back(prefix_form(n, 1));
    all.push_back(prefix_form(n, 4));
  }
  all.push_back(prefix_form(e, 0));
  all.push_back(prefix_form(e, 5, {1, 8}, {1, 8}, {0, 1}));       // one block per row, broadcast
  all.push_back(prefix_form(e, 5, {1, 8}, {1, 8}, {1, 0}));       // one row for all
  all.push_back(prefix_form(e / 2, 6, {1, 10}, {1, 9}, {1, 8}));  // gaps between iterations
  all.push_back(prefix_form(e, 3, {2, 16}, {1, 8}, {3, 24}));     // gaps between blocks
  all.push_back(prefix_form(e - 3, 3, {2, 17}, {0, 1}, {0, 0}));
  all.push_back(prefix_form(8, 7, {1, 1}, {1, 1}, {1, 1}));        // narrow rows
  all.push_back(prefix_form(e, 4, {1, 0}, {1, 8}, {1, 8}));        // the last iteration stays
  all.push_back(prefix_form(e / 8, 255, {1, 1}, {1, 1}, {1, 1}));  // the most iterations
  all.push_back(prefix_form(e, 255, {1, 0}, {1, 0}, {1, 0}));
  all.push_back(bits_form(0x5555555555555555u, 0x5555555555555555u, 3));
  all.push_back(bits_form(0, 0, 3));
  all.push_back(bits_form(0x8000000000000001u, 0x8000000000000001u, 4));
  all.push_back(bits_form(0xf0f0ff00123456ffu, 0x00ff00ff0f0f0f0fu, 3, {1, 9}, {2, 16}, {0, 1}));
  all.push_back(bits_form(~uint64_t{0}, ~uint64_t{0}, 4));
  return all;
}

}  // namespace twin

#endif  // TESTS_CONFORMANCE_TWIN_ADDRESSING_H_
