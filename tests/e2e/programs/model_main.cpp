// Classifies with the net of model_program_test.cpp: loaded from a file, from memory and into the
// program's own memory; run at once, on a stream and again; then wrongly.
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "loaded_model.h"
#include "misuse.h"

namespace {

constexpr size_t kRows = 4, kIn = 16, kHidden = 8, kClasses = 3;
std::vector<float> Numbers(size_t count, int seed) {
  std::vector<float> all(count);
  for (size_t i = 0; i < count; ++i)
    all[i] = static_cast<float>(static_cast<int>(i * 7 + static_cast<size_t>(seed)) % 17 - 8) / 8;
  return all;
}

std::vector<float> Product(const std::vector<float>& a, const std::vector<float>& b, size_t n,
                           size_t k, size_t m) {
  std::vector<float> all(n * m);
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < m; ++j)
      for (size_t l = 0; l < k; ++l) all[i * m + j] += a[i * k + l] * b[l * m + j];
  return all;
}

std::vector<float> Scores(const std::vector<float>& image, const std::vector<float>& shift) {
  std::vector<float> hidden = Product(image, Numbers(kIn * kHidden, 3), kRows, kIn, kHidden);
  for (size_t i = 0; i < hidden.size(); ++i)
    hidden[i] = std::fmax(0.5f * hidden[i] + shift[i], 0.0f);
  return Product(hidden, Numbers(kHidden * kClasses, 5), kRows, kHidden, kClasses);
}

struct Frame {
  explicit Frame(int seed)
      : hx(Numbers(kRows * kIn, seed)),
        hs(Numbers(kRows * kHidden, seed + 1)),
        x(hx),
        s(hs),
        label(std::vector<float>(kRows * kClasses, -1)),
        scores(std::vector<float>(kRows * kClasses, -1)) {
    in.Add(x.Get(), hx.size() * 4);
    in.Add(s.Get(), hs.size() * 4);
    out.Add(label.Get(), kRows * kClasses * 4);
    out.Add(scores.Get(), kRows * kClasses * 4);
  }
  // Rows whose scores or best class are wrong.
  int Wrong() const {
    const std::vector<float> expected = Scores(hx, hs), given = scores.Read(), p = label.Read();
    int wrong = 0;
    for (size_t row = 0; row < kRows; ++row) {
      float sum = 0, all = 0;
      bool right = true;
      for (size_t c = 0; c < kClasses; ++c) all += std::exp(expected[row * kClasses + c]);
      for (size_t i = row * kClasses; i < (row + 1) * kClasses; ++i) {
        sum += p[i];
        right = right && given[i] == expected[i] &&
                std::fabs(p[i] - std::exp(expected[i]) / all) < 1e-5f;
      }
      wrong += !right || std::fabs(sum - 1) > 1e-5f;
    }
    return wrong;
  }
  std::vector<float> hx, hs;
  DeviceArray<float> x, s, label, scores;
  Dataset in, out;
};

// Checks the answer to a question, which has no code.
void NoAnswer(const char* what, bool none, const char* word) {
  Refused(what, none ? 1 : 0, 1, word);
}

void CheckDesc(aclmdlDesc* desc) {
  aclmdlIODims dims;
  size_t index = 0;
  Check(aclmdlGetInputDims(desc, 0, &dims), "aclmdlGetInputDims");
  bool right = dims.dimCount == 2 && dims.dims[0] == 4 && dims.dims[1] == 16 &&
               !std::strcmp(dims.name, "image");
  Check(aclmdlGetOutputDims(desc, 1, &dims), "aclmdlGetOutputDims");
  right = right && dims.dimCount == 2 && dims.dims[1] == 3;
  Check(aclmdlGetInputIndexByName(desc, "shift", &index), "aclmdlGetInputIndexByName");
  right = right && index == 1 && aclmdlGetNumInputs(desc) == 2 && aclmdlGetNumOutputs(desc) == 2 &&
          aclmdlGetInputSizeByIndex(desc, 1) == 128 && aclmdlGetOutputSizeByIndex(desc, 0) == 48 &&
          aclmdlGetInputDataType(desc, 0) == ACL_FLOAT &&
          aclmdlGetOutputFormat(desc, 0) == ACL_FORMAT_ND &&
          !std::strcmp(aclmdlGetOutputNameByIndex(desc, 0), "label");
  aclmdlBatch batch;
  Check(aclmdlGetDynamicBatch(desc, &batch), "aclmdlGetDynamicBatch");
  Check(right && batch.batchCount == 0 ? 0 : 1, "description");
}

void Refusals(uint32_t id, const char* path, const std::string& bytes, aclmdlDesc* desc) {
  Frame frame(11);
  uint32_t other = 0;
  size_t size = 0, index = 0;
  Refused("no path", aclmdlLoadFromFile(nullptr, &other), 100000, "without a path");
  Refused("no place", aclmdlLoadFromFile(path, nullptr), 100000, "no place");
  Refused("no file", aclmdlLoadFromFile("nowhere.om", &other), 145002, "nowhere.om");
  Refused("no model", aclmdlLoadFromFile("net.onnx", &other), 100012, "OPK-OM-001");
  Refused("cut", aclmdlLoadFromMem(bytes.data(), bytes.size() - 9, &other), 100012, "OPK-OM-003");
  Refused("empty", aclmdlLoadFromMem(nullptr, 9, &other), 100000, "9 bytes");
  Refused("sizes", aclmdlQuerySize(path, &size, nullptr), 100000, "two sizes");
  Refused("small", aclmdlLoadFromFileWithMem(path, &other, frame.x.Get(), 16, nullptr, 0), 145007,
          "aclmdlQuerySize");
  size_t work = 0, weights = 0;
  Check(aclmdlQuerySize(path, &work, &weights), "aclmdlQuerySize");
  void* lent = nullptr;
  Check(aclrtMalloc(&lent, work, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
  Check(aclmdlLoadFromFileWithMem(path, &other, lent, work, nullptr, 0), "load");
  Check(aclrtFree(lent), "aclrtFree");
  Refused("freed", aclmdlExecute(other, frame.in.set, frame.out.set), 145007, "is gone");
  Check(aclmdlUnload(other), "aclmdlUnload");
  Refused("unknown", aclmdlGetDesc(desc, 99), 145003, "model 99 is not loaded");
  aclmdlDesc* const empty = aclmdlCreateDesc();
  NoAnswer("empty", aclmdlGetNumInputs(empty) == 0, "aclmdlGetDesc first");
  Check(aclmdlDestroyDesc(empty), "aclmdlDestroyDesc");
  NoAnswer("destroyed", aclmdlGetNumInputs(empty) == 0, "was destroyed");
  NoAnswer("index", aclmdlGetInputSizeByIndex(desc, 2) == 0, "input 2 of a model with 2");
  Refused("name", aclmdlGetInputIndexByName(desc, "imge", &index), 100000, "image, shift");
  Refused("gear", aclmdlSetDynamicBatchSize(id, frame.in.set, 0, 2), 100019, "one shape");
  Refused("id", aclmdlExecute(77, frame.in.set, frame.out.set), 145003, "77");
  Refused("null", aclmdlExecute(id, nullptr, frame.out.set), 100000, "aclmdlDataset");
  {
    Dataset one, host, small;
    one.Add(frame.x.Get(), 256);
    Refused("count", aclmdlExecute(id, one.set, frame.out.set), 100017, "1 buffers");
    host.Add(frame.hx.data(), 256);
    host.Add(frame.s.Get(), 128);
    Refused("host", aclmdlExecute(id, host.set, frame.out.set), 107000, "no device memory");
    small.Add(frame.label.Get(), 48);
    aclDataBuffer* const short_one = small.Add(frame.scores.Get(), 47);
    Refused("small", aclmdlExecute(id, frame.in.set, small.set), 100018, "47 bytes");
    Check(aclUpdateDataBuffer(short_one, frame.scores.Get(), 48), "aclUpdateDataBuffer");
    Check(aclmdlExecute(id, frame.in.set, small.set), "aclmdlExecute");
  }
  {
    const int64_t dims[] = {8, 16};
    aclTensorDesc* const twice = aclCreateTensorDesc(ACL_FLOAT, 2, dims, ACL_FORMAT_ND);
    Check(aclmdlSetDatasetTensorDesc(frame.in.set, twice, 0), "aclmdlSetDatasetTensorDesc");
    aclDestroyTensorDesc(twice);
    Refused("shape", aclmdlExecute(id, frame.in.set, frame.out.set), 100017, "[4, 16] only");
  }
  aclmdlDataset* const gone = aclmdlCreateDataset();
  aclDataBuffer* const buffer = aclCreateDataBuffer(frame.x.Get(), 256);
  Check(aclmdlAddDatasetBuffer(gone, buffer), "aclmdlAddDatasetBuffer");
  Check(aclmdlAddDatasetBuffer(gone, buffer), "aclmdlAddDatasetBuffer");
  Check(aclDestroyDataBuffer(buffer), "aclDestroyDataBuffer");
  Refused("buffer", aclmdlExecute(id, gone, frame.out.set), 100000, "was destroyed");
  Refused("add", aclmdlAddDatasetBuffer(gone, buffer), 107017, "aclDataBuffer");
  Check(aclmdlDestroyDataset(gone), "aclmdlDestroyDataset");
  Refused("dataset", aclmdlExecute(id, gone, frame.out.set), 107017, "aclmdlDataset");
}

template <typename T>
void Set(aclmdlConfigHandle* config, aclmdlConfigAttr option, T value) {
  Check(aclmdlSetConfigOpt(config, option, &value, sizeof value), "aclmdlSetConfigOpt");
}

uint32_t Load(aclmdlConfigHandle* config) {
  uint32_t id = 0;
  Check(aclmdlLoadWithConfig(config, &id), "aclmdlLoadWithConfig");
  Check(aclmdlDestroyConfigHandle(config), "aclmdlDestroyConfigHandle");
  return id;
}

uint32_t LoadBytes(const std::string& bytes) {
  aclmdlConfigHandle* const config = aclmdlCreateConfigHandle();
  Set(config, ACL_MDL_LOAD_TYPE_SIZET, size_t{ACL_MDL_LOAD_FROM_MEM});
  Set(config, ACL_MDL_MEM_ADDR_PTR, static_cast<const void*>(bytes.data()));
  Set(config, ACL_MDL_MEM_SIZET, bytes.size());
  return Load(config);
}

uint32_t LoadInto(const char* path, const DeviceArray<char>& work, size_t bytes) {
  aclmdlConfigHandle* const config = aclmdlCreateConfigHandle();
  Set(config, ACL_MDL_LOAD_TYPE_SIZET, size_t{ACL_MDL_LOAD_FROM_FILE_WITH_MEM});
  Set(config, ACL_MDL_PATH_PTR, path);
  Set(config, ACL_MDL_WORKSPACE_ADDR_PTR, static_cast<void*>(work.Get()));
  Set(config, ACL_MDL_WORKSPACE_SIZET, bytes);
  return Load(config);
}

// The operator that a task failed at, on stderr.
void Tell(aclrtExceptionInfo* info) {
  char name[256];
  aclTensorDesc *in = nullptr, *out = nullptr;
  size_t ins = 0, outs = 0;
  Check(aclmdlCreateAndGetOpDesc(
            aclrtGetDeviceIdFromExceptionInfo(info), aclrtGetStreamIdFromExceptionInfo(info),
            aclrtGetTaskIdFromExceptionInfo(info), name, sizeof name, &in, &ins, &out, &outs),
        "aclmdlCreateAndGetOpDesc");
  float first = 0;
  Check(aclrtMemcpy(&first, sizeof first, aclGetTensorDescAddress(aclGetTensorDescByIndex(in, 1)),
                    sizeof first, ACL_MEMCPY_DEVICE_TO_HOST),
        "aclrtMemcpy");
  std::fprintf(stderr, "exception %u at %s: %zu inputs, %zu outputs\n",
               aclrtGetErrorCodeFromExceptionInfo(info), name, ins, outs);
  aclDestroyTensorDesc(in);
  aclDestroyTensorDesc(out);
}

}  // namespace

int main(int, char** argv) {
  Session session;
  Check(aclrtSetExceptionInfoCallback(Tell), "aclrtSetExceptionInfoCallback");
  std::ifstream file(argv[1], std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  size_t work = 0, weights = 0;
  uint32_t by_file = 0, by_bytes = 0, in_own = 0;
  Check(aclmdlLoadFromFile(argv[1], &by_file), "aclmdlLoadFromFile");
  Check(aclmdlLoadFromMem(bytes.data(), bytes.size(), &by_bytes), "aclmdlLoadFromMem");
  Check(aclmdlQuerySizeFromMem(bytes.data(), bytes.size(), &work, &weights), "aclmdlQuerySize");
  DeviceArray<char> own_work(std::vector<char>(work, 1)),
      own_weights(std::vector<char>(weights, 1));
  Check(
      aclmdlLoadFromFileWithMem(argv[1], &in_own, own_work.Get(), work, own_weights.Get(), weights),
      "aclmdlLoadFromFileWithMem");
  DeviceArray<char> other_work(std::vector<char>(work, 1));
  const uint32_t configured = LoadBytes(bytes), lent = LoadInto(argv[1], other_work, work);
  aclmdlDesc* const desc = aclmdlCreateDesc();
  Check(aclmdlGetDesc(desc, by_bytes), "aclmdlGetDesc");
  CheckDesc(desc);
  int wrong = 0, runs = 0;
  for (const uint32_t id : {by_file, by_bytes, in_own, configured, lent}) {
    Frame one(static_cast<int>(id)), two(static_cast<int>(id) + 20);
    Check(aclmdlExecute(id, one.in.set, one.out.set), "aclmdlExecute");
    Check(aclmdlExecuteAsync(id, two.in.set, two.out.set, session.stream), "aclmdlExecuteAsync");
    Check(aclrtSynchronizeStream(session.stream), "aclrtSynchronizeStream");
    wrong += one.Wrong() + two.Wrong();
    runs += 2;
  }
  Refusals(by_file, argv[1], bytes, desc);
  for (const uint32_t id : {by_file, by_bytes, in_own, configured, lent})
    Check(aclmdlUnload(id), "aclmdlUnload");
  Refused("again", aclmdlUnload(by_file), 145003, "unloaded");
  Check(aclmdlDestroyDesc(desc), "aclmdlDestroyDesc");
  std::printf("%d wrong of %d runs, %d misuses\n", wrong, runs, misuses);
  return wrong != 0;
}
