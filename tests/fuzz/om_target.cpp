// What a fuzzer runs: the reader of offline models. The digest is mended first, or nothing behind
// it would ever be reached. Returns normally for any bytes; a broken promise traps.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "opkit/base/digest.h"
#include "opkit/model/file/om_file.h"
#include "opkit/model/file/validate.h"

namespace {

using namespace opkit;

void promise(bool kept, const std::string& what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what.c_str());
  std::abort();
}

void mend(std::string& bytes) {
  if (bytes.size() < 256) return;
  const uint64_t length = bytes.size() - 256;
  const std::string digest = sha256_hex(std::string_view(bytes).substr(256));
  std::memcpy(bytes.data() + 12, digest.data(), 64);
  std::memcpy(bytes.data() + 80, &length, 8);
}

void read(const std::string& bytes) {
  const auto model = model::decode(bytes);
  if (!model.ok()) {
    const Error& error = model.error();
    promise(error.code.starts_with("OPK-OM-"), "an error has a code: " + error.to_string());
    promise(!error.action.empty(), "an error suggests an action: " + error.to_string());
    return;
  }
  promise(model::validate(*model).ok(), "what was read fits itself");
  promise(model->weights.size() <= bytes.size(), "weights are the file's");
  const auto again = model::decode(model::encode(*model));
  promise(again.ok(), "what was read can be written");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string bytes(reinterpret_cast<const char*>(data), size);
  read(bytes);
  mend(bytes);
  read(bytes);
  return 0;
}
