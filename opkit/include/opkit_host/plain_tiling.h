// Tiling data that are a plain struct: its fields as the build has read them in the sources, laid
// out, and those of them that a tiling function left alone.
#ifndef OPKIT_HOST_PLAIN_TILING_H_
#define OPKIT_HOST_PLAIN_TILING_H_

#include <string>
#include <vector>

#include "opkit/abi/plugin.h"

namespace opkit_host {

// One member of a struct that the sources define.
struct PlainField {
  const char* owner;  // the struct
  const char* type;   // "uint32_t", or the name of another struct
  const char* name;
  uint64_t count;  // elements; 0: no array
};

// The struct that the tiling function fills for a key, or for any.
struct PlainRoot {
  uint64_t tiling_key;
  const char* name;
};

// What the build knows of one op. Borrows everything.
struct PlainTiling {
  const PlainField* fields;
  size_t field_count;
  const PlainRoot* roots;
  size_t root_count;
};

// A number of a struct, or an array of numbers.
struct PlacedField {
  std::string name;  // "view.rows", "tails[1].first"
  int32_t dtype;
  uint64_t offset, bytes;  // bytes: of one number
  uint64_t count;          // 0: no array
};

// Returns the fields in order; none where a type in the struct is not known.
__attribute__((visibility("hidden"))) std::vector<PlacedField> placed_fields(
    const PlainTiling& tiling, const std::string& root);

// Returns the struct of that key; nullptr: none is known.
__attribute__((visibility("hidden"))) const char* plain_root(const PlainTiling& tiling,
                                                             uint64_t key);

// Says by report() which of the data's fields, or without names which of their words, nobody has
// set: 0 in `data`, which were 0 before, and kUnsetByte in `probe`, which the same function filled.
__attribute__((visibility("hidden"))) void tell_unset(const PlainTiling* tiling, uint64_t key,
                                                      const std::vector<uint8_t>& data,
                                                      const std::vector<uint8_t>& probe);

constexpr uint8_t kUnsetByte = 0xa5;

// While it is set in the environment, tiling functions that fill a plain struct run once more, so
// that what they leave alone can be told.
constexpr const char* kTellUnset = "OPKIT_TELL_UNSET";

}  // namespace opkit_host

#endif  // OPKIT_HOST_PLAIN_TILING_H_
