// What the pages of the library's calls say about memory that operands share, call by call: the
// destination on a source, and sharedTmpBuffer on a source. What a page excludes is refused where
// somebody watches that keeps kernels to the pages (EK1803), what it allows gives the same bytes as
// operands of their own.
#include <gmock/gmock.h>

#include "tests/conformance/advanced.h"
#include "tiling/tiling_api.h"

namespace conformance {
namespace {

using namespace AscendC;

enum class Says {
  kExcludes,
  kAllows,
  kNothing,   // and it works
  kNeedsTwo,  // nothing, and the destination holds intermediate values: refused everywhere
};
// The call with its destination and its temporary buffer at these bytes; sources lie at kSrc0,
// kSrc1 and kSrc2. buffer: what the page says of sharedTmpBuffer.
struct Call {
  const char* name;
  Says source, buffer;
  std::function<void(uint32_t dst, const LocalTensor<uint8_t>& tmp)> body;
};

using F = float;
using H = Half;
constexpr uint32_t kRows = 2, kColumns = 64, kCount = kRows * kColumns;

template <typename Tiling>
Tiling softmax_rows_tiling() {
  Tiling t{};
  t.srcM = kRows;
  t.srcK = kColumns;
  return t;
}
template <typename Tiling>
Tiling norm_tiling() {
  Tiling t{};
  t.bLength = 1;
  t.sLength = kRows;
  t.hLength = t.originalHLength = kColumns;
  return t;
}
const uint32_t kShape[] = {kRows, kColumns};
constexpr LayerNormPara kPara{kRows, kColumns, kColumns};
constexpr WelfordUpdateConfig kInplace{true};
constexpr CumSumConfig kAlong{true, false, false}, kDown{false, false, false};

#define UNARY(Name, source, buffer)                                                     \
  Call {                                                                                \
#Name, Says::source, Says::buffer,                                                  \
        [](uint32_t d,                                                                  \
           const LocalTensor <uint8_t>& t) { Name(at<F>(d), at<F>(kSrc0), t, kCount); } \
  }
#define BINARY(Name, T, source, buffer)                                                  \
  Call {                                                                                 \
#Name, Says::source, Says::buffer,                                                   \
        [](uint32_t d, const LocalTensor <uint8_t>&                                      \
                           t) { Name(at<T>(d), at<T>(kSrc1), at<T>(kSrc0), t, kCount); } \
  }
#define CALL(name, source, buffer, ...)                                                   \
  Call {                                                                                  \
    name, Says::source, Says::buffer,                                                     \
        []([[maybe_unused]] uint32_t d, [[maybe_unused]] const LocalTensor<uint8_t>& t) { \
          __VA_ARGS__;                                                                    \
        }                                                                                 \
  }
#define REDUCE(Name, T)             \
  CALL(#Name, kExcludes, kExcludes, \
       (Name<T, Pattern::Reduce::AR>(at<T>(d), at<T>(kSrc0), t, kShape, true)))

std::vector<Call> calls() {
  return {
    UNARY(Tanh, kExcludes, kExcludes), UNARY(Sin, kExcludes, kExcludes),
        UNARY(Cos, kExcludes, kExcludes), UNARY(Tan, kExcludes, kExcludes),
        UNARY(Asin, kExcludes, kExcludes), UNARY(Acos, kExcludes, kExcludes),
        UNARY(Atan, kExcludes, kExcludes), UNARY(Sinh, kExcludes, kExcludes),
        UNARY(Cosh, kExcludes, kExcludes), UNARY(Asinh, kExcludes, kExcludes),
        UNARY(Acosh, kExcludes, kExcludes), UNARY(Atanh, kExcludes, kExcludes),
        UNARY(Log, kExcludes, kNothing), UNARY(Log2, kExcludes, kNothing),
        UNARY(Log10, kExcludes, kNothing), UNARY(Erf, kExcludes, kNothing),
        UNARY(Erfc, kExcludes, kExcludes), UNARY(Sigmoid, kExcludes, kExcludes),
        UNARY(Floor, kExcludes, kExcludes), UNARY(Ceil, kExcludes, kExcludes),
        UNARY(Round, kNothing, kExcludes), UNARY(Rint, kExcludes, kExcludes),
        UNARY(Trunc, kAllows, kExcludes), UNARY(Frac, kExcludes, kNothing),
        UNARY(Sign, kExcludes, kExcludes), UNARY(Lgamma, kExcludes, kExcludes),
        UNARY(Digamma, kExcludes, kExcludes),
        CALL("Exp", kExcludes, kExcludes, (Exp<F, 10>(at<F>(d), at<F>(kSrc0), t, kCount))),
        BINARY(Fmod, F, kExcludes, kExcludes), BINARY(Power, F, kExcludes, kNothing),
        BINARY(Xor, int16_t, kExcludes, kExcludes),
        CALL("Power", kExcludes, kNothing, Power(at<F>(d), at<F>(kSrc0), 2.0f, t, kCount)),
        CALL("Power", kExcludes, kNothing, Power(at<F>(d), 2.0f, at<F>(kSrc0), t, kCount)),
        CALL("Axpy", kExcludes, kExcludes, Axpy(at<F>(d), at<F>(kSrc0), 2.0f, t, kCount)),
        CALL("ClampMax", kExcludes, kExcludes, ClampMax(at<F>(d), at<F>(kSrc0), t, 2.0f, kCount)),
        CALL("ClampMin", kExcludes, kExcludes, ClampMin(at<F>(d), at<F>(kSrc0), t, 2.0f, kCount)),
        CALL("CumSum", kNeedsTwo, kNothing,
             (CumSum<F, kAlong>(at<F>(d), at<F>(kSrc2), at<F>(kSrc0), t,
                                CumSumInfo{kRows, kColumns}))),
        CALL("CumSum", kNothing, kNothing,
             (CumSum<F, kDown>(at<F>(d), at<F>(kSrc2), at<F>(kSrc0), t,
                               CumSumInfo{kRows, kColumns}))),

        CALL("Gelu", kAllows, kExcludes, Gelu(at<F>(d), at<F>(kSrc0), t, kCount)),
        CALL("FasterGelu", kAllows, kExcludes, FasterGelu(at<F>(d), at<F>(kSrc0), t, kCount)),
        CALL("FasterGeluV2", kAllows, kExcludes, FasterGeluV2(at<F>(d), at<F>(kSrc0), t, kCount)),
        CALL("Silu", kExcludes, kNothing, Silu(at<F>(d), at<F>(kSrc0), kCount)),
        CALL("Swish", kExcludes, kNothing, Swish(at<F>(d), at<F>(kSrc0), kCount, 2.0f)),
        BINARY(GeGLU, F, kExcludes, kExcludes), BINARY(ReGlu, F, kExcludes, kExcludes),
        CALL("SwiGLU", kExcludes, kExcludes,
             SwiGLU(at<F>(d), at<F>(kSrc1), at<F>(kSrc0), 2.0f, t, kCount)),

        CALL("SoftMax", kAllows, kExcludes,
             SoftMax<F>(at<F>(d), at<F>(kSrc2), at<F>(kSrc2 + 1024), at<F>(kSrc0), t,
                        softmax_rows_tiling<SoftMaxTiling>())),
        CALL("SimpleSoftMax", kAllows, kExcludes,
             SimpleSoftMax<F>(at<F>(d), at<F>(kSrc2), at<F>(kSrc2 + 1024), at<F>(kSrc0), t,
                              softmax_rows_tiling<SoftMaxTiling>())),
        CALL("LogSoftMax", kExcludes, kExcludes,
             LogSoftMax<F>(at<F>(d), at<F>(kSrc2), at<F>(kSrc2 + 1024), at<F>(kSrc0), t,
                           softmax_rows_tiling<LogSoftMaxTiling>())),
        CALL("SoftmaxFlash", kAllows, kExcludes,
             SoftmaxFlash<F>(at<F>(d), at<F>(kSrc2), at<F>(kSrc2 + 1024), at<F>(kSrc0),
                             at<F>(kSrc2 + 2048), at<F>(kSrc2), at<F>(kSrc2 + 1024), t,
                             softmax_rows_tiling<SoftMaxTiling>(), true)),
        CALL("SoftmaxFlashV2", kAllows, kExcludes,
             (SoftmaxFlashV2<F, true>(at<F>(d), at<F>(kSrc2), at<F>(kSrc2 + 1024), at<F>(kSrc0),
                                      at<F>(kSrc2 + 2048), at<F>(kSrc2), at<F>(kSrc2 + 1024), t,
                                      softmax_rows_tiling<SoftMaxTiling>()))),
        CALL("SoftmaxFlashV3", kAllows, kExcludes,
             (SoftmaxFlashV3<H, F>(at<H>(d), at<F>(kSrc2), at<F>(kSrc2 + 1024), at<F>(kSrc2 + 2048),
                                   at<H>(kSrc0), at<H>(kSrc2 + 3072), at<F>(kSrc2), at<F>(kSrc2),
                                   at<F>(kSrc2), t, SoftMaxTiling{},
                                   SoftMaxParams{2, 512, 2, 512, 1, 8, 0.9f}))),
        CALL("SoftmaxGrad", kAllows, kExcludes,
             SoftmaxGrad<F>(at<F>(d), at<F>(kSrc1), at<F>(kSrc0), t,
                            softmax_rows_tiling<SoftMaxTiling>())),

        CALL("LayerNorm", kAllows, kNothing,
             LayerNorm<F>(at<F>(d), at<F>(kSrc2), at<F>(kSrc2 + 1024), at<F>(kSrc0), at<F>(kSrc1),
                          at<F>(kSrc1 + 1024), t, 1e-3f, norm_tiling<LayerNormTiling>())),
        CALL("LayerNorm", kExcludes, kNothing,  // the mean
             LayerNorm<F>(at<F>(kDst + 4096), at<F>(d), at<F>(kSrc2 + 1024), at<F>(kSrc0),
                          at<F>(kSrc1), at<F>(kSrc1 + 1024), t, 1e-3f,
                          norm_tiling<LayerNormTiling>())),
        CALL("LayerNorm", kExcludes, kNothing,  // with rstd
             (LayerNorm<F, F>(at<F>(d), at<F>(kSrc2), at<F>(kSrc2 + 1024), at<F>(kSrc0),
                              at<F>(kSrc1), at<F>(kSrc1 + 1024), 1e-3f, t, kPara,
                              LayerNormSeparateTiling{}))),
        CALL("Normalize", kExcludes, kNothing,
             (Normalize<F, F>(at<F>(d), at<F>(kSrc2), at<F>(kSrc2 + 1024), at<F>(kSrc2 + 2048),
                              at<F>(kSrc0), at<F>(kSrc1), at<F>(kSrc1 + 1024), t, 1e-3f,
                              NormalizePara{kRows, kColumns, kColumns}))),
        CALL("RmsNorm", kNothing, kNothing,
             RmsNorm<F>(at<F>(d), at<F>(kSrc0), at<F>(kSrc1), t, 1e-3f,
                        norm_tiling<RmsNormTiling>())),
        CALL("RmsNorm", kExcludes, kNothing,  // gamma
             RmsNorm<F>(at<F>(d), at<F>(kSrc1), at<F>(kSrc0), t, 1e-3f,
                        norm_tiling<RmsNormTiling>())),
        CALL("DeepNorm", kExcludes, kNothing,
             DeepNorm<F>(at<F>(d), at<F>(kSrc2), at<F>(kSrc2 + 1024), at<F>(kSrc0),
                         at<F>(kSrc2 + 2048), at<F>(kSrc1), at<F>(kSrc1 + 1024), t, 2.0f, 1e-3f,
                         norm_tiling<DeepNormTiling>())),
        CALL("DeepNorm", kAllows, kNothing,  // isReuseSrc
             (DeepNorm<F, true>(at<F>(d), at<F>(kSrc2), at<F>(kSrc2 + 1024), at<F>(kSrc0),
                                at<F>(kSrc2 + 2048), at<F>(kSrc1), at<F>(kSrc1 + 1024), t, 2.0f,
                                1e-3f, norm_tiling<DeepNormTiling>()))),
        CALL("LayerNormGrad", kAllows, kNothing,
             LayerNormGrad<F>(at<F>(d), at<F>(kSrc2 + 4096), at<F>(kSrc0), at<F>(kSrc2),
                              at<F>(kSrc1), at<F>(kSrc1 + 1024), at<F>(kSrc1 + 2048), t, 1e-3f,
                              norm_tiling<LayerNormGradTiling>())),
        CALL("LayerNormGradBeta", kAllows, kNothing,
             LayerNormGradBeta<F>(at<F>(d), at<F>(kSrc2), at<F>(kSrc0), at<F>(kSrc1), t,
                                  norm_tiling<LayerNormGradBetaTiling>())),
        CALL("WelfordUpdate", kExcludes, kExcludes,
             (WelfordUpdate<F, F>(at<F>(d), at<F>(kSrc2), at<F>(kSrc0), at<F>(kSrc1),
                                  at<F>(kSrc1 + 1024), t,
                                  WelfordUpdateParam{1, kColumns, kColumns, 0.5f}))),
        CALL("WelfordUpdate", kAllows, kExcludes,
             (WelfordUpdate<F, F, false, kInplace>(at<F>(d), at<F>(kSrc2), at<F>(kSrc0),
                                                   at<F>(kSrc1), at<F>(kSrc1 + 1024), t,
                                                   WelfordUpdateParam{1, kColumns, 60, 0.5f}))),
        CALL("WelfordFinalize", kExcludes, kExcludes,
             WelfordFinalize<>(at<F>(d), at<F>(kSrc2), at<F>(kSrc0), at<F>(kSrc1), t,
                               WelfordFinalizePara{4, kColumns, 4, kColumns, 0, 0, 1.0f / kColumns,
                                                   1.0f / (4 * kColumns), 0})),

        CALL("AscendQuant", kAllows, kNothing,
             AscendQuant<H>(at<int8_t>(d), at<H>(kSrc0), t, 2.0f, 1.0f, kCount)),
        CALL("AscendDequant", kExcludes, kNothing,
             (AscendDequant<F, F>(at<F>(d), at<int32_t>(kSrc0), at<F>(kSrc1), t,
                                  DequantParams{kRows, kColumns, kColumns}))),
        CALL("AscendDequant", kExcludes, kNothing,
             (AscendDequant<F, F>(at<F>(d), at<int32_t>(kSrc0), 2.0f, t,
                                  DequantParams{kRows, kColumns, kColumns}))),
        CALL("AscendAntiQuant", kExcludes, kNothing,
             (AscendAntiQuant<int8_t, H, false>(at<H>(d, 2 * kCount), at<int8_t>(kSrc0, kCount),
                                                H(1.0f), H(2.0f), t, kRows))),
        CALL("AscendAntiQuant", kExcludes, kNothing,
             (AscendAntiQuant<int8_t, H, false>(at<H>(d), at<int8_t>(kSrc0), at<H>(kSrc1),
                                                at<H>(kSrc1 + 1024), t, kRows,
                                                AntiQuantShapeInfo{1, kColumns, 1, kColumns}))),

        CALL("Sum", kExcludes, kExcludes,
             Sum(at<F>(d), at<F>(kSrc0), t, SumParams{kRows, kColumns, kColumns})),
        CALL("Mean", kExcludes, kExcludes,
             Mean<F>(at<F>(d), at<F>(kSrc0), t, MeanParams{kRows, kColumns, kColumns})),
        CALL("Mean", kExcludes, kExcludes,
             (Mean<H, F>(at<H>(d), at<H>(kSrc0), t, MeanParams{kRows, kColumns, kColumns}))),
        REDUCE(ReduceSum, F), REDUCE(ReduceMax, F), REDUCE(ReduceMin, H), REDUCE(ReduceMean, F),
        REDUCE(ReduceProd, F), REDUCE(ReduceAll, uint8_t), REDUCE(ReduceAny, F),
        CALL("ReduceSum", kExcludes, kExcludes,
             (ReduceSum<F, Pattern::Reduce::RA>(at<F>(d), at<F>(kSrc0), t, kShape, true))),
        CALL("ReduceXorSum", kExcludes, kExcludes,
             ReduceXorSum(at<int16_t>(d), at<int16_t>(kSrc1), at<int16_t>(kSrc0), t, kCount)),

        CALL("TopK", kExcludes, kNothing,
             TopK<F>(at<F>(d), at<int32_t>(kDst + 4096), at<F>(kSrc0), at<int32_t>(kSrc2),
                     at<bool>(kSrc2), t, 3, TopkTiling{}, TopKInfo{kRows, kColumns, kColumns})),
        CALL("TopK", kExcludes, kNothing,  // the indices
             TopK<F>(at<F>(kDst + 4096), at<int32_t>(d), at<F>(kSrc0), at<int32_t>(kSrc2),
                     at<bool>(kSrc2), t, 3, TopkTiling{}, TopKInfo{kRows, kColumns, kColumns})),
        CALL("Broadcast", kExcludes, kNothing, const uint32_t from[] = {1, kColumns};
             (Broadcast<F, 2, 0>(at<F>(d), at<F>(kSrc0), kShape, from, t))),
        CALL("Pad", kNeedsTwo, kNothing, PadTiling tiling{}; tiling.srcHeight = 3;
             tiling.srcWidth = tiling.srcOriWidth = 15;
             Pad(at<H>(d), at<H>(kSrc0), PadParams{0, 1, 0}, t, tiling)),
        CALL("UnPad", kNeedsTwo, kNothing, UnPadTiling tiling{}; tiling.srcHeight = 3;
             tiling.srcWidth = 16; UnPad(at<H>(d), at<H>(kSrc0), UnPadParams{0, 1}, t, tiling)),
        CALL("Transpose", kNeedsTwo, kNothing, ConfusionTransposeTiling tiling{};
             tiling.param0 = tiling.param1 = 16;
             Transpose(at<H>(d), at<H>(kSrc0), t, TransposeType::TRANSPOSE_ND2ND_ONLY, tiling)),
        CALL("DropOut", kAllows, kNothing, DropOutShapeInfo info; info.firstAxis = kRows;
             info.srcLastAxis = info.maskLastAxis = kColumns;
             DropOut<F>(at<F>(d), at<F>(kSrc0), at<uint8_t>(kSrc1), t, 0.5f, info)),
        CALL("Select", kAllows, kNothing, SelectWithBytesMaskShapeInfo info; info.firstAxis = kRows;
             info.srcLastAxis = info.maskLastAxis = kColumns;
             Select(at<F>(d), at<F>(kSrc0), 2.0f, at<uint8_t>(kSrc1), t, info)),
  };
}

class Overlap : public ::testing::TestWithParam<Call> {};

// Numbers that every call takes.
Image numbers() {
  Image image(17);
  for (uint32_t start : {kSrc0, kSrc1, kSrc2})
    image.fill(start, spread<F>(2048, start, 0.25f, 0.75f));
  return image;
}
void expect(const Call& call, Says says, const std::function<void()>& body, const char* what) {
  const auto faults = faults_of(piped(body));
  if (says == Says::kAllows || says == Says::kNothing) {
    for (const auto& fault : faults) EXPECT_NE(fault.code, "EK1803") << call.name << " " << what;
    return;
  }
  ASSERT_EQ(faults.size(), 1u) << call.name << " " << what;
  EXPECT_EQ(faults[0].code, "EK1803");
  EXPECT_THAT(faults[0].message, ::testing::StartsWith(std::string(call.name) + ": "));
}

TEST_P(Overlap, AsItsPageSays) {
  const Call& call = GetParam();
  const auto tmp = [] { return temporary(32768); };
  EXPECT_TRUE(faults_of(piped([&] { call.body(kDst, tmp()); })).empty()) << call.name;
  expect(
      call, call.source, [&] { call.body(kSrc0, tmp()); }, "on its source");
  expect(
      call, call.buffer, [&] { call.body(kDst, at<uint8_t>(kSrc0)); }, "tmp on a source");
}
// Nobody watches: a call on its own source computes as if apart, unless it needs two tensors.
TEST_P(Overlap, InPlaceInFast) {
  const Call& call = GetParam();
  if (call.source != Says::kAllows) return;
  const auto tmp = [] { return temporary(32768); };
  const Image before = numbers();
  const Image apart = run(before, piped([&] { call.body(kDst, tmp()); })).image;
  const Image same = run(before, piped([&] { call.body(kSrc0, tmp()); })).image;
  uint32_t changed = 0;
  for (uint32_t i = 0; i < 4096; ++i) {
    if (apart.data()[kDst + i] == before.data()[kDst + i]) continue;
    ++changed;
    ASSERT_EQ(apart.data()[kDst + i], same.data()[kSrc0 + i]) << call.name << " byte " << i;
  }
  EXPECT_GT(changed, 0u) << call.name;
}
INSTANTIATE_TEST_SUITE_P(Advanced, Overlap, ::testing::ValuesIn(calls()), [](const auto& info) {
  return std::string(info.param.name) + "_" + std::to_string(info.index);
});

}  // namespace
}  // namespace conformance
