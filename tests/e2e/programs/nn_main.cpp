// Calls an installed op, BlendRelu (relu(alpha * x + y)), by its two calls: whole tensors, views,
// again, and wrongly.

#include "aclnnop/aclnn_blend_relu.h"
#include "misuse.h"

namespace {

constexpr int64_t kRows = 6, kColumns = 10;
constexpr float kAlpha = 0.5f;

struct View {
  std::vector<int64_t> dims, strides;
  int64_t offset = 0;
};
const View kWhole = {{kRows, kColumns}, {kColumns, 1}, 0};
const View kTurned = {{kRows, kColumns}, {1, kRows}, 0};
const View kInside = {{kRows, kColumns}, {2 * kColumns, 2}, 3};  // takes each second of 20 columns

aclTensor* Tensor(const View& view, const DeviceArray<float>& memory, size_t count) {
  const int64_t storage[] = {static_cast<int64_t>(count)};
  aclTensor* const tensor =
      aclCreateTensor(view.dims.data(), view.dims.size(), ACL_FLOAT, view.strides.data(),
                      view.offset, ACL_FORMAT_ND, storage, 1, memory.Get());
  if (!tensor) Check(1, "aclCreateTensor");
  return tensor;
}

int64_t Place(const View& view, int64_t row, int64_t column) {
  return view.offset + row * view.strides[0] + column * view.strides[1];
}

std::vector<float> Numbers(size_t count, float first) {
  std::vector<float> all(count);
  for (size_t i = 0; i < count; ++i) all[i] = first + static_cast<float>(i) * 0.5f;
  return all;
}

// Elements that are wrong after z = relu(alpha * x + y), those outside z's view included.
// captured: the stream executes what it was given once.
int Run(const View& vx, const View& vy, const View& vz, int times, aclrtStream stream,
        bool captured = false) {
  constexpr size_t kCount = 200;
  const auto hx = Numbers(kCount, -40), hy = Numbers(kCount, 7), hz = Numbers(kCount, 1000);
  DeviceArray<float> x(hx), y(hy), z(hz);
  aclTensor* const tx = Tensor(vx, x, kCount);
  aclTensor* const ty = Tensor(vy, y, kCount);
  aclTensor* const tz = Tensor(vz, z, kCount);
  uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  Check(aclnnBlendReluGetWorkspaceSize(tx, ty, kAlpha, tz, &bytes, &executor),
        "aclnnBlendReluGetWorkspaceSize");
  for (aclTensor* tensor : {tx, ty, tz}) Check(aclDestroyTensor(tensor), "aclDestroyTensor");
  if (times > 1 && !captured) Check(aclSetAclOpExecutorRepeatable(executor), "repeatable");
  void* workspace = nullptr;
  if (bytes) Check(aclrtMalloc(&workspace, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  aclmdlRI model = nullptr;
  if (captured) Check(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), "begin");
  for (int i = 0; i < (captured ? 1 : times); ++i)
    Check(aclnnBlendRelu(workspace, bytes, executor, stream), "aclnnBlendRelu");
  if (captured) Check(aclmdlRICaptureEnd(stream, &model), "end");
  for (int i = 0; captured && i < times; ++i)
    Check(aclmdlRIExecuteAsync(model, stream), "aclmdlRIExecuteAsync");
  if (times > 1 && !captured)
    Check(aclDestroyAclOpExecutor(executor), "aclDestroyAclOpExecutor");
  else
    Refused("used", aclnnBlendRelu(workspace, bytes, executor, stream), 161002, "used it up");
  Check(aclrtSynchronizeStreamWithTimeout(stream, 1000), "aclrtSynchronizeStreamWithTimeout");
  if (captured) Check(aclmdlRIDestroy(model), "aclmdlRIDestroy");
  std::vector<float> expected = hz;
  for (int64_t r = 0; r < kRows; ++r) {
    for (int64_t c = 0; c < kColumns; ++c) {
      const float sum = kAlpha * hx[Place(vx, r, c)] + hy[Place(vy, r, c)];
      expected[Place(vz, r, c)] = sum > 0 ? sum : 0;
    }
  }
  const std::vector<float> found = z.Read();
  int wrong = 0;
  for (size_t i = 0; i < kCount; ++i) wrong += found[i] != expected[i];
  if (workspace) Check(aclrtFree(workspace), "aclrtFree");
  return wrong;
}

void Refusals(aclrtStream stream) {
  DeviceArray<float> memory(Numbers(200, 0));
  aclTensor* const whole = Tensor(kWhole, memory, 200);
  const View longer = {{kRows, kColumns + 1}, {kColumns + 1, 1}, 0};
  const View far = {{kRows, kColumns}, {1000, 1}, 0};
  aclTensor* const other = Tensor(longer, memory, 200);
  // The last of 205 elements lies in what aclrtMalloc adds to the 200 that were asked for.
  const View past = {{kRows, kColumns}, {39, 1}, 0}, spread = {{kRows, kColumns}, {0, 1}, 0};
  aclTensor* const outside = Tensor(far, memory, 200);
  aclTensor* const behind = Tensor(past, memory, 205);
  aclTensor* const shared = Tensor(spread, memory, 200);
  uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](aclTensor* x, aclTensor* y, aclTensor* out) {
    return aclnnBlendReluGetWorkspaceSize(x, y, kAlpha, out, &bytes, &executor);
  };
  Refused("null", plan(nullptr, whole, whole), 161001, "OPK-ACLNN-006");
  Refused("no place",
          aclnnBlendReluGetWorkspaceSize(whole, whole, kAlpha, whole, nullptr, &executor), 161001,
          "two places");
  Refused("other shape", plan(whole, other, whole), 161002, "error OPK-");
  Refused("other output", plan(whole, whole, other), 161002, "OPK-RUN-006");
  const int64_t dims[] = {kRows, kColumns};
  aclTensor* const half =
      aclCreateTensor(dims, 2, ACL_FLOAT16, nullptr, 0, ACL_FORMAT_ND, dims, 2, memory.Get());
  Refused("other type", plan(whole, whole, half), 161002, "OPK-ACLNN-001");
  Refused("outside", plan(whole, outside, whole), 161002, "OPK-ACLNN-007");
  Refused("shared", plan(whole, whole, shared), 161002, "OPK-ACLNN-007");
  Check(plan(shared, whole, whole), "plan");
  Check(aclDestroyAclOpExecutor(executor), "aclDestroyAclOpExecutor");
  Check(plan(whole, behind, whole), "plan");
  Refused("behind", aclnnBlendRelu(nullptr, bytes, executor, stream), 161002, "OPK-ACLNN-003");
  const View later = {{kRows, kColumns}, {kColumns, 1}, 8};
  aclTensor* const shifted = Tensor(later, memory, 200);
  Check(plan(whole, whole, shifted), "plan");
  Refused("overlap", aclnnBlendRelu(nullptr, bytes, executor, stream), 161002, "bytes in common");
  Check(aclDestroyTensor(shifted), "destroy");
  Refused("negative",
          aclCreateTensor(dims, 2, ACL_FLOAT, nullptr, -1, ACL_FORMAT_ND, dims, 2, memory.Get())
              ? 0
              : 161002,
          161002, "negative");
  for (aclTensor* tensor : {whole, other, outside, behind, shared, half})
    Check(aclDestroyTensor(tensor), "destroy");
  Refused("twice", aclDestroyTensor(whole), 161002, "destroyed");
}

}  // namespace

int main() {
  Session session;
  int wrong = Run(kWhole, kWhole, kWhole, 1, session.stream);
  wrong += Run(kWhole, kTurned, kWhole, 1, session.stream);
  wrong += Run(kTurned, kInside, kInside, 3, session.stream);
  wrong += Run(kTurned, kInside, kWhole, 3, session.stream, true);
  std::printf("%d wrong of 4 calls\n", wrong);
  Refusals(session.stream);
  return wrong != 0;
}
