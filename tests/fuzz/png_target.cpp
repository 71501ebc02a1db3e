// What a fuzzer runs: the reader of PNGs. Returns normally for any bytes; a broken promise traps.
// Checksums are made right first, so that mutants come to what lies behind them.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "opkit/acl/media/image/png.h"
#include "tests/unit/acl/media/image/plain_png.h"

namespace {

using namespace opkit;

constexpr uint64_t kMostPngPixels = 1 << 16;  // a fuzzer waits for no large pictures

void promise(bool kept, const std::string& what) {
  if (kept) return;
  std::fprintf(stderr, "broken promise: %s\n", what.c_str());
  std::abort();
}

void check_error(const Error& error) {
  promise(error.code.starts_with("OPK-IMAGE-"), "an error has a code: " + error.to_string());
  promise(!error.action.empty(), "an error suggests an action: " + error.to_string());
}

// Chunks begin behind 8 bytes: length, name, data, checksum.
std::string with_checksums(std::string bytes) {
  const auto number = [&](size_t at) {
    uint64_t value = 0;
    for (size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<uint8_t>(bytes[at + i]);
    return value;
  };
  for (size_t at = 8; at + 12 <= bytes.size() && number(at) <= bytes.size() - at - 12;) {
    const size_t length = number(at);
    const uint32_t sum = image::PlainPng::checksum(bytes.substr(at + 4, 4 + length));
    for (size_t i = 0; i < 4; ++i)
      bytes[at + 8 + length + i] = static_cast<char>(sum >> (24 - 8 * i));
    at += 12 + length;
  }
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes = with_checksums(std::string(reinterpret_cast<const char*>(data), size));
  const auto header = image::read_png_header(bytes);
  if (!header.ok()) return check_error(header.error()), 0;
  promise(header->width > 0 && header->height > 0, "a header has pixels");
  if (uint64_t{header->width} * header->height > kMostPngPixels) return 0;
  image::Picture picture;
  picture.layout = image::layout_of(image::has_alpha(header->color) ? 16 : 12);
  picture.width = header->width;
  picture.height = picture.height_stride = header->height;
  picture.width_stride = header->width * picture.layout->row_bytes;
  std::vector<uint8_t> pixels(image::bytes_of(picture));
  picture.data = pixels.data();
  const Status decoded = image::decode_png(bytes, picture);
  if (!decoded.ok()) check_error(decoded.error());
  return 0;
}
