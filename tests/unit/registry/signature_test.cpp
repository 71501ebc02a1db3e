#include "registry/signature.h"
#include "registry/package_form.h"

#include "opkit/base/digest.h"
#include "packages.h"
#include "registry/archive.h"
#include "registry/ed25519.h"
#include "registry/package.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

// The first vector of RFC 8032, 7.1.
constexpr const char* kSecret = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
constexpr const char* kOpen = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
constexpr const char* kSignatureOfNothing =
    "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b4"
    "6bd25bf5f0595bbe24655141438e7a100b";

TEST(Ed25519, GivesTheStandardsAnswer) {
  EXPECT_EQ(open_key_of(kSecret), kOpen);
  EXPECT_EQ(sign("", kSecret), kSignatureOfNothing);
  EXPECT_TRUE(is_signature("", kSignatureOfNothing, kOpen));
}

TEST(Ed25519, RefusesEverythingElse) {
  std::string other = kSignatureOfNothing;
  other[0] = 'f';
  EXPECT_FALSE(is_signature("", other, kOpen));
  EXPECT_FALSE(is_signature("x", kSignatureOfNothing, kOpen));
  EXPECT_FALSE(is_signature("", kSignatureOfNothing, make_key_pair().open));
  EXPECT_FALSE(is_signature("", kSignatureOfNothing, std::string(64, '0')));  // is of small order
  EXPECT_FALSE(is_signature("", std::string(127, '0'), kOpen));
  EXPECT_FALSE(is_signature("", kSignatureOfNothing, "D75A"));
}

class SignatureTest : public OppTest {
 protected:
  SignatureTest() { write_text(root_ / kSignatureName, signed_now()); }
  std::string signed_now() const {
    return *signature_file(root_, *load_manifest(root_ / kManifestName), kSecret);
  }
  // The code of the only finding, or the signer.
  std::string judged() const {
    const PackageCheck check = check_package(root_, this_host());
    return check.usable() ? check.package.signer : check.worst().error.code;
  }

  fs::path root_ = write_package(folder_.path() / "package");
};

TEST_F(SignatureTest, TheSignedTextIsWhatTheDocumentationSays) {
  const Manifest m = *load_manifest(root_ / kManifestName);
  EXPECT_EQ(signed_text(m, "00"),
            "opkit package 1\nvendor acme\nop AddRelu\nversion 1.0.0\n" +
                *sha256_file(root_ / "docs/readme.md") + "  docs/readme.md\n00  manifest.yaml\n" +
                *sha256_file(root_ / m.library_file) + "  op_impl/libadd_relu.so\n" +
                *sha256_file(root_ / m.contract_file) + "  op_proto/op_contract.yaml\n");
}

TEST_F(SignatureTest, AnIntactPackageTellsItsSigner) {
  EXPECT_EQ(judged(), kOpen);
  fs::remove(root_ / kSignatureName);
  EXPECT_EQ(judged(), "");
}

TEST_F(SignatureTest, EveryChangedFileBreaksIt) {
  write_text(root_ / "docs/readme.md", "other words");
  EXPECT_EQ(judged(), "OPK-PKG-002");
  declare_files(root_);  // a manifest that agrees again is not the one that was signed
  EXPECT_EQ(judged(), "OPK-TRUST-002");
  write_text(root_ / kSignatureName, signed_now());
  EXPECT_EQ(judged(), kOpen);
}

TEST_F(SignatureTest, TheSignatureOfAnotherPackageIsNone) {
  const fs::path other = write_package(folder_.path() / "other", {.vendor = "beta"});
  fs::copy_file(root_ / kSignatureName, other / kSignatureName);
  EXPECT_EQ(check_package(other, this_host()).worst().error.code, "OPK-TRUST-002");
}

TEST_F(SignatureTest, MalformedFilesAreRefused) {
  const std::string good = read_text(root_ / kSignatureName);
  EXPECT_TRUE(parse_signature(good, "s").ok());
  for (const std::string& bad :
       {std::string(), good + "\n", good.substr(1), good.substr(0, good.size() - 1),
        std::string(5000, 'a'), "\xef\xbb\xbf" + good, "opkit signature 2" + good.substr(17)}) {
    const auto read = parse_signature(bad, "s");
    ASSERT_FALSE(read.ok()) << bad;
    EXPECT_EQ(read.error().code, "OPK-TRUST-001");
  }
  write_text(root_ / kSignatureName, "no signature");
  EXPECT_EQ(judged(), "OPK-TRUST-001");
}

TEST_F(SignatureTest, AnArchiveCarriesItAndStaysTheSame) {
  const fs::path file = folder_.path() / "p.opkg", again = folder_.path() / "q.opkg";
  ASSERT_TRUE(pack(root_, file).ok());
  const std::string text = signed_now();
  fs::remove(root_ / kSignatureName);
  ASSERT_TRUE(pack(root_, again, text).ok());
  EXPECT_EQ(read_text(again), read_text(file));
  EXPECT_FALSE(fs::exists(root_ / kSignatureName));
  ASSERT_TRUE(unpack(again, folder_.path() / "out").ok());
  EXPECT_EQ(check_package(folder_.path() / "out", this_host()).package.signer, kOpen);
}

}  // namespace
}  // namespace opkit::registry
