// The first bytes of an offline model's file. Private to this folder.
#ifndef OPKIT_MODEL_FILE_OM_HEADER_H_
#define OPKIT_MODEL_FILE_OM_HEADER_H_

#include <array>
#include <cstdint>

namespace opkit::model {

inline constexpr uint32_t kMagic = 0x444F4D49;          // "IMOD", as the vendor's files
inline constexpr uint32_t kVersion = 0x4F4B0002;        // is the version of opkit's own parts
inline constexpr uint32_t kVersionSeries = 0x4F4B0000;  // what all of opkit's versions share
inline constexpr uint64_t kPartAlignment = 512;         // so that weights can be mapped

struct Header {
  uint32_t magic = kMagic;
  uint32_t size = 256;
  uint32_t version = kVersion;
  std::array<char, 64> sha256{};  // digests everything behind the header, in hexadecimal digits
  uint32_t reserved_1 = 0;
  uint64_t length = 0;  // bytes behind the header
  std::array<char, 32> name{};
  std::array<char, 20> made_by{};
  std::array<char, 116> reserved_2{};
};
static_assert(sizeof(Header) == 256);

enum class PartType : uint32_t { kDefinition = 0, kWeights = 1, kTasks = 2, kPlugins = 3 };
inline constexpr uint32_t kParts = 4;

struct Part {
  uint32_t type = 0;
  uint32_t reserved = 0;
  uint64_t offset = 0;  // counts from the file's start
  uint64_t size = 0;
};
static_assert(sizeof(Part) == 24);

}  // namespace opkit::model

#endif  // OPKIT_MODEL_FILE_OM_HEADER_H_
