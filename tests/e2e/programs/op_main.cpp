// Calls an installed op, BlendRelu (relu(alpha * x + y)), as a single operator: by its type, by a
// handle, with inferred shapes; then wrongly.

#include "acl/acl_op_compiler.h"
#include "misuse.h"

namespace {

constexpr int64_t kDims[] = {6, 10};
constexpr size_t kCount = 60, kBytes = kCount * sizeof(float);
struct Call {
  Call() : attr(aclopCreateAttr()) {
    in[0] = aclCreateTensorDesc(ACL_FLOAT, 2, kDims, ACL_FORMAT_NCHW);  // ND takes it
    in[1] = aclCreateTensorDesc(ACL_FLOAT, 2, kDims, ACL_FORMAT_ND);
    out[0] = aclCreateTensorDesc(ACL_FLOAT, 2, kDims, ACL_FORMAT_ND);
    Check(aclopSetAttrFloat(attr, "alpha", 0.5f), "aclopSetAttrFloat");
    from[0] = aclCreateDataBuffer(x.Get(), kBytes);
    from[1] = aclCreateDataBuffer(y.Get(), kBytes);
    to[0] = aclCreateDataBuffer(z.Get(), kBytes);
  }
  ~Call() {
    aclopDestroyAttr(attr);
    for (aclTensorDesc* desc : {in[0], in[1], out[0]}) aclDestroyTensorDesc(desc);
    for (aclDataBuffer* buffer : {from[0], from[1], to[0]})
      Check(aclDestroyDataBuffer(buffer), "aclDestroyDataBuffer");
  }
  aclError Execute(aclrtStream stream, const char* type = "BlendRelu") {
    return aclopExecuteV2(type, 2, in, from, 1, out, to, attr, stream);
  }
  int Wrong() const {
    int wrong = 0;
    const std::vector<float> found = z.Read();
    for (size_t i = 0; i < kCount; ++i) {
      const float sum = 0.5f * hx[i] + hy[i];
      wrong += found[i] != (sum > 0 ? sum : 0);
    }
    return wrong;
  }
  static std::vector<float> Numbers(float first) {
    std::vector<float> all(kCount);
    for (size_t i = 0; i < kCount; ++i) all[i] = first + static_cast<float>(i) * 0.5f;
    return all;
  }
  std::vector<float> hx = Numbers(-40), hy = Numbers(3);
  DeviceArray<float> x{hx}, y{hy}, z{Numbers(1000)};
  aclTensorDesc *in[2], *out[1];
  aclDataBuffer *from[2], *to[1];
  aclopAttr* attr;
};

int Calls(aclrtStream stream) {
  int wrong = 0;
  {
    Call call;
    Check(call.Execute(stream), "aclopExecuteV2");
    Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
    wrong += call.Wrong();
  }
  {
    Call call;
    Check(aclopCompileAndExecute("BlendRelu", 2, call.in, call.from, 1, call.out, call.to,
                                 call.attr, ACL_ENGINE_SYS, ACL_COMPILE_SYS, nullptr, stream),
          "aclopCompileAndExecute");
    Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
    wrong += call.Wrong();
  }
  {
    Call call;
    const int64_t open[] = {-1, -1};
    aclDestroyTensorDesc(call.out[0]);
    call.out[0] = aclCreateTensorDesc(ACL_FLOAT, 2, open, ACL_FORMAT_ND);
    Check(aclopInferShape("BlendRelu", 2, call.in, call.from, 1, call.out, call.attr),
          "aclopInferShape");
    wrong += aclGetTensorDescSize(call.out[0]) != kBytes;
    aclopHandle* handle = nullptr;
    Check(aclopCreateHandle("BlendRelu", 2, call.in, 1, call.out, call.attr, &handle), "handle");
    for (int i = 0; i < 3; ++i)
      Check(aclopExecWithHandle(handle, 2, call.from, 1, call.to, stream), "aclopExecWithHandle");
    Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
    aclopDestroyHandle(handle);
    wrong += call.Wrong();
    Refused("handle", aclopExecWithHandle(handle, 2, call.from, 1, call.to, stream), 107017,
            "aclopHandle");
  }
  return wrong;
}

void Refusals(aclrtStream stream) {
  Call call;
  Refused("type", call.Execute(stream, "BlendRely"), 100024, "BlendRely");
  Refused("null", call.Execute(stream, nullptr), 100000, "without a type");
  Refused("stream", call.Execute(&call), 107003, "no stream");
  Refused(
      "count",
      aclopExecuteV2("BlendRelu", 1, call.in, call.from, 1, call.out, call.to, call.attr, stream),
      100021, "1 are given");
  Refused("path",
          aclopCompile("BlendRelu", 2, call.in, 1, call.out, call.attr, ACL_ENGINE_SYS,
                       ACL_COMPILE_SYS, "kernel.cpp"),
          200001, "kernel.cpp");
  Refused("load", aclopLoad("om", 2), 100025, "OPK-OM-001");
  Refused("load nothing", aclopLoad(nullptr, 2), 100000, "2 bytes at (nil)");
  Refused("folder", aclopSetModelDir("nowhere"), 100003, "nowhere");
  Check(aclUpdateDataBuffer(call.to[0], call.z.Get(), kBytes - 1), "aclUpdateDataBuffer");
  Refused("small", call.Execute(stream), 100022, "239 bytes");
  Check(aclUpdateDataBuffer(call.to[0], call.hx.data(), kBytes), "aclUpdateDataBuffer");
  Refused("host", call.Execute(stream), 107000, "OPK-ACLNN-003");
  Check(aclUpdateDataBuffer(call.to[0], call.z.Get(), kBytes), "aclUpdateDataBuffer");
  Check(aclopSetAttrInt(call.attr, "alpha", 1), "aclopSetAttrInt");
  Refused("kind", call.Execute(stream), 100023, "is float, it was set as int");
  Check(aclopSetAttrFloat(call.attr, "alpha", 1), "aclopSetAttrFloat");
  Check(aclopSetAttrFloat(call.attr, "alhpa", 1), "aclopSetAttrFloat");
  Refused("attribute", call.Execute(stream), 100023, "alpha");
  aclopDestroyAttr(call.attr);
  Refused("gone", call.Execute(stream), 107017, "aclopAttr");
  call.attr = aclopCreateAttr();
  const int64_t longer[] = {6, 11}, open[] = {-1, 10};
  aclDestroyTensorDesc(call.in[1]);
  Refused("gone", call.Execute(stream), 107017, "aclTensorDesc");
  call.in[1] = aclCreateTensorDesc(ACL_FLOAT, 2, longer, ACL_FORMAT_ND);
  Refused("shape", call.Execute(stream), 100021, "error OPK-");
  aclDestroyTensorDesc(call.in[1]);
  call.in[1] = aclCreateTensorDesc(ACL_FLOAT, 2, open, ACL_FORMAT_ND);
  Refused("open", call.Execute(stream), 100021, "open dims");
  aclDestroyTensorDesc(call.in[1]);
  call.in[1] = aclCreateTensorDesc(ACL_FLOAT, 2, kDims, ACL_FORMAT_FRACTAL_NZ);
  Refused("format", call.Execute(stream), 100021, "FRACTAL_NZ");
  aclDestroyTensorDesc(call.in[1]);
  call.in[1] = aclCreateTensorDesc(ACL_STRING, 2, kDims, ACL_FORMAT_ND);
  Refused("type", call.Execute(stream), 100026, "data type 13");
  aclDestroyTensorDesc(call.in[1]);
  call.in[1] = aclCreateTensorDesc(ACL_FLOAT, 2, kDims, ACL_FORMAT_ND);
  aclDestroyTensorDesc(call.out[0]);
  call.out[0] = aclCreateTensorDesc(ACL_FLOAT16, 2, kDims, ACL_FORMAT_ND);
  Refused("output", call.Execute(stream), 100022, "OPK-ACLNN-001");
}

}  // namespace

int main() {
  Session session;
  const int wrong = Calls(session.stream);
  Refusals(session.stream);
  std::printf("%d wrong of 3 ways, %d misuses\n", wrong, misuses);
  return wrong != 0;
}
