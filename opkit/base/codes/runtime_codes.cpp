#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdio>

#include "opkit/base/codes/runtime_code.h"

namespace opkit {
namespace {

constexpr const char* kPage = "docs/programs.md";
constexpr const char* kPicturesPage = "docs/dvpp.md";

// A code of hi_mpi_* calls is 0xA0, a module, 0x80 and a number. (Page "VPC Return Codes".)
constexpr uint32_t kPictureMark = 0xA0008000u, kPictureMarkBits = 0xFF00FF00u;

struct Module {
  uint32_t id;
  const char* name;
};
constexpr std::array<Module, 7> kModules{
    {{2, "SYS"}, {5, "VDEC"}, {7, "VPC"}, {8, "VENC"}, {11, "JPEGE"}, {14, "JPEGD"}, {64, "PNGD"}}};

struct PictureFailure {
  uint32_t id;
  const char *name, *cause, *usual, *cure;
};
constexpr PictureFailure kPictureFailures[] = {
#define OPKIT_PICTURE_CODE(id, name, cause, usual, cure) {id, name, cause, usual, cure},
#define OPKIT_RUNTIME_CODE(number, name, cause, usual, cure)
#include "opkit/base/codes/runtime.def"
#undef OPKIT_RUNTIME_CODE
#undef OPKIT_PICTURE_CODE
};

std::vector<RuntimeCode> sorted_numbers() {
  std::vector<RuntimeCode> codes = {
#define OPKIT_PICTURE_CODE(id, name, cause, usual, cure)
#define OPKIT_RUNTIME_CODE(number, name, cause, usual, cure) \
  {number, #number, name, cause, usual, cure, kPage, true},
#include "opkit/base/codes/runtime.def"
#undef OPKIT_RUNTIME_CODE
#undef OPKIT_PICTURE_CODE
#define OPKIT_DEVICE_CODE(number, name, cause, usual, cure) \
  {number, #number, name, cause, usual, cure, kPage, false},
#include "opkit/base/codes/device.def"
#undef OPKIT_DEVICE_CODE
  };
  std::sort(codes.begin(), codes.end(),
            [](const RuntimeCode& a, const RuntimeCode& b) { return a.number < b.number; });
  return codes;
}

std::string hexadecimal(uint32_t number) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08X", number);
  return text;
}

template <typename Row, size_t kCount>
const Row* row_of(const Row (&rows)[kCount], uint32_t id) {
  const auto* const found =
      std::find_if(std::begin(rows), std::end(rows), [id](const Row& row) { return row.id == id; });
  return found == std::end(rows) ? nullptr : found;
}

std::optional<RuntimeCode> picture_code(uint32_t bits) {
  if ((bits & kPictureMarkBits) != kPictureMark) return std::nullopt;
  const auto* const module =
      std::find_if(kModules.begin(), kModules.end(),
                   [id = bits >> 16 & 0xFF](const Module& each) { return each.id == id; });
  const PictureFailure* const failure = row_of(kPictureFailures, bits & 0xFF);
  if (module == kModules.end() || !failure) return std::nullopt;
  return RuntimeCode{static_cast<int32_t>(bits),
                     hexadecimal(bits),
                     std::string("HI_ERR_") + module->name + "_" + failure->name,
                     failure->cause,
                     failure->usual,
                     failure->cure,
                     kPicturesPage,
                     true};
}

std::string in_capitals(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

const std::vector<RuntimeCode>& runtime_codes() {
  static const std::vector<RuntimeCode> codes = sorted_numbers();
  return codes;
}

std::optional<int64_t> code_number(std::string_view word) {
  const bool hex = word.starts_with("0x") || word.starts_with("0X");
  if (hex) word.remove_prefix(2);
  int64_t number = 0;
  const auto [end, failure] =
      std::from_chars(word.data(), word.data() + word.size(), number, hex ? 16 : 10);
  if (word.empty() || failure != std::errc() || end != word.data() + word.size())
    return std::nullopt;
  return number;
}

// Some programs print the codes of pictures and graphs signed, some not.
std::optional<RuntimeCode> find_runtime_code(int64_t number) {
  if (number >= INT32_MIN && number <= UINT32_MAX) {
    if (auto code = picture_code(static_cast<uint32_t>(number))) return code;
  }
  const int64_t unsigned_number = number < 0 && number >= INT32_MIN ? number + (1LL << 32) : number;
  const auto& codes = runtime_codes();
  const auto found = std::find_if(codes.begin(), codes.end(), [=](const RuntimeCode& code) {
    return code.number == number || code.number == unsigned_number;
  });
  return found == codes.end() ? std::nullopt : std::optional(*found);
}

std::optional<RuntimeCode> find_runtime_code(std::string_view name) {
  const std::string wanted = in_capitals(name);
  for (const RuntimeCode& code : runtime_codes())
    if (code.name == wanted) return code;
  for (const Module& module : kModules) {
    for (const PictureFailure& failure : kPictureFailures) {
      auto code = picture_code(kPictureMark | module.id << 16 | failure.id);
      if (code && code->name == wanted) return code;
    }
  }
  return std::nullopt;
}

std::string class_of(int64_t number) {
  if (number < 100000 || number > 599999) return {};
  switch (number / 100000) {
    case 1: return "Numbers from 100000 are about the environment or the program's own calls.";
    case 2: return "Numbers from 200000 are about resources, or about what the chip lacks.";
    case 3: return "Numbers from 300000 are about the state of a service, as a full queue.";
    default: return "Numbers from 500000 are about what failed on the device or in the runtime.";
  }
}

std::string explain(const RuntimeCode& code) {
  std::string text = code.id + " " + code.name + ": " + code.cause + "\n  usually: " + code.usual +
                     "\n  cure: " + code.cure + "\n";
  if (!code.returned_here) text += "  here: opkit's runtime never returns it; the device's does\n";
  return text + "  read: " + code.page + "\n";
}

}  // namespace opkit
