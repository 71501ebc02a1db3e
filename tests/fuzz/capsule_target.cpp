// What a fuzzer runs: the reader of capsules, and the replay of whatever it accepts. Returns
// normally for any bytes; a broken promise of the reader traps.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "opkit/verify/capsule.h"
#include "tests/unit/verify/fake_executor.h"

namespace {

using namespace opkit;

void check_error(const Error& error, const char* what) {
  const bool good =
      error.code.starts_with("OPK-") && !error.message.empty() && !error.action.empty();
  if (good) return;
  std::fprintf(stderr, "broken promise: an error of %s has code, message and action: %s\n", what,
               error.to_string().c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto capsule = verify::read_capsule({reinterpret_cast<const char*>(data), size});
  if (!capsule.ok()) return check_error(capsule.error(), "read_capsule"), 0;
  // What was read can be written and read again.
  if (!verify::read_capsule(to_json(*capsule)).ok()) std::abort();
  verify::FakeExecutor executor([](verify::FakeCall&) {});
  const auto replay = verify::replay(*capsule, executor);
  if (!replay.ok()) check_error(replay.error(), "replay");
  return 0;
}
