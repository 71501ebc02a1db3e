#include "opkit/include/opkit_host/tiling_rows.h"

#include <cstdlib>

#include "opkit/include/opkit_host/number_types.h"
#include "opkit/include/opkit_host/plain_tiling.h"
#include "opkit/include/opkit_host/tiling_struct.h"

namespace opkit_host {
namespace {

int32_t dtype_of(const std::string& type) {
  const NumberType* number = number_called(type);
  return number == nullptr ? OPK_DTYPE_UNDEFINED : number->dtype;
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
  if (fields_.empty()) add_plain(op_type);
  for (const opk_tiling_field_v1& field : fields_) rows_.push_back(&field);
}

// No class was registered: the structs that the build found in the sources.
void TilingRows::add_plain(const std::string& op_type) {
  const auto known = registry().plain_tilings.find(op_type);
  if (known == registry().plain_tilings.end()) return;
  const PlainTiling& tiling = *known->second;
  for (size_t i = 0; i < tiling.root_count; ++i) {
    for (PlacedField& field : placed_fields(tiling, tiling.roots[i].name)) {
      names_.push_back(std::move(field.name));
      fields_.push_back({sizeof(opk_tiling_field_v1), field.dtype, names_.back().c_str(),
                         field.offset, field.count, tiling.roots[i].tiling_key});
    }
  }
}

}  // namespace opkit_host
