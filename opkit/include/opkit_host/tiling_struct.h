// The registered classes of tiling data as plain struct definitions, for the kernel's side: the
// build writes them into a header that every kernel of the op gets.
#ifndef OPKIT_HOST_TILING_STRUCT_H_
#define OPKIT_HOST_TILING_STRUCT_H_

#include <set>
#include <string>

#include "register/tilingdata_base.h"

namespace opkit_host {

// Definitions of `data` and of the structs in it, innermost first, each once (`done` remembers).
// What AscendC::tiling defines (TCubeTiling, ...) is used from there.
inline void append_struct(const optiling::TilingDef& data, std::set<std::string>& done,
                          std::string& text) {
  if (!done.insert(data.GetTilingClassName()).second) return;
  for (const optiling::TilingField& field : data.fields()) {
    if (field.nested) append_struct(data.nested(field), done, text);
  }
  text += std::string("struct ") + data.GetTilingClassName() + " {\n";
  for (const optiling::TilingField& field : data.fields()) {
    const std::string type = field.nested ? data.nested(field).GetTilingClassName() : field.type;
    text += "  " + type + " " + field.name;
    if (field.count != 0) text += "[" + std::to_string(field.count) + "]";
    text += field.nested ? ";\n" : field.count != 0 ? " = {};\n" : " = 0;\n";
  }
  text += "};\n";
  text += std::string("static_assert(sizeof(") + data.GetTilingClassName() +
          ") == " + std::to_string(data.GetDataSize()) + ", \"layout of tiling data\");\n\n";
}

// Every registered class. `given` names structs that the kernel's headers already define.
inline std::string tiling_structs(std::set<std::string> given) {
  std::string text;
  for (const auto& entry : registry().tiling_classes) {
    append_struct(*entry.second(), given, text);
  }
  return text;
}

// The struct that GET_TILING_DATA uses for an op type, or "" when none was registered.
inline std::string tiling_class_of(const std::string& op_type) {
  const auto found = registry().tiling_classes.find(op_type);
  return found == registry().tiling_classes.end() ? "" : found->second()->GetTilingClassName();
}

}  // namespace opkit_host

#endif  // OPKIT_HOST_TILING_STRUCT_H_
