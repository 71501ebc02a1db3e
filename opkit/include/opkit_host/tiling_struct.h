// The registered classes of tiling data as plain struct definitions, for the kernel's side: the
// build runs the compiled op_host sources and writes what they say into a header that every kernel
// of the op gets.
#ifndef OPKIT_HOST_TILING_STRUCT_H_
#define OPKIT_HOST_TILING_STRUCT_H_

#include <set>
#include <string>

#include "opkit_host/tiling_fields.h"
#include "register/tilingdata_base.h"

namespace opkit_host {

// Returns the struct that GET_TILING_DATA uses for an op type, or "" when none was registered.
inline std::string tiling_class_of(const std::string& op_type) {
  const auto found = registry().tiling_classes.find(op_type);
  return found == registry().tiling_classes.end() ? "" : found->second()->GetTilingClassName();
}

// One header of structs.
class TilingHeader {
 public:
  // What AscendC::tiling defines (TCubeTiling, ...) is used from there.
  TilingHeader() {
#define OPKIT_NAME(name, fields) done_.insert(#name);
    OPKIT_TILING_STRUCTS(OPKIT_NAME)
#undef OPKIT_NAME
  }

  // The struct of `data` and of the structs in it, innermost first, each once.
  void add(const optiling::TilingDef& data) {
    if (!done_.insert(data.GetTilingClassName()).second) return;
    for (const optiling::TilingField& field : data.fields()) {
      if (field.nested) add(data.nested(field));
    }
    const std::string name = data.GetTilingClassName();
    text_ += "struct " + name + " {\n";
    for (const optiling::TilingField& field : data.fields()) {
      text_ += "  " + (field.nested ? data.nested(field).GetTilingClassName() : field.type) + " " +
               field.name;
      text_ += field.count != 0 ? "[" + std::to_string(field.count) + "];\n" : ";\n";
    }
    text_ += "};\nstatic_assert(sizeof(" + name + ") == " + std::to_string(data.GetDataSize()) +
             ", \"layout of tiling data\");\n\n";
  }

  std::string text() const {
    return "#pragma once\n#include <cstdint>\n#include \"kernel_tiling/kernel_tiling.h\"\n\n" +
           text_;
  }

 private:
  std::set<std::string> done_;
  std::string text_;
};

// Returns the number of a key in a type that was registered for a single key of the op, "Op_12";
// else "".
inline std::string key_of_type(const std::string& op_type, const std::string& type) {
  const std::string prefix = op_type + "_";
  if (type.compare(0, prefix.size(), prefix) != 0) return "";
  const std::string key = type.substr(prefix.size());
  return key.find_first_not_of("0123456789") == std::string::npos ? key : "";
}

// Tells whether a type is an op of these sources, or a key of one, other than `op_type`.
inline bool is_of_other_op(const std::string& op_type, const std::string& type) {
  const auto of = [&type](const std::string& op) {
    return op == type || !key_of_type(op, type).empty();
  };
  if (of(op_type)) return false;
  for (const auto& definition : registry().definitions) {
    if (of(definition.first)) return true;
  }
  for (const auto& functions : registry().functions) {
    if (of(functions.first)) return true;
  }
  return false;
}

// Returns the header of an op's kernels: its classes and those of no op at all, which its kernels
// may use, too, the default one, and those of single keys. Units for one key define
// OPKIT_KEY_STRUCTS as 1; as 0 it says that a unit needs that and is none.
inline std::string tiling_header(const std::string& op_type) {
  TilingHeader header;
  std::string choice;
  for (const auto& entry : registry().tiling_classes) {
    if (is_of_other_op(op_type, entry.first)) continue;
    const std::string key = key_of_type(op_type, entry.first);
    const auto data = entry.second();
    header.add(*data);
    if (key.empty()) continue;
    choice += "#if (TILING_KEY_VAR) == " + key +
              "\n#undef GET_TILING_DATA\n#define GET_TILING_DATA(name, tiling) "
              "GET_TILING_DATA_WITH_STRUCT(" +
              data->GetTilingClassName() + ", name, tiling)\n#endif\n";
  }
  std::string text = header.text();
  const std::string standard = tiling_class_of(op_type);
  if (!standard.empty()) text += "using OpkitDefaultTiling = " + standard + ";\n";
  if (choice.empty()) return text;
  return text + "#if defined(OPKIT_KEY_STRUCTS) && OPKIT_KEY_STRUCTS\n" + choice +
         "#elif defined(OPKIT_KEY_STRUCTS)\n#error OPK-GEN-009: a key of " + op_type +
         " has a tiling struct of its own, but REGISTER_TILING_DATA_CLASS for it is not written "
         "out in op_host; write it there without a macro around it\n#endif\n";
}

}  // namespace opkit_host

#endif  // OPKIT_HOST_TILING_STRUCT_H_
