#include "packages.h"
#include "registry/install.h"
#include "registry/package.h"
#include "registry/package_form.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

class SealTest : public OppTest {
 protected:
  // A package as the build leaves it: everything but the manifest.
  fs::path built(const PackageSpec& spec = {}) {
    const fs::path root = write_package(folder_.path() / "built", spec);
    fs::remove(root / kManifestName);
    return root;
  }
  static std::string refusal(const SealRequest& request) {
    const auto manifest = seal(request);
    return manifest ? "sealed" : manifest.error().code + ": " + manifest.error().message;
  }
};

TEST_F(SealTest, ASealedPackageIsComplete) {
  const fs::path root = built();
  const auto manifest = seal({root, "acme", "0.1.0"});
  ASSERT_TRUE(manifest.ok()) << manifest.error().to_string();
  EXPECT_EQ(manifest->op, "AddRelu");
  EXPECT_EQ(manifest->library_file, "op_impl/libadd_relu.so");
  EXPECT_EQ(manifest->socs, (std::vector<std::string>{"Ascend910B", "Ascend310B4"}));
  EXPECT_EQ(manifest->kernels.size(), 1u);
  EXPECT_TRUE(check_package(root, this_host()).usable());
  EXPECT_TRUE(install({.source = root, .opp = opp_}, this_host()).ok());
}

TEST_F(SealTest, WhatIsMissingIsNamed) {
  fs::path root = built();
  fs::remove(root / "op_impl/libadd_relu.so");
  EXPECT_NE(refusal({root, "acme", "0.1.0"})
                .find("OPK-PKG-008: the package is not complete: there "
                      "is no op_impl/*.so"),
            std::string::npos);
  root = built();
  fs::copy_file(fake_plugin("good"), root / "op_impl/libother.so");
  EXPECT_NE(refusal({root, "acme", "0.1.0"})
                .find("several libraries: op_impl/libadd_relu.so, "
                      "op_impl/libother.so"),
            std::string::npos);
  fs::remove(root / "op_impl/libother.so");
  fs::remove(root / "op_proto/op_contract.yaml");
  EXPECT_NE(refusal({root, "acme", "0.1.0"}).find("OPK-PKG-005"), std::string::npos);
}

TEST_F(SealTest, WithoutATilingFunctionNothingCouldRun) {
  const fs::path root = built({.plugin = "no_tiling"});
  const auto sealed = seal({root, "acme", "0.1.0", "/home/me/add_relu/op_contract.yaml"});
  ASSERT_FALSE(sealed.ok());
  EXPECT_EQ(sealed.error().code, "OPK-PKG-010");
  EXPECT_EQ(sealed.error().where.file, "/home/me/add_relu/op_contract.yaml");
  EXPECT_EQ(sealed.error().where.line, 1);
  EXPECT_EQ(sealed.error().action, "write IMPL_OP_OPTILING(AddRelu).Tiling(function) in op_host");
}

TEST_F(SealTest, AnAicpuOpNeedsItsClass) {
  const fs::path root = built({.plugin = "no_class"});
  write_text(root / kContractFile,
             read_text(root / kContractFile) + "kernel: {task_type: aicpu}\n");
  EXPECT_EQ(refusal({root, "acme", "0.1.0"}),
            "OPK-PKG-014: the contract says that AddRelu runs on the AICPU, and no source has "
            "REGISTER_CPU_KERNEL for \"AddRelu\"");
}

TEST(SealKeys, TheContractsKeysMustHaveBeenBuilt) {
  std::vector<KernelEntry> kernels(2);
  kernels[0].tiling_key = 1;
  kernels[1].tiling_key = 20;
  EXPECT_TRUE(check_tiling_keys({20, 1}, kernels).ok());
  const Status refused = check_tiling_keys({1, 9}, kernels);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "OPK-PKG-009");
  EXPECT_NE(refused.error().message.find("tiling key 9, for which no kernel was built; keys built: "
                                         "1, 20"),
            std::string::npos);
  kernels[1].tiling_key.reset();
  EXPECT_TRUE(check_tiling_keys({9}, kernels).ok());
}

TEST_F(SealTest, AContractOfAnotherBuildIsNoticed) {
  EXPECT_NE(refusal({built({.version = "1.2.0"}), "acme", "0.1.0"}).find("OPK-PLUGIN-006"),
            std::string::npos);
  const fs::path root = built();
  write_text(root / kContractFile, read_text(root / kContractFile) + "# edited\n");
  EXPECT_NE(refusal({root, "acme", "0.1.0"}).find("OPK-PLUGIN-007"), std::string::npos);
}

TEST_F(SealTest, ABadVendorNameIsRefusedBeforeAnythingIsWritten) {
  const fs::path root = built();
  EXPECT_NE(refusal({root, "a/b", "0.1.0"}).find("OPK-MANIFEST-005"), std::string::npos);
  EXPECT_FALSE(fs::exists(root / kManifestName));
}

}  // namespace
}  // namespace opkit::registry
