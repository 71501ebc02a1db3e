#include "opkit/cli/terminal/exit_code.h"

#include <array>
#include <string_view>

namespace opkit::cli {
namespace {

struct Area {
  std::string_view prefix;
  int code;
};

// The first prefix that fits counts.
constexpr std::array kAreas = {
    Area{"OPK-CLI-033", kEnvironment},
    Area{"OPK-CLI-", kUsage},
    Area{"E1000", kUsage},
    Area{"OPK-SOC-002", kUsage},
    Area{"OPK-VERIFY-010", kUsage},
    Area{"OPK-VERIFY-015", kUsage},
    Area{"OPK-NEW-001", kUsage},
    Area{"OPK-NEW-002", kUsage},
    Area{"OPK-VERSION-002", kUsage},
    Area{"OPK-MSOPGEN-001", kUsage},
    Area{"OPK-ENV-", kEnvironment},
    Area{"OPK-KEY-005", kEnvironment},
    Area{"OPK-NEW-004", kEnvironment},
    Area{"OPK-FILE-", kEnvironment},
    Area{"OPK-INSTALL-003", kEnvironment},
    Area{"OPK-INSTALL-004", kEnvironment},
    Area{"OPK-PLUGIN-013", kEnvironment},
    Area{"OPK-TENSOR-001", kEnvironment},
    Area{"OPK-WORKER-001", kEnvironment},
    Area{"OPK-WORKER-012", kEnvironment},
    Area{"OPK-INTERNAL-", kInternal},
};

}  // namespace

int exit_code_of(const Error& error) {
  for (const Area& area : kAreas) {
    if (error.code.starts_with(area.prefix)) return area.code;
  }
  return kFailed;
}

}  // namespace opkit::cli
