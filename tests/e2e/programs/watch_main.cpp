// watch NET.om CONFIG PROFILE: dumps and profiles a model. One that was loaded before aclmdlSetDump
// is not dumped, nor anything behind aclmdlFinalizeDump.
#include <cstring>

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

}  // namespace

int main(int, char** argv) {
  Check(aclrtSetDevice(0), "aclrtSetDevice");
  const Model before(argv[1]);
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
