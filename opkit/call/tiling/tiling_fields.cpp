#include "opkit/call/tiling/tiling_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

#include "opkit/abi/num/bfloat16.h"
#include "opkit/abi/num/half.h"
#include "opkit/base/dtype.h"

namespace opkit {
namespace {

constexpr size_t kFieldsEnd = offsetof(opk_op_v1, tiling_fields) + sizeof(void*);
constexpr uint64_t kMostElements = 16;  // limits an array
constexpr size_t kMostWords = 32;       // limits data without names
constexpr const char* kUnset = "OPK-HOST-013";

template <typename T>
std::string number_at(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return fmt::format("{}", value);
}

template <typename T>
std::string narrow_at(const std::byte* at) {
  T value;
  std::memcpy(static_cast<void*>(&value), at, sizeof value);
  return fmt::format("{}", static_cast<float>(value));
}

std::string text_at(const std::byte* at, int32_t dtype) {
  switch (dtype) {
    case OPK_BOOL: return *at == std::byte{0} ? "false" : "true";
    case OPK_INT8: return std::to_string(static_cast<int8_t>(*at));
    case OPK_UINT8: return std::to_string(std::to_integer<unsigned>(*at));
    case OPK_INT16: return number_at<int16_t>(at);
    case OPK_UINT16: return number_at<uint16_t>(at);
    case OPK_INT32: return number_at<int32_t>(at);
    case OPK_UINT32: return number_at<uint32_t>(at);
    case OPK_INT64: return number_at<int64_t>(at);
    case OPK_UINT64: return number_at<uint64_t>(at);
    case OPK_FLOAT32: return number_at<float>(at);
    case OPK_FLOAT64: return number_at<double>(at);
    case OPK_FLOAT16: return narrow_at<Half>(at);
    case OPK_BFLOAT16: return narrow_at<BFloat16>(at);
    default: return "?";
  }
}

// Returns the bytes of one number; 0: it is no type that a field can have.
uint64_t bytes_of_number(int32_t dtype) {
  const int bits = bits_of(static_cast<DType>(dtype));
  return bits < 8 ? 0 : static_cast<uint64_t>(bits) / 8;
}

// A key with fields of its own has these alone.
uint64_t key_of_fields(const opk_op_v1& op, uint64_t key) {
  const bool own =
      std::any_of(op.tiling_fields, op.tiling_fields + op.tiling_field_count,
                  [key](const opk_tiling_field_v1* field) { return field->tiling_key == key; });
  return own ? key : OPK_ANY_TILING_KEY;
}

std::string to_text(const TilingFieldValue& field) {
  const std::string values = fmt::format("{}", fmt::join(field.values, ", "));
  return field.is_array ? fmt::format("{} {{{}}}", field.name, values)
                        : fmt::format("{} {}", field.name, values);
}

std::string words_text(const std::vector<std::byte>& data) {
  std::vector<std::string> words;
  for (size_t at = 0; at + 4 <= data.size() && words.size() < kMostWords; at += 4)
    words.push_back(number_at<int32_t>(data.data() + at));
  if (words.empty()) return {};
  std::string text = fmt::format("words {}", fmt::join(words, ", "));
  if (data.size() / 4 > words.size()) text += fmt::format(" (of {})", data.size() / 4);
  return text;
}

}  // namespace

std::vector<TilingFieldValue> tiling_fields(const opk_op_v1& op, const TilingPlan& plan) {
  std::vector<TilingFieldValue> values;
  if (op.struct_size < kFieldsEnd || op.tiling_field_count == 0) return values;
  const uint64_t key = key_of_fields(op, plan.key);
  for (uint32_t f = 0; f < op.tiling_field_count; ++f) {
    const opk_tiling_field_v1& field = *op.tiling_fields[f];
    const uint64_t bytes = bytes_of_number(field.dtype);
    const uint64_t size = plan.data.size();
    if (field.tiling_key != key || bytes == 0 || field.offset >= size) continue;
    const uint64_t count =
        std::min((size - field.offset) / bytes, std::max<uint64_t>(field.count, 1));
    TilingFieldValue value{field.name, {}, field.count > 0};
    for (uint64_t i = 0; i < std::min(count, kMostElements); ++i)
      value.values.push_back(text_at(plan.data.data() + field.offset + i * bytes, field.dtype));
    if (count > kMostElements) value.values.push_back(fmt::format("... ({} in all)", count));
    if (count > 0) values.push_back(std::move(value));
  }
  return values;
}

std::vector<std::string> unset_fields(const TilingPlan& plan) {
  std::vector<std::string> texts;
  for (const AuthorLog::Line& line : plan.log) {
    if (line.code == kUnset) texts.push_back(line.text);
  }
  return texts;
}

std::string tiling_data_text(const opk_op_v1& op, const TilingPlan& plan) {
  std::vector<std::string> parts;
  for (const TilingFieldValue& field : tiling_fields(op, plan)) parts.push_back(to_text(field));
  return parts.empty() ? words_text(plan.data) : fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace opkit
