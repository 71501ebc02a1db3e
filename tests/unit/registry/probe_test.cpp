#include "registry/probe.h"

#include <sys/resource.h>

#include "packages.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

class ProbeTest : public OppTest {
 protected:
  ProbeOptions remembering() const { return {.cache_dir = folder_.path() / "cache"}; }

  static void expect_refusal(const char* plugin, const char* code, const char* words,
                             const ProbeOptions& options = {}) {
    const auto facts = probe_library(fake_plugin(plugin), this_host(), options);
    ASSERT_FALSE(facts.ok()) << plugin;
    EXPECT_EQ(facts.error().code, code) << facts.error().to_string();
    EXPECT_NE(facts.error().message.find(words), std::string::npos) << facts.error().to_string();
    EXPECT_FALSE(facts.error().action.empty());
  }
};

TEST_F(ProbeTest, ReadsTheTablesOfAGoodPlugin) {
  const auto facts = probe_library(fake_plugin("good"), this_host());
  ASSERT_TRUE(facts.ok()) << facts.error().to_string();
  EXPECT_EQ(facts->abi, 1u);
  EXPECT_EQ(facts->op, "AddRelu");
  EXPECT_EQ(facts->version, "1.0.0");
  EXPECT_EQ(facts->sanitizer, this_host().sanitizer);
  EXPECT_TRUE(facts->tiles);
  EXPECT_EQ(facts->kernels,
            (std::vector<KernelEntry>{{"add_relu", 1u, 18446744073709551614u, "aiv"}}));
}

TEST_F(ProbeTest, EveryBadPluginIsRefusedWithItsReason) {
  expect_refusal("undefined", "OPK-PLUGIN-001", "function_that_nobody_has");
  expect_refusal("other_symbol", "OPK-PLUGIN-002", "does not export opkit_plugin_query");
  expect_refusal("null", "OPK-PLUGIN-003", "it wants a plugin ABI above 1");
  expect_refusal("small_header", "OPK-PLUGIN-004", "struct_size is 8");
  expect_refusal("abi_7", "OPK-PLUGIN-004", "it says ABI 7, this opkit serves 1 to 1");
  expect_refusal("no_ops", "OPK-PLUGIN-005", "it does not offer opkit.ops/1");
  expect_refusal("two_ops", "OPK-PLUGIN-005", "it holds 2 ops; a package holds one");
  expect_refusal("bad_kernel", "OPK-PLUGIN-005", "kernel 0 has no name or no entry");
  expect_refusal("no_fields", "OPK-PLUGIN-005", "tiling_fields is NULL");
  expect_refusal("many_fields", "OPK-PLUGIN-005", "4000000000 fields of tiling data");
  expect_refusal("nameless_field", "OPK-PLUGIN-005",
                 "field 0 of the tiling data is NULL or has no name");
}

TEST_F(ProbeTest, ACrashKillsOnlyTheChildAndNamesTheStep) {
  expect_refusal("crash", "OPK-PLUGIN-010", "while loading it (a static initialiser)");
  expect_refusal("crash_at_unload", "OPK-PLUGIN-010", "while unloading it (a static destructor)");
  expect_refusal("exit", "OPK-PLUGIN-010",
                 "ended the process with code 3 in a test process, while loading it (a static "
                 "initialiser); it said: licence not found");
}

TEST_F(ProbeTest, AHangIsEnded) {
  expect_refusal("hang", "OPK-PLUGIN-011", "did not answer within 300 ms",
                 {.time_limit = std::chrono::milliseconds(300)});
}

TEST_F(ProbeTest, WhenNoChildCanBeStartedThatIsSaid) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer wants descriptors where it looks at objects";
#endif
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  const rlimit none{3, limit.rlim_max};  // no descriptor is left for the pipes
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto facts = probe_library(fake_plugin("good"), this_host());
  setrlimit(RLIMIT_NOFILE, &limit);
  ASSERT_FALSE(facts.ok());
  EXPECT_EQ(facts.error().code, "OPK-PLUGIN-013");
  EXPECT_NE(facts.error().message.find("no child process could be started: "), std::string::npos);
}

TEST_F(ProbeTest, AVerdictIsRememberedByTheBytesOfTheLibrary) {
  const fs::path library = folder_.path() / "lib.so";
  fs::copy_file(fake_plugin("crash"), library);
  const auto probe = [&](bool again) {
    ProbeOptions options = remembering();
    options.again = again;
    const auto facts = probe_library(library, this_host(), options);
    return facts ? std::string("good") : facts.error().code;
  };
  EXPECT_EQ(probe(false), "OPK-PLUGIN-010");
  EXPECT_EQ(probe(false), "OPK-PLUGIN-012");
  EXPECT_EQ(probe(true), "OPK-PLUGIN-010");
  fs::copy_file(fake_plugin("good"), library, fs::copy_options::overwrite_existing);
  EXPECT_EQ(probe(false), "good");
  EXPECT_EQ(probe(false), "good");
  expect_refusal("crash", "OPK-PLUGIN-012", "in quarantine: the plugin", remembering());
}

TEST_F(ProbeTest, ARememberedVerdictEqualsTheProbe) {
  const auto first = probe_library(fake_plugin("good"), this_host(), remembering());
  const auto second = probe_library(fake_plugin("good"), this_host(), remembering());
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(first->kernels, second->kernels);
  EXPECT_EQ(first->contract_sha256, second->contract_sha256);
  EXPECT_EQ(first->op, second->op);
}

TEST_F(ProbeTest, ADamagedMemoryIsForgotten) {
  ASSERT_TRUE(probe_library(fake_plugin("good"), this_host(), remembering()).ok());
  for (const char* text : {"", "{", "[]", "{\"facts\": 5}", "{\"facts\": {\"abi\": -1}}"}) {
    for (const auto& entry : fs::directory_iterator(folder_.path() / "cache/probe")) {
      write_text(entry.path(), text);
    }
    EXPECT_TRUE(probe_library(fake_plugin("good"), this_host(), remembering()).ok()) << text;
  }
}

TEST_F(ProbeTest, TablesMustAgreeWithTheManifest) {
  const auto code = [&](const PackageSpec& spec) {
    const fs::path root = write_package(folder_.path() / "p", spec);
    const Package package{root, *load_manifest(root / "manifest.yaml")};
    const auto facts = probe_package(package, this_host());
    return facts ? std::string("good") : facts.error().code;
  };
  EXPECT_EQ(code({}), "good");
  EXPECT_EQ(code({.edit = [](Manifest& m) { m.abi = 0; }}), "OPK-PLUGIN-004");
  EXPECT_EQ(code({.plugin = "mul_add"}), "OPK-PLUGIN-006");
  EXPECT_EQ(code({.plugin = "good_1_2"}), "OPK-PLUGIN-006");
  EXPECT_EQ(code({.edit = [](Manifest& m) { m.contract_sha256[0] ^= 1; }}), "OPK-PLUGIN-007");
  EXPECT_EQ(code({.edit = [](Manifest& m) { m.kernels.clear(); }}), "OPK-PLUGIN-008");
  EXPECT_EQ(code({.edit = [](Manifest& m) { m.kernels[0].tiling_key = 3; }}), "OPK-PLUGIN-008");
  EXPECT_EQ(code({.plugin = "other_sanitizer"}), "OPK-PLUGIN-009");
}

TEST_F(ProbeTest, TheMessageOfADisagreementHasBothSides) {
  const fs::path root = write_package(folder_.path() / "p", {.plugin = "mul_add"});
  const Package package{root, *load_manifest(root / "manifest.yaml")};
  const Status status = check_facts(*probe_library(package.library_path(), this_host()), package);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().message, "the library's op is 'MulAdd', the manifest says 'AddRelu'");
  EXPECT_EQ(status.error().where.line, 5);
}

}  // namespace
}  // namespace opkit::registry
