// CpuKernel classes, good and bad, and the glue that opkit-gen writes for such ops.
#include <stdexcept>
#include <string>

#include "aicpu/cust_cpu_utils.h"
#include "opkit_host/plugin_table.h"

namespace aicpu {
namespace {

std::string text_of(const Tensor* tensor) {
  if (tensor == nullptr) return "none";
  std::string text = std::to_string(tensor->GetDataType()) + "[";
  for (int32_t d = 0; d < tensor->GetTensorShape()->GetDims(); ++d)
    text += std::to_string(tensor->GetTensorShape()->GetDimSize(d)) + ",";
  text += "] of " + std::to_string(tensor->GetDataSize()) + " bytes";
  const auto* first = static_cast<const uint8_t*>(tensor->GetData());
  return text + " from " + std::to_string(static_cast<int>(*first));
}

}  // namespace

// Says all that it can learn of its call, and fails, so that the words reach the caller.
class TellsItsCall : public CpuKernel {
 public:
  uint32_t Compute(CpuKernelContext& ctx) override {
    for (uint32_t i = 0; i < ctx.GetInputsSize(); ++i)
      CUST_KERNEL_LOG_ERROR(ctx, "in %u: %s", i, text_of(ctx.Input(i)).c_str());
    for (uint32_t o = 0; o < ctx.GetOutputsSize(); ++o)
      CUST_KERNEL_LOG_WARNING(ctx, "out %u: %s", o, text_of(ctx.Output(o)).c_str());
    tell_attrs(ctx);
    CUST_KERNEL_LOG_INFO(ctx, "nobody reads %s", "this");
    return KERNEL_STATUS_PARAM_INVALID;
  }

 private:
  static void tell_attrs(CpuKernelContext& ctx) {
    const auto& attr = [&](const char* name) -> AttrValue& { return *ctx.GetAttr(name); };
    CUST_KERNEL_LOG_ERROR(ctx, "%d %lld %.2f '%s'", attr("flag").GetBool(),
                          static_cast<long long>(attr("count").GetInt()),
                          static_cast<double>(attr("scale").GetFloat()),
                          attr("mode").GetString().c_str());
    CUST_KERNEL_LOG_ERROR(ctx, "%d %lld %.2f '%s'", attr("flags").ListBoolSize(),
                          static_cast<long long>(attr("sizes").GetListInt().back()),
                          static_cast<double>(attr("scales").GetListFloat().back()),
                          attr("names").GetListString().back().c_str());
    CUST_KERNEL_LOG_ERROR(ctx, "other %s", ctx.GetAttr("other") ? "there" : "missing");
  }
};

class Doubles : public CpuKernel {
 public:
  uint32_t Compute(CpuKernelContext& ctx) override {
    const auto* x = static_cast<const float*>(ctx.Input(0)->GetData());
    auto* y = static_cast<float*>(ctx.Output(0)->GetData());
    for (int64_t i = 0; i < ctx.Output(0)->NumElements(); ++i) y[i] = 2 * x[i];
    return KERNEL_STATUS_OK;
  }
};

class Throws : public CpuKernel {
 public:
  uint32_t Compute(CpuKernelContext& ctx) override {
    CUST_KERNEL_LOG_ERROR(ctx, "before it threw");
    throw std::runtime_error("no memory for a table");
  }
};

class Grows : public CpuKernel {
 public:
  uint32_t Compute(CpuKernelContext& ctx) override {
    ctx.Output(0)->GetTensorShape()->SetDimSizes({7});
    return 0;
  }
};

REGISTER_CPU_KERNEL("TellsItsCall", TellsItsCall);
REGISTER_CPU_KERNEL("Doubles", Doubles);
REGISTER_CPU_KERNEL("Throws", Throws);
REGISTER_CPU_KERNEL("Grows", Grows);
REGISTER_CPU_KERNEL("Twice", Grows);

}  // namespace aicpu

namespace {

// The second class for one op.
const opkit_host::CpuKernelRegistration again("Twice", [](aicpu::CpuKernelContext&) -> uint32_t {
  return 0;
});

const bool kPlain[] = {false, false}, kAll[] = {false, false, true, false};

void run_plain(opk_core* core, void* const* args) {
  opkit_host::run_cpu_kernel(core, args, {kPlain, 1, 1});
}
void run_all(opk_core* core, void* const* args) {
  opkit_host::run_cpu_kernel(core, args, {kAll, 3, 1});
}

const opk_kernel_v1 kPlainKernel = {sizeof(opk_kernel_v1),
                                    OPK_ANY_COLUMN,
                                    OPK_ANY_TILING_KEY,
                                    "plain",
                                    OPK_TASK_AICPU,
                                    4,
                                    nullptr,
                                    run_plain,
                                    run_plain};
const opk_kernel_v1 kAllKernel = {sizeof(opk_kernel_v1),
                                  OPK_ANY_COLUMN,
                                  OPK_ANY_TILING_KEY,
                                  "all",
                                  OPK_TASK_AICPU,
                                  6,
                                  nullptr,
                                  run_all,
                                  run_all};
const opk_kernel_v1* const kPlainRows[] = {&kPlainKernel};
const opk_kernel_v1* const kAllRows[] = {&kAllKernel};

const opkit_host::OpEntry kOps[] = {
    {"TellsItsCall", "", 0, kAllRows, 1}, {"Doubles", "", 0, kPlainRows, 1},
    {"Throws", "", 0, kPlainRows, 1},     {"Grows", "", 0, kPlainRows, 1},
    {"Twice", "", 0, kPlainRows, 1},      {"Nobody", "", 0, kPlainRows, 1},
};

}  // namespace

OPKIT_PLUGIN("host_cpu_kernels", "1.0.0", kOps)
