// The kernels of the shipped ops and of the template are free of findings, on whole tiles and on
// tails.
#include "elementwise.h"
#include "faulty.h"
#include "flat_tiling.h"

#define DTYPE_X half
#define DTYPE_Y half
#define DTYPE_Z half
namespace add_relu_sample {
#include "ops/fused/add_relu/op_kernel/add_relu.cpp"
}
namespace dropout_sample {
#include "ops/fused/scale_relu_dropout/op_kernel/scale_relu_dropout.cpp"
}
namespace template_sample {
#include "sample_op.cpp"
}

namespace faults {
namespace {

void enter_add_relu(opk_core* core, void* const* args) {
  AscendC::detail::current = core;
  const auto gm = [&](int i) { return static_cast<uint8_t*>(args[i]); };
  add_relu_sample::add_relu(gm(0), gm(1), gm(2), nullptr, gm(3));
}

void enter_dropout(opk_core* core, void* const* args) {
  AscendC::detail::current = core;
  const auto gm = [&](int i) { return static_cast<uint8_t*>(args[i]); };
  dropout_sample::scale_relu_dropout(gm(0), gm(1), gm(2), nullptr, gm(3));
}

void enter_template(opk_core* core, void* const* args) {
  AscendC::detail::current = core;
  const auto gm = [&](int i) { return static_cast<uint8_t*>(args[i]); };
  template_sample::sample_op(gm(0), gm(1), gm(2), nullptr, gm(3));
}

// The share is not a multiple of the tile.
ElementwiseTiling view_of(uint64_t total) {
  return flat_tiling<ElementwiseTiling>(total, (total / 4 + 31) / 32 * 32 + 32, 256);
}

class Samples : public ::testing::TestWithParam<uint64_t> {};

TEST_P(Samples, AddRelu) {
  const uint64_t total = GetParam();
  std::vector<half> x(total, half(1.0f)), y(total, half(2.0f)), z(total);
  ElementwiseTiling tiling = view_of(total);
  EXPECT_CLEAN(run_arguments(enter_add_relu,
                             {{x.data(), total * 2, "x", false},
                              {y.data(), total * 2, "y", false},
                              {z.data(), total * 2, "z", true},
                              {&tiling, sizeof tiling, "tiling", false}},
                             4));
}

TEST_P(Samples, ScaleReluDropout) {
  const uint64_t total = GetParam();
  std::vector<half> x(total, half(1.0f)), y(total);
  std::vector<uint8_t> mask(total, 1);
  dropout_sample::ScaleReluDropoutTilingData tiling = {view_of(total), 2.0f, 0.5f};
  EXPECT_CLEAN(run_arguments(enter_dropout,
                             {{x.data(), total * 2, "x", false},
                              {mask.data(), total, "mask", false},
                              {y.data(), total * 2, "y", true},
                              {&tiling, sizeof tiling, "tiling", false}},
                             4));
}

TEST_P(Samples, TheTemplate) {
  const uint64_t total = GetParam();
  std::vector<half> x(total, half(1.0f)), y(total, half(2.0f)), z(total);
  template_sample::SampleOpTilingData tiling = {view_of(total), 2.0f};
  EXPECT_CLEAN(run_arguments(enter_template,
                             {{x.data(), total * 2, "x", false},
                              {y.data(), total * 2, "y", false},
                              {z.data(), total * 2, "z", true},
                              {&tiling, sizeof tiling, "tiling", false}},
                             4));
}

INSTANTIATE_TEST_SUITE_P(Sizes, Samples, ::testing::Values(4096, 8192, 4097, 33, 1));

}  // namespace
}  // namespace faults
