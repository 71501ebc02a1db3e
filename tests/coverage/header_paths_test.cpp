// Sources that include what the vendor's pages tell them to include compile: every path is there,
// in front of kernel_operator.h as well, and what it declares is known behind it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "opkit/base/file.h"
#include "opkit_test_paths.h"

namespace opkit::coverage {
namespace {

// A path, and something that its page says of it.
struct Path {
  const char* header;
  const char* use;
};

// Pages of the kernel API ("#include" of each), and the headers of generated tilings.
constexpr Path kKernelPaths[] = {
    {"lib/matmul_intf.h",
     "using M = AscendC::MatmulType<AscendC::TPosition::GM, CubeFormat::ND, half, false, "
     "LayoutMode::NONE>; constexpr auto& c = CFG_MDL; constexpr auto& n = CFG_NORM;"},
    {"kernel_operator.h", "inline GM_ADDR system_part() { return GetSysWorkSpacePtr(); }"},
    {"lib/activation/softmax.h", "using AscendC::SoftMax;"},
    {"lib/activation/softmaxflashv2.h", "using AscendC::SoftmaxFlashV2;"},
    {"lib/activation/gelu.h", "using AscendC::Gelu;"},
    {"lib/activation/silu.h", "using AscendC::Silu;"},
    {"lib/activation/swiglu.h", "using AscendC::SwiGLU;"},
    {"lib/activation/sigmoid.h", "using AscendC::Sigmoid;"},
    {"lib/normalization/layernorm.h", "using AscendC::LayerNorm;"},
    {"lib/normalization/rmsnorm.h", "using AscendC::RmsNorm;"},
    {"lib/quantization/ascend_dequant.h", "using AscendC::AscendDequant;"},
    {"lib/quantization/ascend_quant.h", "using AscendC::AscendQuant;"},
    {"lib/quantization/ascend_antiquant.h", "using AscendC::AscendAntiQuant;"},
    {"lib/reduce/sum.h", "using AscendC::Sum;"},
    {"lib/reduce/mean.h", "using AscendC::Mean;"},
    {"lib/math/power.h", "using AscendC::Power;"},
    {"lib/math/tanh.h", "using AscendC::Tanh;"},
    {"lib/math/kernel_operator_asin_intf.h", "using AscendC::Asin;"},
    {"lib/math/kernel_operator_power_intf.h", "using AscendC::Power;"},
    {"lib/math/kernel_operator_geglu_intf.h", "using AscendC::GeGLU;"},
    {"lib/math/erf.h", "using AscendC::Erf;"},
    {"lib/math/cumsum.h", "using AscendC::CumSum;"},
    {"lib/sort/topk.h", "using AscendC::TopK;"},
    {"lib/pad/broadcast.h", "using AscendC::Broadcast;"},
    {"lib/pad/pad.h", "using AscendC::Pad;"},
    {"lib/transpose/confusion_transpose.h", "using AscendC::ConfusionTranspose;"},
    {"lib/filter/dropout.h", "using AscendC::DropOut;"},
    {"lib/select/selectwithbytesmask.h", "using AscendC::SelectWithBytesMask;"},
    {"adv_api/activation/softmax.h", "using AscendC::SoftMax;"},
    {"adv_api/math/power.h", "using AscendC::Power;"},
    {"adv_api/normalization/layernorm.h", "using AscendC::LayerNorm;"},
    {"adv_api/reduce/sum.h", "using AscendC::Sum;"},
    {"adv_api/pad/broadcast.h", "using AscendC::Broadcast;"},
    {"basic_api/kernel_tensor.h", "using AscendC::LocalTensor;"},
    {"basic_api/kernel_tpipe.h", "using AscendC::TPipe;"},
    {"basic_api/kernel_operator_data_copy_intf.h", "using AscendC::DataCopy;"},
    {"basic_api/kernel_operator_vec_binary_intf.h", "using AscendC::Add;"},
    {"basic_api/kernel_operator_mm_intf.h", "using AscendC::Mmad;"},
    {"basic_api/kernel_operator_fixpipe_intf.h", "using AscendC::Fixpipe;"},
    {"kernel_tiling/kernel_tiling.h", "AscendC::tiling::TCubeTiling cube; SoftMaxTiling rows;"},
    {"ascendc/host_api/tiling/template_argument.h", "constexpr int kind = C_DT_FLOAT16;"},
    {"utils/debug/asc_dump.h", ""},
    {"ascendc/basic_api/kernel_operator.h", "using AscendC::Sub;"},
    {"kernel_operator.h", "using AscendC::GetBlockIdx; constexpr auto two = AscendC::TWO;"},
};

// Pages of the host's side.
constexpr Path kHostPaths[] = {
    {"tiling/tiling_api.h",
     "matmul_tiling::MatmulApiTiling* cube; static_assert(sizeof(half) == 2);"},
    {"tiling/platform/platform_ascendc.h", "platform_ascendc::PlatformAscendC* platform;"},
    {"register/tilingdata_base.h", "std::map<int, double> map; double root = std::sqrt(2.0);"},
    {"register/op_def_registry.h", "ops::OpDef* definition;"},
    {"register/op_impl_registry.h", ""},
    {"exe_graph/runtime/tiling_context.h", "gert::TilingContext* tiling;"},
    {"exe_graph/runtime/infer_shape_context.h", "gert::InferShapeContext* shapes;"},
    {"graph/utils/type_utils.h", "ge::DataType dtype;"},
    {"graph/types.h", ""},
    {"external/graph/types.h", ""},
    {"external/register/op_def_registry.h", ""},
    {"platform/platform_ascendc.h", ""},
    {"op_host/tiling_templates_registry.h", ""},
    {"log/log.h", ""},
    {"error/ops_error.h", ""},
    {"err/ops_err.h", ""},
    {"tiling_base/error_log.h", ""},
    {"tiling_base/tiling_util.h", "using Ops::Transformer::CeilDiv;"},
    {"toolchain/slog.h", "inline int32_t op_level() { return CheckLogLevel(OP, DLOG_DEBUG); }"},
    {"securec.h", ""},
};

// Returns what the compiler says of a source of all paths, in their order.
template <size_t n>
std::string said_of(const Path (&paths)[n], const std::string& name) {
  std::string text;
  for (const Path& path : paths) text += fmt::format("#include \"{}\"\n", path.header);
  for (size_t i = 0; i < n; ++i)
    text += fmt::format("namespace use_{} {{\n#line 1 \"{}\"\n{}\n}}\n", i, paths[i].header,
                        paths[i].use);
  const std::filesystem::path source = std::filesystem::path(testing::TempDir()) / (name + ".cpp");
  const std::string log = source.string() + ".log";
  EXPECT_TRUE(write_file(source, text).ok());
  const std::string root = OPKIT_SOURCE_DIR;
  const int status =
      std::system(fmt::format("{} -std=c++17 -fsyntax-only -w -I '{}/opkit/include' -I "
                              "'{}/forwards' -I '{}' '{}' > '{}' 2>&1",
                              OPKIT_COMPILER, root, OPKIT_BINARY_DIR, root, source.string(), log)
                      .c_str());
  return status == 0 ? "" : read_file(log).value();
}

TEST(HeaderPaths, OfKernels) { EXPECT_EQ(said_of(kKernelPaths, "kernel_paths"), ""); }
TEST(HeaderPaths, OfHosts) { EXPECT_EQ(said_of(kHostPaths, "host_paths"), ""); }

}  // namespace
}  // namespace opkit::coverage
