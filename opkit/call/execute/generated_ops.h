// Ops that opkit wrote itself for chains of a model. They are packages of a vendor of their own, in
// an OPP folder in the user's cache, and have names that say what they are made of.
#ifndef OPKIT_CALL_EXECUTE_GENERATED_OPS_H_
#define OPKIT_CALL_EXECUTE_GENERATED_OPS_H_

#include <filesystem>

#include "registry/registry.h"

namespace opkit {

inline constexpr const char* kGeneratedVendor = "generated";

// Empty: the user has no cache.
std::filesystem::path generated_opp();

// Opens the registry of that folder alone. REQUIRES: generated_opp() is not empty.
registry::Registry generated_registry();

}  // namespace opkit

#endif  // OPKIT_CALL_EXECUTE_GENERATED_OPS_H_
