// The readers of untrusted bytes that need no more than bytes.
#ifndef OPKIT_TESTS_FUZZ_READERS_H_
#define OPKIT_TESTS_FUZZ_READERS_H_

#include <cstdint>
#include <string_view>

namespace opkit::fuzz {

enum class Reader : uint8_t {
  kNpy,
  kNpz,
  kManifest,
  kElf,
  kSoc,
  kProgram,
  kKernel,
  kSignature,
  kTrust,
  kPending,
  kKey,
  kLock,
  kLookups,
  kArchive,
  kCrashes,
  kBuffers,
  kCount
};

// Tells whether the reader takes the bytes; aborts when it breaks a promise.
bool accepts(Reader reader, std::string_view bytes);

}  // namespace opkit::fuzz

#endif  // OPKIT_TESTS_FUZZ_READERS_H_
