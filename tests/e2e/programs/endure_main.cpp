// endure NET.om EXECUTIONS LOADS: executes a model again and again, then loads and unloads it again
// and again. Every result must have the same bits, and no memory may stay behind.
#include <malloc.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "host.h"

namespace {

// What the process holds.
struct Held {
  size_t heap = 0, device = 0, mappings = 0;
  long resident_kib = 0;
};

Held Now() {
  Held held;
  const struct mallinfo2 heap = mallinfo2();
  held.heap = heap.uordblks + heap.hblkhd;
  size_t free = 0, total = 0;
  Check(aclrtGetMemInfo(ACL_HBM_MEM, &free, &total), "aclrtGetMemInfo");
  held.device = total - free;
  std::ifstream maps("/proc/self/maps");
  held.mappings = static_cast<size_t>(
      std::count(std::istreambuf_iterator<char>(maps), std::istreambuf_iterator<char>(), '\n'));
  std::ifstream statm("/proc/self/statm");
  long pages = 0;
  statm >> pages >> pages;
  held.resident_kib = pages * 4;
  return held;
}

// A model with its buffers, whose inputs hold one float throughout.
class Model {
 public:
  explicit Model(const char* file) {
    Check(aclmdlLoadFromFile(file, &id_), "aclmdlLoadFromFile");
    Check(aclmdlGetDesc(desc_, id_), "aclmdlGetDesc");
    for (size_t i = 0; i < aclmdlGetNumInputs(desc_); ++i) {
      const size_t bytes = aclmdlGetInputSizeByIndex(desc_, i);
      Check(aclrtMemset(Add(in_, bytes), bytes, 0x3e, bytes), "aclrtMemset");
    }
    for (size_t i = 0; i < aclmdlGetNumOutputs(desc_); ++i)
      Add(out_, aclmdlGetOutputSizeByIndex(desc_, i));
  }
  ~Model() {
    for (aclmdlDataset* set : {in_, out_}) Free(set);
    Check(aclmdlDestroyDesc(desc_), "aclmdlDestroyDesc");
    Check(aclmdlUnload(id_), "aclmdlUnload");
  }
  Model(const Model&) = delete;

  std::string Execute() {
    for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(out_); ++i) {
      aclDataBuffer* const buffer = aclmdlGetDatasetBuffer(out_, i);
      const size_t bytes = aclGetDataBufferSizeV2(buffer);
      Check(aclrtMemset(aclGetDataBufferAddr(buffer), bytes, 0xff, bytes), "aclrtMemset");
    }
    Check(aclmdlExecute(id_, in_, out_), "aclmdlExecute");
    std::string result;
    for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(out_); ++i) {
      aclDataBuffer* const buffer = aclmdlGetDatasetBuffer(out_, i);
      std::string bytes(aclGetDataBufferSizeV2(buffer), '\0');
      Check(aclrtMemcpy(&bytes[0], bytes.size(), aclGetDataBufferAddr(buffer), bytes.size(),
                        ACL_MEMCPY_DEVICE_TO_HOST),
            "aclrtMemcpy");
      result += bytes;
    }
    return result;
  }

 private:
  static void* Add(aclmdlDataset* set, size_t bytes) {
    void* memory = nullptr;
    Check(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
    Check(aclmdlAddDatasetBuffer(set, aclCreateDataBuffer(memory, bytes)),
          "aclmdlAddDatasetBuffer");
    return memory;
  }
  static void Free(aclmdlDataset* set) {
    for (size_t i = 0; i < aclmdlGetDatasetNumBuffers(set); ++i) {
      aclDataBuffer* const buffer = aclmdlGetDatasetBuffer(set, i);
      Check(aclrtFree(aclGetDataBufferAddr(buffer)), "aclrtFree");
      Check(aclDestroyDataBuffer(buffer), "aclDestroyDataBuffer");
    }
    Check(aclmdlDestroyDataset(set), "aclmdlDestroyDataset");
  }

  uint32_t id_ = 0;
  aclmdlDesc* desc_ = aclmdlCreateDesc();
  aclmdlDataset *in_ = aclmdlCreateDataset(), *out_ = aclmdlCreateDataset();
};

// Returns what is held after a tenth of the rounds, and after all.
template <typename Round>
bool IsFlat(const char* what, int rounds, Round round) {
  Held early;
  for (int i = 0; i < rounds; ++i) {
    round();
    if (i == rounds / 10) early = Now();
  }
  const Held late = Now();
  std::printf(
      "%d %s: heap %+ld bytes, device %+ld bytes, mappings %+ld, resident %+ld of %ld KiB\n",
      rounds, what, static_cast<long>(late.heap - early.heap),
      static_cast<long>(late.device - early.device),
      static_cast<long>(late.mappings - early.mappings), late.resident_kib - early.resident_kib,
      late.resident_kib);
  // Pools may still find their sizes; a piece of the heap that each round leaves has 32 bytes.
  return late.heap < early.heap + 16 * static_cast<size_t>(rounds) && late.device == early.device &&
         late.mappings < early.mappings + 4;
}

}  // namespace

int main(int, char** argv) {
  Check(aclInit(nullptr), "aclInit");
  Check(aclrtSetDevice(0), "aclrtSetDevice");
  int wrong = 0;
  std::string first;
  bool flat = true;
  {
    Model model(argv[1]);
    first = model.Execute();
    flat &= IsFlat("executions", std::stoi(argv[2]), [&] { wrong += model.Execute() != first; });
  }
  flat &= IsFlat("loads", std::stoi(argv[3]), [&] { wrong += Model(argv[1]).Execute() != first; });
  Check(aclrtResetDevice(0), "aclrtResetDevice");
  Check(aclFinalize(), "aclFinalize");
  std::printf("%d wrong, %s\n", wrong, flat ? "flat" : "growing");
  return wrong || !flat;
}
