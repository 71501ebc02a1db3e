// libFuzzer's own mutations of all bytes but the first, which chooses the reader.
#include <cstddef>
#include <cstdint>

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t most);

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t most,
                                          unsigned int /*seed*/) {
  if (size == 0 || most < 2) return LLVMFuzzerMutate(data, size, most);
  return 1 + LLVMFuzzerMutate(data + 1, size - 1, most - 1);
}
