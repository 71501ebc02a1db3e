// The OPP whose packages tests use: ASCEND_OPP_PATH, else the one that `make ops` fills.
#ifndef OPKIT_TESTS_INSTALLED_OPP_H_
#define OPKIT_TESTS_INSTALLED_OPP_H_

#include <cstdlib>
#include <filesystem>

#include "opkit_test_paths.h"

namespace opkit {

inline std::filesystem::path opp_path() {
  const char* given = std::getenv("ASCEND_OPP_PATH");
  return given != nullptr && *given != 0 ? std::filesystem::path(given)
                                         : std::filesystem::path(OPKIT_SOURCE_DIR) / "opp";
}

}  // namespace opkit

#endif  // OPKIT_TESTS_INSTALLED_OPP_H_
