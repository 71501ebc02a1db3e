// The kernels of the shipped ops and of the template, with queues that can leave a call out.
#include <cstring>

#include "flat_tiling.h"
#include "kernel_operator.h"
#include "mutation.h"

#define DTYPE_X half
#define DTYPE_Y half
#define DTYPE_Z half
#define add_relu mutated_add_relu
#define scale_relu_dropout mutated_scale_relu_dropout
#define sample_op mutated_sample_op
// With the parts that they share: those of the unchanged kernels are others.
namespace mutated {
using faults::Queue;
#define TQue Queue
#include "ops/fused/add_relu/op_kernel/add_relu.cpp"
#include "ops/fused/scale_relu_dropout/op_kernel/scale_relu_dropout.cpp"
#include "sample_op.cpp"
#undef TQue
}  // namespace mutated
#undef add_relu
#undef scale_relu_dropout
#undef sample_op

namespace faults {
namespace {

constexpr uint64_t kTotal = 2 * 1024 + 77;
constexpr uint32_t kTile = 256, kBlocks = 2;
constexpr uint64_t kPerCore = 1152;

uint8_t* gm(void* const* args, int i) { return static_cast<uint8_t*>(args[i]); }

template <void (*kernel)(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR)>
void enter(opk_core* core, void* const* args) {
  AscendC::detail::current = core;
  run_mutated(core, [&] { kernel(gm(args, 0), gm(args, 1), gm(args, 2), nullptr, gm(args, 3)); });
}

// The second input is read as U.
template <typename U, typename Tiling>
Subject subject(const char* name, opk_kernel_fn kernel, Tiling tiling) {
  return {name, [=](std::vector<uint8_t>* output) {
            std::vector<half> x(kTotal), z(kTotal, half(-1.0f));
            std::vector<U> y(kTotal);
            for (uint64_t i = 0; i < kTotal; ++i) {
              x[i] = half(static_cast<float>(i % 61) * 0.25f + 1.0f);
              y[i] = U(static_cast<float>(i % 3 + 1));
            }
            Tiling t = tiling;
            auto report = run_arguments(kernel,
                                        {{x.data(), kTotal * sizeof(half), "x", false},
                                         {y.data(), kTotal * sizeof(U), "y", false},
                                         {z.data(), kTotal * sizeof(half), "z", true},
                                         {&t, sizeof t, "tiling", false}},
                                        kBlocks);
            output->resize(kTotal * sizeof(half));
            std::memcpy(output->data(), z.data(), output->size());
            return report;
          }};
}

}  // namespace

std::vector<Subject> shipped_subjects() {
  const auto view = flat_tiling<mutated::ElementwiseTiling>(kTotal, kPerCore, kTile);
  return {subject<half>("AddRelu", enter<mutated::mutated_add_relu>, view),
          subject<uint8_t>("ScaleReluDropout", enter<mutated::mutated_scale_relu_dropout>,
                           mutated::ScaleReluDropoutTilingData{view, 2.0f, 0.5f}),
          subject<half>("template elementwise", enter<mutated::mutated_sample_op>,
                        mutated::SampleOpTilingData{view, 2.0f})};
}

}  // namespace faults
