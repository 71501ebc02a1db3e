// Elements are moved as they are, so that one class serves every type of the contract.
#include <cstdint>
#include <cstring>

#include "cpu_kernel.h"
#include "cust_cpu_utils.h"

namespace aicpu {

class @OP@CpuKernel : public CpuKernel {
 public:
  uint32_t Compute(CpuKernelContext& ctx) override {
    const Tensor* x = ctx.Input(0);
    const Tensor* index = ctx.Input(1);
    const Tensor* y = ctx.Output(0);
    const int64_t columns = x->GetTensorShape()->GetDimSize(1);
    const int64_t wanted = index->GetTensorShape()->GetDimSize(1);
    const auto size = static_cast<size_t>(GetSizeByDataType(x->GetDataType()));
    const auto* from = static_cast<const char*>(x->GetData());
    const auto* at = static_cast<const int64_t*>(index->GetData());
    auto* to = static_cast<char*>(y->GetData());
    for (int64_t i = 0; i < index->NumElements(); ++i) {
      const int64_t column = at[i] < 0 ? at[i] + columns : at[i];
      if (column < 0 || column >= columns) {
        CUST_KERNEL_LOG_ERROR(ctx, "index %lld leaves %lld columns", static_cast<long long>(at[i]),
                              static_cast<long long>(columns));
        return KERNEL_STATUS_PARAM_INVALID;
      }
      const int64_t place = i / wanted * columns + column;
      std::memcpy(to + static_cast<size_t>(i) * size, from + static_cast<size_t>(place) * size, size);
    }
    return KERNEL_STATUS_OK;
  }
};

REGISTER_CPU_KERNEL("@OP@", @OP@CpuKernel);

}  // namespace aicpu
