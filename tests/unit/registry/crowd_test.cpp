// A crowd of processes that install, remove, upgrade, roll back and look: every error is one that
// another one's work explains, and in the end the OPP is in order. OPKIT_CROWD=<processes>x<steps>.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <set>
#include <thread>

#include "packages.h"
#include "registry/install.h"
#include "registry/load_priority.h"
#include "registry/opp_layout.h"
#include "registry/opp_lock.h"
#include "registry/package_lease.h"
#include "registry/pending_change.h"
#include "registry/registry.h"
#include "registry/search_path.h"
#include "registry/upgrade.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;
using Codes = std::set<std::string>;

struct CrowdSize {
  int processes = 16, steps = 200;
};

CrowdSize crowd_size() {
  CrowdSize size;
  const char* asked = std::getenv("OPKIT_CROWD");
  if (asked != nullptr) {
    EXPECT_EQ(std::sscanf(asked, "%dx%d", &size.processes, &size.steps), 2);
  }
  return size;
}

class CrowdTest : public OppTest {
 protected:
  void SetUp() override {
    this_host();  // before the first child
    for (const char* vendor : {"acme", "beta"}) {
      sources_.push_back(write_package(folder_.path() / vendor / "1", {.vendor = vendor}));
      sources_.push_back(
          write_package(folder_.path() / vendor / "2",
                        {.vendor = vendor, .version = "1.2.0", .plugin = "good_1_2"}));
    }
  }
  std::string any_vendor() { return random_() % 2 == 0 ? "acme" : "beta"; }
  InstallRequest any_source() {
    return {.source = sources_[random_() % sources_.size()],
            .opp = opp_,
            .force = random_() % 3 == 0,
            .probe = false,
            .lock_timeout = std::chrono::minutes(5)};
  }

  // Each says whether it went well or, by its code, why not.
  bool adds() { return good(install(any_source(), this_host()), {"OPK-INSTALL-002"}); }
  bool upgrades() {
    return good(upgrade(any_source(), this_host()),
                {"OPK-INSTALL-002", "OPK-INSTALL-006", "OPK-INSTALL-010"});
  }
  bool removes() {
    return good(uninstall({.opp = opp_,
                           .op = "AddRelu",
                           .version = random_() % 2 == 0 ? "1.2.0" : "",
                           .vendor = any_vendor(),
                           .all_versions = random_() % 2 == 0,
                           .lock_timeout = std::chrono::minutes(5)}),
                {"OPK-INSTALL-006", "OPK-INSTALL-007"});
  }
  bool rolls() {
    return good(rollback({.opp = opp_,
                          .op = "AddRelu",
                          .vendor = any_vendor(),
                          .undo = random_() % 2 == 0,
                          .lock_timeout = std::chrono::minutes(5)},
                         this_host()),
                {"OPK-INSTALL-006", "OPK-INSTALL-011"});
  }
  bool resolves() {
    return good(Registry(make_search_path(opp_, {}), this_host()).resolve({"AddRelu"}),
                {"OPK-REG-001"});
  }
  // What is leased stays whole, whatever becomes of its place.
  bool keeps() {
    const auto found = Registry(make_search_path(opp_, {}), this_host()).resolve({"AddRelu"});
    if (!found.ok()) return good(found, {"OPK-REG-001"});
    const PackageLease lease(found->package.root);
    for (int i = 0; lease.holds() && i < 5; ++i) {
      const PackageCheck check = lease.reading([](const fs::path& at) {
        return check_package(at, this_host(), {{}, "AddRelu", {}});
      });
      if (!check.usable()) return told(check.worst().error);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return true;
  }
  bool lists() {
    for (const Listed& each : Registry(make_search_path(opp_, {}), this_host()).list())
      for (const Error& reason : each.candidate.reasons)
        if (each.candidate.standing == Standing::kBroken) return told(reason);
    return true;
  }
  template <typename Answer>
  bool good(const Answer& answer, const Codes& explained) {
    return answer.ok() || explained.contains(answer.error().code) || told(answer.error());
  }
  bool told(const Error& error) {
    std::fprintf(stderr, "%s\n", error.to_string().c_str());
    return false;
  }
  bool step() {
    switch (random_() % 12) {
      case 0:
      case 1:
      case 2: return adds();
      case 3: return upgrades();
      case 4: return removes();
      case 5:
      case 6: return rolls();
      case 7: return lists();
      case 8:
      case 9: return keeps();
      default: return resolves();
    }
  }
  // Each vendor with a package has its place, and nobody else; nothing is under way or left.
  void expect_order() const {
    std::set<std::string> with_packages;
    for (const Listed& each : Registry(make_search_path(opp_, {}), this_host()).list()) {
      EXPECT_TRUE(each.candidate.reasons.empty()) << each.candidate.reasons.front().to_string();
      with_packages.insert(each.root.vendor);
    }
    const auto order = read_load_priority(opp_).vendors;
    EXPECT_EQ(std::set(order.begin(), order.end()), with_packages);
    EXPECT_FALSE(fs::exists(pending_file(opp_)));
    for (const auto& each : fs::directory_iterator(opp_ / kWorkFolder)) {
      const std::string name = each.path().filename();
      EXPECT_TRUE(name == "lock" || name == "reserve" || name == "rolled-back") << name;
    }
  }

  std::vector<fs::path> sources_;
  std::mt19937 random_;
};

TEST_F(CrowdTest, EveryErrorIsExplainedAndTheEndIsInOrder) {
  const CrowdSize size = crowd_size();
  std::vector<pid_t> children;
  for (int child = 0; child < size.processes; ++child) {
    children.push_back(::fork());
    if (children.back() != 0) continue;
    random_.seed(static_cast<unsigned>(child));
    int bad = 0;
    for (int i = 0; i < size.steps; ++i) bad += step() ? 0 : 1;
    ::_exit(bad == 0 ? 0 : 1);
  }
  for (const pid_t child : children) {
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  EXPECT_TRUE(OppLock::acquire(opp_, std::chrono::seconds(1)).ok());  // removes what was leased
  expect_order();
}

}  // namespace
}  // namespace opkit::registry
