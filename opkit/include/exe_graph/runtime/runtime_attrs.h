// gert::RuntimeAttrs: attribute values by their order in the op's definition.
#ifndef OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H_
#define OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H_

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "exe_graph/runtime/continuous_vector.h"
#include "opkit/abi/plugin.h"
#include "opkit_host/report.h"

namespace gert {

// Borrows strings, ints and floats from the call. A read as another type than the attribute's
// returns nullptr and reports OPK-HOST-001; nothing is reinterpreted.
class RuntimeAttrs {
 public:
  explicit RuntimeAttrs(const opk_call_v1& call) {
    for (uint32_t i = 0; i < call.attr_count; ++i) slots_.emplace_back(*call.attrs[i]);
  }

  size_t GetAttrNum() const { return slots_.size(); }

  // T: bool, int64_t (other integers and enums read its low bytes), float, char, or
  // [Typed]ContinuousVector for lists.
  template <typename T>
  const T* GetAttrPointer(size_t index) const {
    const Slot* slot = index < slots_.size() ? &slots_[index] : nullptr;
    if (slot == nullptr) return nullptr;
    if (!fits<T>(slot->kind)) {
      const std::string text = opkit_host::format(
          "attribute %zu ('%s') is a %s, it was read as another type; use the type of the "
          "definition",
          index, slot->name, kind_name(slot->kind));
      opkit_host::report(opkit_host::kError, "OPK-HOST-001", text);
      say_before_the_end(text);
      return nullptr;
    }
    return static_cast<const T*>(slot->pointer());
  }

  const int64_t* GetInt(size_t i) const { return GetAttrPointer<int64_t>(i); }
  const float* GetFloat(size_t i) const { return GetAttrPointer<float>(i); }
  const bool* GetBool(size_t i) const { return GetAttrPointer<bool>(i); }
  const char* GetStr(size_t i) const { return GetAttrPointer<char>(i); }
  const TypedContinuousVector<int64_t>* GetListInt(size_t i) const {
    return GetAttrPointer<TypedContinuousVector<int64_t>>(i);
  }
  const TypedContinuousVector<float>* GetListFloat(size_t i) const {
    return GetAttrPointer<TypedContinuousVector<float>>(i);
  }

 private:
  // Who reads through the null pointer ends the process, and its reports with it: said once there,
  // too.
  static void say_before_the_end(const std::string& text) {
    static bool said = false;
    if (opkit_host::current_report() == nullptr || said) return;
    said = true;
    std::fprintf(stderr, "OPK-HOST-001: %s\n", text.c_str());
  }

  struct Slot {
    explicit Slot(const opk_attr_v1& attr) : kind(attr.kind), name(attr.name) {
      switch (attr.kind) {
        case OPK_ATTR_BOOL: boolean = attr.ints[0] != 0; break;
        case OPK_ATTR_INT: integer = attr.ints[0]; break;
        case OPK_ATTR_FLOAT: real = attr.floats[0]; break;
        case OPK_ATTR_STRING: text = attr.strings[0]; break;
        case OPK_ATTR_LIST_BOOL:
          booleans.reset(new bool[attr.count]);
          for (uint64_t i = 0; i < attr.count; ++i) booleans[i] = attr.ints[i] != 0;
          list = {booleans.get(), attr.count};
          break;
        case OPK_ATTR_LIST_INT: list = {attr.ints, attr.count}; break;
        case OPK_ATTR_LIST_FLOAT: list = {attr.floats, attr.count}; break;
        default: list = {attr.strings, attr.count}; break;
      }
    }

    const void* pointer() const {
      switch (kind) {
        case OPK_ATTR_BOOL: return &boolean;
        case OPK_ATTR_INT: return &integer;
        case OPK_ATTR_FLOAT: return &real;
        case OPK_ATTR_STRING: return text;
        default: return &list;
      }
    }

    uint32_t kind;
    const char* name;
    bool boolean = false;
    int64_t integer = 0;
    float real = 0;
    const char* text = nullptr;
    std::unique_ptr<bool[]> booleans;
    ContinuousVector list;
  };

  template <typename T>
  static bool fits(uint32_t kind) {
    using Base = std::remove_cv_t<T>;
    if constexpr (std::is_same_v<Base, bool>) return kind == OPK_ATTR_BOOL;
    if constexpr (std::is_same_v<Base, char>) return kind == OPK_ATTR_STRING;
    if constexpr (std::is_same_v<Base, float>) return kind == OPK_ATTR_FLOAT;
    if constexpr (std::is_same_v<Base, TypedContinuousVector<bool>>) {
      return kind == OPK_ATTR_LIST_BOOL;
    }
    if constexpr (std::is_same_v<Base, TypedContinuousVector<int64_t>>) {
      return kind == OPK_ATTR_LIST_INT;
    }
    if constexpr (std::is_same_v<Base, TypedContinuousVector<float>>) {
      return kind == OPK_ATTR_LIST_FLOAT;
    }
    if constexpr (std::is_same_v<Base, ContinuousVector>) return kind >= OPK_ATTR_LIST_BOOL;
    if constexpr ((std::is_integral_v<Base> || std::is_enum_v<Base>)&&!std::is_same_v<Base, bool> &&
                  !std::is_same_v<Base, char>) {
      return kind == OPK_ATTR_INT;
    }
    return false;
  }

  static const char* kind_name(uint32_t kind) {
    static const char* const kNames[] = {"bool",          "int",           "float",
                                         "string",        "list of bool",  "list of int",
                                         "list of float", "list of string"};
    return kind < sizeof kNames / sizeof *kNames ? kNames[kind] : "value of unknown kind";
  }

  std::vector<Slot> slots_;
};

}  // namespace gert

#endif  // OPKIT_INCLUDE_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H_
