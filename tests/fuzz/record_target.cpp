// The record of a quantization: whatever the bytes are, they are refused with their place, or come
// to entries that are written and read again.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "opkit/quantize/record.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace opkit::quantize;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto entries = parse_record(text, "record.txt");
  if (!entries.ok()) {
    if (entries.error().where.line < 1) std::abort();
    return 0;
  }
  const auto again = parse_record(record_text(*entries), "again.txt");
  if (!again.ok() || again->size() != entries->size()) std::abort();
  return 0;
}
