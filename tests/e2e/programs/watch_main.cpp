// watch NET.om CONFIG PROFILE: dumps and profiles a model. One that was loaded before aclmdlSetDump
// is not dumped, nor anything behind aclmdlFinalizeDump. Of one run it hears by a subscription.
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "acl/acl_prof.h"
#include "host.h"

namespace {

struct Model {
  explicit Model(const char* file) {
    Check(aclmdlLoadFromFile(file, &id), "aclmdlLoadFromFile");
    aclmdlDesc* const desc = aclmdlCreateDesc();
    Check(aclmdlGetDesc(desc, id), "aclmdlGetDesc");
    for (size_t i = 0; i < aclmdlGetNumInputs(desc); ++i)
      Add(in, aclmdlGetInputSizeByIndex(desc, i));
    for (size_t i = 0; i < aclmdlGetNumOutputs(desc); ++i)
      Add(out, aclmdlGetOutputSizeByIndex(desc, i));
    Check(aclmdlDestroyDesc(desc), "aclmdlDestroyDesc");
  }
  static void Add(aclmdlDataset* set, size_t bytes) {
    void* memory = nullptr;
    Check(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    Check(aclrtMemset(memory, bytes, 0x3e, bytes), "aclrtMemset");
    Check(aclmdlAddDatasetBuffer(set, aclCreateDataBuffer(memory, bytes)), "AddDatasetBuffer");
  }
  void Run() const { Check(aclmdlExecute(id, in, out), "aclmdlExecute"); }

  uint32_t id = 0;
  aclmdlDataset *in = aclmdlCreateDataset(), *out = aclmdlCreateDataset();
};

// All that the pipe brings, a record at a time, to its end.
void Tell(int pipe, uint32_t model) {
  size_t size = 0, length = 0;
  Check(aclprofGetOpDescSize(&size), "aclprofGetOpDescSize");
  std::vector<char> record(size);
  while (read(pipe, record.data(), size) == static_cast<ssize_t>(size)) {
    uint32_t count = 0;
    Check(aclprofGetOpNum(record.data(), size, &count), "aclprofGetOpNum");
    Check(aclprofGetOpTypeLen(record.data(), size, 0, &length), "aclprofGetOpTypeLen");
    std::string type(length, ' ');
    Check(aclprofGetOpType(record.data(), size, 0, type.data(), length), "aclprofGetOpType");
    Check(aclprofGetOpNameLen(record.data(), size, 0, &length), "aclprofGetOpNameLen");
    std::string name(length, ' ');
    Check(aclprofGetOpName(record.data(), size, 0, name.data(), length), "aclprofGetOpName");
    const uint64_t spent =
        aclprofGetOpEnd(record.data(), size, 0) - aclprofGetOpStart(record.data(), size, 0);
    const bool right = count == 1 && spent == aclprofGetOpDuration(record.data(), size, 0) &&
                       aclprofGetModelId(record.data(), size, 0) == model;
    std::printf("heard of %s %s%s\n", type.c_str(), name.c_str(), right ? "" : ", wrong");
  }
}

// The records of two runs, read behind them by the same thread.
void Subscribe(const Model& model) {
  int ends[2] = {};
  Check(pipe(ends), "pipe");
  aclprofSubscribeConfig* const config = aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &ends[1]);
  Check(aclprofModelSubscribe(model.id, config), "aclprofModelSubscribe");
  if (aclprofInit("profile", 7) != ACL_ERROR_PROF_ALREADY_RUN) std::exit(4);
  model.Run();
  model.Run();
  Check(aclprofModelUnSubscribe(model.id), "aclprofModelUnSubscribe");
  Check(aclprofDestroySubscribeConfig(config), "aclprofDestroySubscribeConfig");
  model.Run();
  Tell(ends[0], model.id);
  close(ends[0]);
}

}  // namespace

int main(int, char** argv) {
  Check(aclrtSetDevice(0), "aclrtSetDevice");
  const Model before(argv[1]);
  Subscribe(before);
  Check(aclmdlInitDump(), "aclmdlInitDump");
  Check(aclmdlSetDump(argv[2]), "aclmdlSetDump");
  const Model dumped(argv[1]);
  uint32_t device = 0;
  aclprofConfig* const config =
      aclprofCreateConfig(&device, 1, ACL_AICORE_NONE, nullptr, ACL_PROF_TASK_TIME);
  Check(aclprofInit(argv[3], std::strlen(argv[3])), "aclprofInit");
  Check(aclprofStart(config), "aclprofStart");
  before.Run();
  Check(aclprofStop(config), "aclprofStop");
  Check(aclprofFinalize(), "aclprofFinalize");
  dumped.Run();
  aclrtStream stream = nullptr;
  Check(aclrtCreateStream(&stream), "aclrtCreateStream");
  Check(aclmdlExecuteAsync(dumped.id, dumped.in, dumped.out, stream), "aclmdlExecuteAsync");
  Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
  Check(aclmdlFinalizeDump(), "aclmdlFinalizeDump");
  dumped.Run();
}
