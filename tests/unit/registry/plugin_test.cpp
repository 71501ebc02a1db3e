#include "registry/plugin.h"

#include <dlfcn.h>

#include <vector>

#include "packages.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

class PluginTest : public OppTest {
 protected:
  Package package(const PackageSpec& spec = {}, const std::string& name = "p") {
    const fs::path root = write_package(folder_.path() / name, spec);
    return {root, *load_manifest(root / "manifest.yaml")};
  }
  static bool is_loaded(const Package& package) {
    void* handle = dlopen(package.library_path().c_str(), RTLD_NOW | RTLD_NOLOAD);
    if (handle != nullptr) dlclose(handle);
    return handle != nullptr;
  }
};

TEST_F(PluginTest, ALeaseKeepsTheLibraryAndTheLastOneUnloadsIt) {
  const Package p = package();
  {
    auto first = Plugin::load(p, this_host());
    ASSERT_TRUE(first.ok()) << first.error().to_string();
    EXPECT_STREQ(first->op().type, "AddRelu");
    EXPECT_EQ(first->header().abi, OPK_ABI_VERSION);
    EXPECT_EQ(first->package().to_string(), "AddRelu 1.0.0 of acme");
    auto copy = std::make_unique<Plugin>(*first);
    auto second = std::make_unique<Plugin>(*Plugin::load(p, this_host()));
    first = Error("", "");
    EXPECT_TRUE(is_loaded(p));
    copy.reset();
    EXPECT_TRUE(is_loaded(p));
    EXPECT_STREQ(second->op().kernels[0]->name, "add_relu");
  }
  EXPECT_FALSE(is_loaded(p));
}

TEST_F(PluginTest, SeveralVersionsLiveSideBySideInAnyOrder) {
  const Package one = package({}, "one");
  const Package two = package({.version = "1.2.0", .plugin = "good_1_2"}, "two");
  for (int order = 0; order < 2; ++order) {
    std::vector<Plugin> leases;
    leases.push_back(*Plugin::load(one, this_host()));
    leases.push_back(*Plugin::load(two, this_host()));
    EXPECT_STREQ(leases[0].header().version, "1.0.0");
    EXPECT_STREQ(leases[1].header().version, "1.2.0");
    leases.erase(leases.begin() + order);
    EXPECT_STREQ(leases[0].header().version, order == 0 ? "1.2.0" : "1.0.0");
  }
  EXPECT_FALSE(is_loaded(one) || is_loaded(two));
}

// Replacing the file leaves a running lease on the old code; the next load sees the new one.
TEST_F(PluginTest, AReplacedPackageServesTheNextLoad) {
  const Package old = package();
  const Plugin lease = *Plugin::load(old, this_host());
  fs::rename(old.root, folder_.path() / "aside");
  const Package fresh = package({.version = "1.2.0", .plugin = "good_1_2"});
  const Plugin next = *Plugin::load(fresh, this_host());
  EXPECT_STREQ(lease.header().version, "1.0.0");
  EXPECT_STREQ(next.header().version, "1.2.0");
}

// Same version, same contract, other code: only the file tells them apart.
TEST_F(PluginTest, AReplacementOfTheSameVersionIsNotMistakenForTheLoadedOne) {
  const Package old = package();
  const Plugin lease = *Plugin::load(old, this_host());
  fs::rename(old.root, folder_.path() / "aside");
  const Package fresh = package();
  auto next = Plugin::load(fresh, this_host());
  ASSERT_TRUE(next.ok()) << next.error().to_string();
  EXPECT_NE(&lease.op(), &next->op());
  const Plugin again = *Plugin::load(fresh, this_host());
  EXPECT_EQ(&again.op(), &next->op());
}

TEST_F(PluginTest, NothingIsLoadedBeforeTheChecks) {
  const Package p = package({.edit = [](Manifest& m) { m.abi = 5; }});
  const auto plugin = Plugin::load(p, this_host());
  ASSERT_FALSE(plugin.ok());
  EXPECT_EQ(plugin.error().code, "OPK-FIT-001");
  EXPECT_FALSE(is_loaded(p));
}

// The manifest in memory is old: the file on the disk is what counts.
TEST_F(PluginTest, AFileChangedAfterResolutionIsNoticed) {
  const Package p = package();
  write_text(p.library_path(), read_text(fake_plugin("crash")));
  const auto plugin = Plugin::load(p, this_host());
  ASSERT_FALSE(plugin.ok());
  EXPECT_EQ(plugin.error().code, "OPK-PKG-002");
}

TEST_F(PluginTest, ACrashingPluginLeavesTheHostAlive) {
  for (const char* name : {"crash", "exit", "crash_at_unload"}) {
    const Package p = package({.plugin = name});
    const auto plugin = Plugin::load(p, this_host());
    ASSERT_FALSE(plugin.ok());
    EXPECT_EQ(plugin.error().code, "OPK-PLUGIN-010");
    EXPECT_EQ(plugin.error().op, "AddRelu");
    EXPECT_FALSE(is_loaded(p));
  }
}

TEST_F(PluginTest, WithoutAProbeTheTablesAreStillCompared) {
  for (const auto& [name, code] :
       {std::pair("mul_add", "OPK-PLUGIN-006"), std::pair("null", "OPK-PLUGIN-003"),
        std::pair("undefined", "OPK-PLUGIN-001")}) {
    const Package p = package({.plugin = name});
    const auto plugin = Plugin::load(p, this_host(), {.probe = false});
    ASSERT_FALSE(plugin.ok()) << name;
    EXPECT_EQ(plugin.error().code, code);
    EXPECT_FALSE(is_loaded(p));
  }
}

}  // namespace
}  // namespace opkit::registry
