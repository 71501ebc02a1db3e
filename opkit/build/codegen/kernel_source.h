// KernelSource: what a kernel's source says about its builds: template parameters, tiling keys,
// kernel types.
#ifndef OPKIT_BUILD_CODEGEN_KERNEL_SOURCE_H_
#define OPKIT_BUILD_CODEGEN_KERNEL_SOURCE_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace opkit::codegen {

// A parameter of the kernel's template.
struct TemplateParameter {
  bool is_type = false;
  std::string type;  // tells the type of a value as written: "uint32_t"
};

// A function that is marked __global__, outside macros.
struct GlobalFunction {
  std::string name, file;
  int line = 0;
  std::vector<std::string> parameters;  // are as written
};

struct KernelSource {
  std::vector<std::filesystem::path> files;  // that were read, the kernel's own among them
  std::vector<GlobalFunction> functions;
  bool names_entry = false;   // the entry's name stands somewhere
  bool pastes_names = false;  // macros may make names that stand nowhere: ##
  // Present when the entry is a template.
  std::optional<std::vector<TemplateParameter>> parameters;
  bool declares_template = false;  // ASCENDC_TPL_ARGS_DECL
  std::string template_scope;      // "ns::", where it stands
  bool selects_cube = false;       // a selection names a kernel type with cube cores
  bool selects_vector = false;

  // Keys of TILING_KEY_IS and its like as C++ text that means the same at the end of the kernel's
  // file, in order. KERNEL_TASK_TYPE says of which type a key is, and makes none.
  std::vector<std::string> keys;
  bool keys_known = true;       // every TILING_KEY_IS could be read
  bool constant_key = false;    // the key is needed while compiling
  bool default_struct = false;  // GET_TILING_DATA without a struct's name
  std::vector<std::pair<std::string, std::string>> key_structs;  // condition, struct

  std::optional<int> task_type;                        // KERNEL_TASK_TYPE_DEFAULT
  std::vector<std::pair<std::string, int>> key_types;  // KERNEL_TASK_TYPE(key, type)
  bool names_cube = false;  // a call of the cube unit stands somewhere, reached or not
};

// Returns the number that a key's text stands for; absent when it is no plain literal.
std::optional<uint64_t> literal_key(const std::string& text);

}  // namespace opkit::codegen

#endif  // OPKIT_BUILD_CODEGEN_KERNEL_SOURCE_H_
