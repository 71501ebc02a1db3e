// What an author looks at while debugging: LocalTensor.Print and ToFile, PrintTimeStamp,
// TRACE_START and TRACE_STOP. (Pages "Print", "ToFile", "PrintTimeStamp", "TRACE_START".)
#ifndef OPKIT_INCLUDE_ASCENDC_TENSOR_DEBUG_H_
#define OPKIT_INCLUDE_ASCENDC_TENSOR_DEBUG_H_

#include "opkit/include/ascendc/system.h"

namespace AscendC {
namespace detail {

// Stands for the host's library; kernels may have functions of these names.
extern "C" {
int open(const char*, int, ...);
long write(int, const void*, size_t);
int close(int);
}

inline const char* name_of_file(const char* name) { return name; }
template <typename String>
const char* name_of_file(const String& name) {
  return name.c_str();
}

// 0: written.
inline int32_t write_file(const char* name, const uint8_t* bytes, uint64_t size) {
  constexpr int kCreate = 01 | 0100 | 01000;  // write, create, empty
  const int file = open(name, kCreate, 0644);
  if (file < 0) return -1;
  int32_t status = 0;
  while (size > 0 && status == 0) {
    const long done = write(file, bytes, size);
    if (done <= 0) {
      status = -1;
    } else {
      bytes += done;
      size -= static_cast<uint64_t>(done);
    }
  }
  return close(file) == 0 ? status : -1;
}

}  // namespace detail

template <typename T>
void LocalTensor<T>::Print(uint32_t len) const {
  constexpr uint32_t kLine = 32 / sizeof(T);
  const uint32_t n = len < GetSize() ? len : GetSize();
  for (uint32_t i = 0; i < n; ++i) {
    if (i % kLine == 0) detail::print("%04u: ", i);
    detail::print_element(GetValue(i));
    if (i % kLine == kLine - 1 || i == n - 1) detail::print("\n");
  }
}
template <typename T>
void LocalTensor<T>::Print() const {
  Print(GetSize());
}

template <typename T>
template <typename FileName>
int32_t LocalTensor<T>::ToFile(const FileName& fileName) const {
  const auto bytes = this->template ReinterpretCast<uint8_t>();
  for (uint32_t i = 0; i < bytes.GetSize(); ++i) bytes.GetValue(i);  // observers are told
  return detail::write_file(detail::name_of_file(fileName), bytes.pointer(), bytes.GetSize());
}

// Prints when the source is compiled with ASCENDC_TIME_STAMP_ON.
inline void PrintTimeStamp([[maybe_unused]] uint32_t descId) {
#ifdef ASCENDC_TIME_STAMP_ON
  detail::print("descId is %u, rsv is 0, timeStamp is %lld, pcPtr is %lld, entry is 0.\n", descId,
                static_cast<long long>(GetSystemCycle()),
                static_cast<long long>(GetProgramCounter()));
#endif
}

}  // namespace AscendC

// Marks for the vendor's simulator; they change nothing. The trace of `opkit profile` has every
// instruction with its source line.
#define TRACE_START(apid) static_cast<void>(apid)
#define TRACE_STOP(apid) static_cast<void>(apid)

#endif  // OPKIT_INCLUDE_ASCENDC_TENSOR_DEBUG_H_
