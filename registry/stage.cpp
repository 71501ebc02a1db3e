#include "registry/stage.h"

#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "registry/lasting_files.h"
#include "registry/opp_layout.h"

namespace opkit::registry {
namespace fs = std::filesystem;

Status make_work_folder(const fs::path& opp) {
  OPKIT_CHECK(check_way(opp, opp / kWorkFolder));
  return make_lasting_directories(opp / kWorkFolder);
}

// Makes the directory and takes its lease: until then another installer takes the directory for a
// leftover.
Result<Stage> Stage::make(const fs::path& opp) {
  OPKIT_CHECK(make_work_folder(opp));
  std::error_code code;
  while (true) {
    std::string name = (opp / kWorkFolder / "stage-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) return cannot_write(name, std::strerror(errno));
    auto lease = std::make_unique<PackageLease>(name);
    if (lease->holds() || fs::exists(name, code)) return Stage(std::move(lease));
  }
}

Stage::~Stage() {
  if (!lease_) return;
  const fs::path path = this->path();
  lease_.reset();
  remove_unless_leased(path);
}

void discard(const fs::path& opp, const fs::path& directory) {
  remove_unless_leased(directory);
  std::error_code code;
  if (!fs::exists(fs::symlink_status(directory, code))) return;
  const Result<Stage> stage = Stage::make(opp);
  if (stage) fs::rename(directory, stage->path() / directory.filename(), code);
}

}  // namespace opkit::registry
