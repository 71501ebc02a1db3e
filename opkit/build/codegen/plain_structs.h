// Plain structs of tiling data as the sources of an op write them, so that reports name their
// fields. What is not understood is left out: a report then shows words.
#ifndef OPKIT_BUILD_CODEGEN_PLAIN_STRUCTS_H_
#define OPKIT_BUILD_CODEGEN_PLAIN_STRUCTS_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace opkit::codegen {

struct StructField {
  std::string type;  // "uint32_t", or the name of another struct, without its namespaces
  std::string name;
  uint64_t count = 0;  // elements; 0: no array
};

struct PlainStructs {
  std::map<std::string, std::vector<StructField>> fields;  // holds fields by struct
  // Holds the structs that GetTilingData, REGISTER_TILING_DEFAULT and their like name, in order.
  std::vector<std::string> asked;
  std::vector<std::string> defaults;  // lists those of `asked` that REGISTER_TILING_DEFAULT names
};

// Reads what files define and name. A struct that two files define differently, or that has
// anything but numbers, arrays of them and other structs in it, is none.
PlainStructs read_structs(const std::vector<std::filesystem::path>& files);
// Reads one text, for tests.
PlainStructs read_structs_text(const std::string& text);

// Returns C++ text that makes the structs known for an op, by key where `by_key` has literal ones
// ("TILING_KEY_VAR == 2", the struct); empty where it is not clear which struct the data are.
std::string plain_structs_text(const std::string& op, const PlainStructs& structs,
                               const std::vector<std::pair<std::string, std::string>>& by_key);

}  // namespace opkit::codegen

#endif  // OPKIT_BUILD_CODEGEN_PLAIN_STRUCTS_H_
