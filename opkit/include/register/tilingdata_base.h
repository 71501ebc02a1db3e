// Tiling data as a class: BEGIN_TILING_DATA_DEF(Cls) TILING_DATA_FIELD_DEF(type, name);
// END_TILING_DATA_DEF; REGISTER_TILING_DATA_CLASS(Op, Cls).
//
// The bytes that SaveToBuffer writes are those of a plain struct with the same fields in the same
// order and natural alignment; opkit_host/tiling_struct.h prints that struct for the kernel.
#ifndef OPKIT_INCLUDE_REGISTER_TILINGDATA_BASE_H_
#define OPKIT_INCLUDE_REGISTER_TILINGDATA_BASE_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/types.h"
#include "opkit_host/registry.h"

namespace optiling {

// Authors name types by aliases of their own, which kernels do not see.
template <typename T>
std::string number_type() {
  if (std::is_same<T, bool>::value) return "bool";
  if (std::is_floating_point<T>::value) return sizeof(T) == 4 ? "float" : "double";
  return (std::is_unsigned<T>::value ? "uint" : "int") + std::to_string(8 * sizeof(T)) + "_t";
}

// One field of a class of tiling data.
struct TilingField {
  std::string type;  // names the type of numbers, which needs no header but <cstdint>
  const char* name;
  size_t count;      // elements; 0 = no array
  size_t alignment;  // bytes
  size_t bytes;      // all elements
  size_t at;         // bytes from the TilingDef to the value (or to the nested TilingDef)
  bool nested;
  size_t set_at;  // bytes from the TilingDef to the bool that says whether somebody wrote the value
};

class TilingDef {
 public:
  virtual ~TilingDef() = default;
  virtual const char* GetTilingClassName() const = 0;

  // Bytes, the padding at the end included.
  size_t GetDataSize() const { return round_up(end_, alignment_); }
  size_t alignment() const { return alignment_; }
  const std::vector<TilingField>& fields() const { return fields_; }

  // Writes GetDataSize() bytes; padding is zero. Too small a buffer is reported (OPK-HOST-002) and
  // left alone.
  void SaveToBuffer(void* buffer, size_t capacity) const {
    if (buffer == nullptr || capacity < GetDataSize()) {
      opkit_host::report(
          opkit_host::kError, "OPK-HOST-002",
          opkit_host::format("tiling data %s of %zu bytes does not fit a buffer of %zu bytes; give "
                             ".Tiling(f, max_bytes)",
                             GetTilingClassName(), GetDataSize(), buffer ? capacity : size_t{0}));
      return;
    }
    std::memset(buffer, 0, GetDataSize());
    write(static_cast<char*>(buffer));
    tell_unset();
  }

  const TilingDef& nested(const TilingField& field) const {
    return *reinterpret_cast<const TilingDef*>(address(field));
  }

 protected:
  TilingDef() = default;
  TilingDef(const TilingDef&) = default;
  TilingDef& operator=(const TilingDef&) = default;

  // Returns what is_set, the field's mark, begins as.
  bool add(std::string type, const char* name, size_t count, size_t alignment, size_t bytes,
           const void* value, const bool* is_set, bool nested) {
    fields_.push_back({std::move(type), name, count, alignment, bytes, place_of(value), nested,
                       place_of(is_set)});
    end_ = round_up(end_, alignment) + bytes;
    alignment_ = std::max(alignment_, alignment);
    return false;
  }

 private:
  static size_t round_up(size_t value, size_t unit) { return (value + unit - 1) / unit * unit; }
  size_t place_of(const void* member) const {
    return static_cast<size_t>(static_cast<const char*>(member) -
                               reinterpret_cast<const char*>(this));
  }
  const char* address(const TilingField& field) const {
    return reinterpret_cast<const char*>(this) + field.at;
  }
  bool is_set(const TilingField& field) const {
    return field.nested ||
           *reinterpret_cast<const bool*>(reinterpret_cast<const char*>(this) + field.set_at);
  }

  // A kernel that reads such a field gets 0. Fields of nested classes are those of the advanced
  // API, which leaves out what does not apply.
  void tell_unset() const {
    std::string names;
    size_t unset = 0;
    for (const TilingField& field : fields_) {
      if (is_set(field)) continue;
      if (++unset <= 4) names += (unset > 1 ? ", " : "") + std::string(field.name);
    }
    if (unset == 0) return;
    if (unset > 4) names += " and " + std::to_string(unset - 4) + " more";
    opkit_host::report(opkit_host::kDebug, "OPK-HOST-013",
                       (unset > 1 ? "fields " + names + " were" : "field " + names + " was") +
                           " never set (" + GetTilingClassName() + ")");
  }

  void write(char* to) const {
    size_t offset = 0;
    for (const TilingField& field : fields_) {
      offset = round_up(offset, field.alignment);
      if (field.nested) {
        nested(field).write(to + offset);
      } else {
        std::memcpy(to + offset, address(field), field.bytes);
      }
      offset += field.bytes;
    }
  }

  std::vector<TilingField> fields_;
  size_t end_ = 0;
  size_t alignment_ = 1;
};

}  // namespace optiling

#define BEGIN_TILING_DATA_DEF(class_name)           \
  class class_name : public ::optiling::TilingDef { \
   public:                                          \
    const char* GetTilingClassName() const override { return #class_name; }

#define TILING_DATA_FIELD_DEF(data_type, field_name)                                \
 public:                                                                            \
  void set_##field_name(data_type value) {                                          \
    field_name##_ = value;                                                          \
    field_name##_field_ = true;                                                     \
  }                                                                                 \
  data_type get_##field_name() const { return field_name##_; }                      \
                                                                                    \
 private:                                                                           \
  static_assert(std::is_arithmetic<data_type>::value, "a field is a number");       \
  data_type field_name##_ = 0;                                                      \
  bool field_name##_field_ =                                                        \
      add(::optiling::number_type<data_type>(), #field_name, 0, alignof(data_type), \
          sizeof(data_type), &field_name##_, &field_name##_field_, false);          \
                                                                                    \
 public:

#define TILING_DATA_FIELD_DEF_ARR(data_type, array_size, field_name)                         \
 public:                                                                                     \
  void set_##field_name(const data_type* values) {                                           \
    std::memcpy(field_name##_, values, sizeof field_name##_);                                \
    field_name##_field_ = true;                                                              \
  }                                                                                          \
  data_type* get_##field_name() {                                                            \
    field_name##_field_ = true;                                                              \
    return field_name##_;                                                                    \
  }                                                                                          \
  const data_type* get_##field_name() const { return field_name##_; }                        \
                                                                                             \
 private:                                                                                    \
  static_assert(std::is_arithmetic<data_type>::value, "an element is a number");             \
  data_type field_name##_[array_size] = {};                                                  \
  bool field_name##_field_ =                                                                 \
      add(::optiling::number_type<data_type>(), #field_name, array_size, alignof(data_type), \
          sizeof field_name##_, field_name##_, &field_name##_field_, false);                 \
                                                                                             \
 public:

#define TILING_DATA_FIELD_DEF_STRUCT(struct_type, field_name)                                  \
 public:                                                                                       \
  struct_type field_name;                                                                      \
                                                                                               \
 private:                                                                                      \
  bool field_name##_field_ =                                                                   \
      add(#struct_type, #field_name, 0, field_name.alignment(), field_name.GetDataSize(),      \
          static_cast<const ::optiling::TilingDef*>(&field_name), &field_name##_field_, true); \
                                                                                               \
 public:

// Ends by itself: authors write it with and without a semicolon.
#define END_TILING_DATA_DEF \
  }                         \
  ;

#define REGISTER_TILING_DATA_CLASS(op_type, class_name)                              \
  [[maybe_unused]] static const bool opkit_tiling_class_##op_type##_##class_name = ( \
      ::opkit_host::registry().tiling_classes[#op_type] =                            \
          []() -> std::unique_ptr<::optiling::TilingDef> {                           \
        return std::unique_ptr<::optiling::TilingDef>(new class_name());             \
      },                                                                             \
      true);

#endif  // OPKIT_INCLUDE_REGISTER_TILINGDATA_BASE_H_
