#include "opkit/include/opkit_host/tiling_rows.h"

#include <cstdlib>

#include "opkit/include/opkit_host/tiling_struct.h"

namespace opkit_host {
namespace {

struct TypeName {
  const char* name;
  opk_dtype dtype;
};

// The names of number types, at the numbers that optiling::number_type gives them.
constexpr TypeName kNumbers[] = {
    {"bool", OPK_BOOL},       {"float", OPK_FLOAT32},  {"double", OPK_FLOAT64},
    {"int8_t", OPK_INT8},     {"uint8_t", OPK_UINT8},  {"int16_t", OPK_INT16},
    {"uint16_t", OPK_UINT16}, {"int32_t", OPK_INT32},  {"uint32_t", OPK_UINT32},
    {"int64_t", OPK_INT64},   {"uint64_t", OPK_UINT64}};

int32_t dtype_of(const std::string& type) {
  for (const TypeName& number : kNumbers) {
    if (type == number.name) return number.dtype;
  }
  return OPK_DTYPE_UNDEFINED;
}

struct FoundField {
  std::string name;
  int32_t dtype;
  size_t offset, count;
};

void flatten(const optiling::TilingDef& data, const std::string& before, size_t begin,
             std::vector<FoundField>& found) {
  size_t at = 0;
  for (const optiling::TilingField& field : data.fields()) {
    at = (at + field.alignment - 1) / field.alignment * field.alignment;
    if (field.nested) {
      flatten(data.nested(field), before + field.name + ".", begin + at, found);
    } else {
      found.push_back({before + field.name, dtype_of(field.type), begin + at, field.count});
    }
    at += field.bytes;
  }
}

}  // namespace

TilingRows::TilingRows(const std::string& op_type) {
  for (const auto& entry : registry().tiling_classes) {
    const std::string key = key_of_type(op_type, entry.first);
    if (entry.first != op_type && key.empty()) continue;
    std::vector<FoundField> found;
    try {
      flatten(*entry.second(), "", 0, found);
    } catch (...) {
      continue;
    }
    for (FoundField& field : found) {
      names_.push_back(std::move(field.name));
      fields_.push_back(
          {sizeof(opk_tiling_field_v1), field.dtype, names_.back().c_str(), field.offset,
           field.count,
           key.empty() ? OPK_ANY_TILING_KEY : std::strtoull(key.c_str(), nullptr, 10)});
    }
  }
  for (const opk_tiling_field_v1& field : fields_) rows_.push_back(&field);
}

}  // namespace opkit_host
