// Loads the objects of kernels that argv[1] and argv[2] name from memory; argv[3] runs a kernel
// that fails.
#include <dirent.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <string>

#include "misuse.h"

namespace {

std::string BytesOf(const char* path) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// Returns what the process has open.
int Descriptors() {
  int count = 0;
  DIR* const folder = opendir("/proc/self/fd");
  while (folder && readdir(folder)) ++count;
  if (folder) closedir(folder);
  return count;
}

aclrtBinHandle Load(std::string bytes) {
  aclrtBinaryLoadOption magic = {ACL_RT_BINARY_LOAD_OPT_MAGIC, {}};
  magic.value.magic = ACL_RT_BINARY_MAGIC_ELF_VECTOR_CORE;
  const aclrtBinaryLoadOptions options = {&magic, 1};
  aclrtBinHandle binary;
  Check(aclrtBinaryLoadFromData(bytes.data(), bytes.size(), &options, &binary), "load");
  bytes.assign(bytes.size(), '\0');  // it was copied
  return binary;
}

int32_t Run(aclrtBinHandle binary, uint64_t entry, aclrtStream stream) {
  const DeviceArray<int32_t> y(std::vector<int32_t>(8, -1));
  const DeviceArray<uint64_t> arguments({reinterpret_cast<uint64_t>(y.Get())});
  aclrtFuncHandle function;
  Check(aclrtBinaryGetFunctionByEntry(binary, entry, &function), "aclrtBinaryGetFunctionByEntry");
  Check(aclrtLaunchKernel(function, 1, arguments.Get(), 8, stream), "aclrtLaunchKernel");
  if (entry == 9) return aclrtSynchronizeStream(stream) == 507015 ? 9 : 0;
  return y.Read()[0];
}

void Refusals(const std::string& bytes, aclrtBinHandle binary) {
  aclrtBinHandle none;
  aclrtFuncHandle function;
  const void* const data = bytes.data();
  Refused("no data", aclrtBinaryLoadFromData(nullptr, 9, nullptr, &none), 100000, "without data");
  Refused("empty", aclrtBinaryLoadFromData(data, 0, nullptr, &none), 100000, "without data");
  Refused("no place", aclrtBinaryLoadFromData(data, 9, nullptr, nullptr), 100000, "a handle");
  aclrtBinaryLoadOption cpu = {ACL_RT_BINARY_LOAD_OPT_CPU_KERNEL_MODE, {}};
  const aclrtBinaryLoadOptions options = {&cpu, 1};
  Refused("option", aclrtBinaryLoadFromData(data, bytes.size(), &options, &none), 100000,
          "option 3");
  for (size_t cut = 1; cut < 4096; cut += 61) {
    Refused("cut", aclrtBinaryLoadFromData(data, cut, nullptr, &none), 100003, "the data is");
  }
  const std::string libm = BytesOf("/lib/x86_64-linux-gnu/libm.so.6");
  Refused("foreign", aclrtBinaryLoadFromData(libm.data(), libm.size(), nullptr, &none), 100003,
          "opkit cc --kernels");
  const std::string text(5000, 'x');
  Refused("text", aclrtBinaryLoadFromData(text.data(), text.size(), nullptr, &none), 100003, "ELF");
  Refused("none", aclrtBinaryGetFunctionByEntry(binary, 4, &function), 100000, "0 kernels");
  Refused("part", aclrtBinaryGetFunctionByEntry(binary, 0, &function), 100000, "in _0");
  Refused("two", aclrtBinaryGetFunctionByEntry(binary, 5, &function), 100000, "2 kernels");
  Refused("where", aclrtBinaryGetFunctionByEntry(binary, 3, nullptr), 100000, "without a place");
  Refused("what", aclrtBinaryGetFunctionByEntry(&none, 3, &function), 107017, "no binary");
}

}  // namespace

int main(int, char** words) {
  Session session;
  const std::string first = BytesOf(words[1]), second = BytesOf(words[2]);
  const int before = Descriptors();
  int wrong = 0;
  aclrtBinHandle a = Load(first);
  wrong += Run(a, 3, session.stream) != 3;
  wrong += Run(a, 40, session.stream) != 40;
  Refusals(first, a);
  Check(aclrtBinaryUnLoad(a), "aclrtBinaryUnLoad");
  wrong += Descriptors() != before;

  // Others at once and in its place: no object is taken for another.
  a = Load(second);
  const aclrtBinHandle b = Load(first), c = Load(second);
  wrong += Run(a, 3, session.stream) != 1003;
  wrong += Run(b, 3, session.stream) != 3;
  wrong += Run(c, 40, session.stream) != 1040;
  const bool fails = words[3] != nullptr;
  if (fails) wrong += Run(b, 9, session.stream) != 9;
  for (const aclrtBinHandle one : {a, b, c}) Check(aclrtBinaryUnLoad(one), "aclrtBinaryUnLoad");
  wrong += !fails && Descriptors() != before;  // the report of a fault reads files
  std::printf("%d wrong, loaded from memory\n", wrong);
  return wrong != 0;
}
