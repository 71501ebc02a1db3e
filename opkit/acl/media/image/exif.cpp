#include "opkit/acl/media/image/exif.h"

#include <cstdint>

namespace opkit::image {
namespace {

constexpr std::string_view kExif("Exif\0\0", 6);
constexpr uint32_t kOrientation = 0x0112, kShort = 3;
constexpr size_t kEntryBytes = 12;

// Numbers of a TIFF file, in its order of bytes. What lies outside reads as 0.
struct Tiff {
  uint32_t number(uint64_t at, size_t bytes) const {
    if (at > text.size() || bytes > text.size() - at) return 0;
    uint32_t value = 0;
    for (size_t i = 0; i < bytes; ++i)
      value = value << 8 | static_cast<uint8_t>(text[at + (big ? i : bytes - 1 - i)]);
    return value;
  }
  std::string_view text;
  bool big;
};

int orientation_of(const Tiff& tiff) {
  const uint64_t folder = tiff.number(4, 4);
  const uint32_t entries = tiff.number(folder, 2);
  for (uint32_t i = 0; i < entries; ++i) {
    const uint64_t entry = folder + 2 + i * kEntryBytes;
    if (tiff.number(entry, 2) != kOrientation) continue;
    const uint32_t value = tiff.number(entry + 8, 2);
    return tiff.number(entry + 2, 2) == kShort && value >= 1 && value <= 8 ? static_cast<int>(value)
                                                                           : 1;
  }
  return 1;
}

}  // namespace

int exif_orientation(std::string_view marker) {
  if (!marker.starts_with(kExif)) return 1;
  marker.remove_prefix(kExif.size());
  if (!marker.starts_with("II") && !marker.starts_with("MM")) return 1;
  const Tiff tiff{marker, marker[0] == 'M'};
  return tiff.number(2, 2) == 42 ? orientation_of(tiff) : 1;
}

}  // namespace opkit::image
