// Which step goes where depends on lengths that only the data tell, step by step: work for the
// AICPU. Elements are moved as they are, so that one class serves every type.
#include <cstdint>
#include <cstring>

#include "cpu_kernel.h"
#include "cust_cpu_utils.h"

namespace aicpu {
namespace {

const char* const kReverseSequence = "ReverseSequence";

// x as steps of sequences: step t of sequence b begins at (t * time + b * batch) blocks of bytes.
struct Steps {
  int64_t steps, sequences, time, batch;
  size_t block;

  size_t at(int64_t t, int64_t b) const {
    return static_cast<size_t>(t * time + b * batch) * block;
  }
};

Steps steps_of(const Tensor& x, bool time_first) {
  const auto shape = x.GetTensorShape();
  const int64_t first = shape->GetDimSize(0), second = shape->GetDimSize(1);
  const int64_t blocks = first * second;
  const size_t block =
      blocks == 0 ? 0 : static_cast<size_t>(x.GetDataSize()) / static_cast<size_t>(blocks);
  return time_first ? Steps{first, second, second, 1, block}
                    : Steps{second, first, 1, second, block};
}

}  // namespace

class ReverseSequenceCpuKernel : public CpuKernel {
 public:
  uint32_t Compute(CpuKernelContext& ctx) override {
    const Tensor* x = ctx.Input(0);
    const Tensor* lengths = ctx.Input(1);
    const Tensor* y = ctx.Output(0);
    const AttrValue* time_axis = ctx.GetAttr("time_axis");
    if (!x || !lengths || !y || !time_axis || x->GetTensorShape()->GetDims() < 2)
      return KERNEL_STATUS_PARAM_INVALID;
    const Steps steps = steps_of(*x, time_axis->GetInt() == 0);
    const auto* length = static_cast<const int64_t*>(lengths->GetData());
    for (int64_t b = 0; b < steps.sequences; ++b) {
      if (length[b] < 0 || length[b] > steps.steps) {
        CUST_KERNEL_LOG_ERROR(ctx, "sequence %lld has length %lld, and x has %lld steps",
                              static_cast<long long>(b), static_cast<long long>(length[b]),
                              static_cast<long long>(steps.steps));
        return KERNEL_STATUS_PARAM_INVALID;
      }
      reverse(steps, b, length[b], static_cast<const char*>(x->GetData()),
              static_cast<char*>(y->GetData()));
    }
    return KERNEL_STATUS_OK;
  }

 private:
  static void reverse(const Steps& steps, int64_t b, int64_t length, const char* x, char* y) {
    for (int64_t t = 0; t < steps.steps; ++t) {
      const int64_t from = t < length ? length - 1 - t : t;
      std::memcpy(y + steps.at(t, b), x + steps.at(from, b), steps.block);
    }
  }
};

REGISTER_CPU_KERNEL(kReverseSequence, ReverseSequenceCpuKernel);

}  // namespace aicpu
