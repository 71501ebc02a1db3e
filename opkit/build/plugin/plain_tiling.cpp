#include "opkit/include/opkit_host/plain_tiling.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "opkit/include/opkit_host/number_types.h"
#include "opkit/include/opkit_host/report.h"
#include "opkit/include/opkit_host/tiling_fields.h"

namespace opkit_host {
namespace {

constexpr uint64_t kMostElements = 16;  // limits an array of structs
constexpr size_t kMostDepth = 8;
constexpr size_t kMostNames = 4;  // limits the unset fields that one sentence names

struct Extent {
  uint64_t bytes = 0, alignment = 1;
};

uint64_t round_up(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

// Returns the structs of the advanced API, which no source of the author defines.
std::vector<PlainField> library_fields(const std::string& owner) {
#define OPKIT_FIELD(type, field) fields.push_back({"", #type, #field, 0});
#define OPKIT_STRUCT(name, list)     \
  if (owner == #name) {              \
    std::vector<PlainField> fields;  \
    list(OPKIT_FIELD) return fields; \
  }
  OPKIT_TILING_STRUCTS(OPKIT_STRUCT)
#undef OPKIT_STRUCT
#undef OPKIT_FIELD
  return {};
}

class Layout {
 public:
  explicit Layout(const PlainTiling& tiling) : tiling_(tiling) {}

  std::vector<PlacedField> of(const std::string& root) {
    if (!place(root, "", 0, 0)) placed_.clear();
    return std::move(placed_);
  }

 private:
  std::vector<PlainField> fields_of(const std::string& owner) const {
    std::vector<PlainField> fields;
    for (size_t i = 0; i < tiling_.field_count; ++i) {
      if (owner == tiling_.fields[i].owner) fields.push_back(tiling_.fields[i]);
    }
    return fields.empty() ? library_fields(owner) : fields;
  }

  std::optional<Extent> place(const std::string& owner, const std::string& before, uint64_t begin,
                              size_t depth) {
    const std::vector<PlainField> fields = fields_of(owner);
    if (fields.empty() || depth > kMostDepth) return std::nullopt;
    Extent all;
    for (const PlainField& field : fields) {
      const auto extent = extent_of(field.type, depth);
      if (!extent) return std::nullopt;
      all.bytes = round_up(all.bytes, extent->alignment);
      all.alignment = std::max(all.alignment, extent->alignment);
      add(field, before, begin + all.bytes, *extent, depth);
      all.bytes += extent->bytes * std::max<uint64_t>(field.count, 1);
    }
    all.bytes = round_up(all.bytes, all.alignment);
    return all;
  }

  // Nothing is placed by asking how large a struct is.
  std::optional<Extent> extent_of(const std::string& type, size_t depth) {
    if (const NumberType* number = number_called(type)) return Extent{number->bytes, number->bytes};
    const size_t before = placed_.size();
    const auto extent = place(type, "", 0, depth + 1);
    placed_.resize(std::min(before, placed_.size()));
    return extent;
  }

  void add(const PlainField& field, const std::string& before, uint64_t at, const Extent& extent,
           size_t depth) {
    const std::string name = before + field.name;
    if (const NumberType* number = number_called(field.type)) {
      placed_.push_back({name, number->dtype, at, number->bytes, field.count});
      return;
    }
    if (field.count == 0) place(field.type, name + ".", at, depth + 1);
    for (uint64_t i = 0; i < std::min(field.count, kMostElements); ++i)
      place(field.type, name + "[" + std::to_string(i) + "].", at + i * extent.bytes, depth + 1);
  }

  const PlainTiling& tiling_;
  std::vector<PlacedField> placed_;
};

class Unset {
 public:
  Unset(const std::vector<uint8_t>& data, const std::vector<uint8_t>& probe)
      : data_(data), probe_(probe) {}

  bool is(uint64_t begin, uint64_t end) const {
    if (begin >= end || end > data_.size() || end > probe_.size()) return false;
    for (uint64_t i = begin; i < end; ++i) {
      if (data_[i] != 0 || probe_[i] != kUnsetByte) return false;
    }
    return true;
  }

  // An array that is set in part is as long as it has to be.
  std::vector<std::string> names(const std::vector<PlacedField>& fields) const {
    std::vector<std::string> found;
    for (const PlacedField& field : fields) {
      const uint64_t count = std::max<uint64_t>(field.count, 1);
      if (is(field.offset, field.offset + count * field.bytes)) found.push_back(field.name);
    }
    return found;
  }

  std::vector<std::string> words() const {
    std::vector<std::string> found;
    for (uint64_t at = 0; at + 4 <= data_.size(); at += 4) {
      if (is(at, at + 4)) found.push_back("word " + std::to_string(at / 4));
    }
    return found;
  }

 private:
  const std::vector<uint8_t>& data_;
  const std::vector<uint8_t>& probe_;
};

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < std::min(names.size(), kMostNames); ++i)
    text += (i > 0 ? ", " : "") + names[i];
  if (names.size() > kMostNames)
    text += " and " + std::to_string(names.size() - kMostNames) + " more";
  return text;
}

}  // namespace

std::vector<PlacedField> placed_fields(const PlainTiling& tiling, const std::string& root) {
  return Layout(tiling).of(root);
}

const char* plain_root(const PlainTiling& tiling, uint64_t key) {
  const char* any = nullptr;
  for (size_t i = 0; i < tiling.root_count; ++i) {
    if (tiling.roots[i].tiling_key == key) return tiling.roots[i].name;
    if (tiling.roots[i].tiling_key == OPK_ANY_TILING_KEY) any = tiling.roots[i].name;
  }
  return any;
}

void tell_unset(const PlainTiling* tiling, uint64_t key, const std::vector<uint8_t>& data,
                const std::vector<uint8_t>& probe) {
  const Unset unset(data, probe);
  const char* root = tiling == nullptr ? nullptr : plain_root(*tiling, key);
  const std::vector<PlacedField> fields =
      root == nullptr ? std::vector<PlacedField>() : placed_fields(*tiling, root);
  const std::vector<std::string> names = fields.empty() ? unset.words() : unset.names(fields);
  if (names.empty()) return;
  const std::string what = fields.empty()
                               ? joined(names) + " of the tiling data"
                               : (names.size() > 1 ? "fields " : "field ") + joined(names);
  report(kDebug, "OPK-HOST-013",
         what + (names.size() > 1 ? " were never set" : " was never set") +
             (fields.empty() ? std::string(", unless it is padding")
                             : " (" + std::string(root) + ")"));
}

}  // namespace opkit_host
