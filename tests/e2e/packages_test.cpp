// Damaged packages get the right outcome and the right words; vendors live side by side; archives
// travel.
#include <sys/stat.h>

#include <fstream>

#include "built_project.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class Packages : public BuiltProject {};

TEST_F(Packages, ARemovedLibraryBreaksThePackage) {
  install();
  fs::remove(path(installed()) / "op_impl/libmy_fused.so");
  for (const std::string command : {"why", "run", "inspect"}) {
    const Shown shown = opkit({command, "MyFused"});
    EXPECT_EQ(shown.exit_code, 1) << command;
    EXPECT_THAT(shown.out + shown.err, AllOf(HasSubstr("OPK-PKG-001"), HasSubstr("libmy_fused.so")))
        << command;
  }
  EXPECT_THAT(opkit({"list"}).out, HasSubstr("broken"));
  EXPECT_EQ(opkit({"verify"}).exit_code, 1);
  EXPECT_EQ(opkit({"install", "my_fused", "--force"}).exit_code, 0);
  EXPECT_EQ(opkit({"verify"}).exit_code, 0);
}

TEST_F(Packages, ABrokenManifestIsRefusedWithItsPlace) {
  install();
  edit(installed() + "/manifest.yaml", "vendor:", "vendro:");
  const Shown shown = opkit({"why", "MyFused"});
  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_THAT(shown.out, AllOf(HasSubstr("OPK-MANIFEST-004"), HasSubstr("manifest.yaml:4:")));
}

TEST_F(Packages, ARaisedAbiNumberDoesNotFit) {
  install();
  edit(installed() + "/manifest.yaml", "abi: 1\n", "abi: 9\n");
  const Shown shown = opkit({"test", "MyFused"});
  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_THAT(shown.err, AllOf(HasSubstr("OPK-FIT-001"), HasSubstr("ABI 9")));
  EXPECT_THAT(opkit({"list"}).out, HasSubstr("unfit"));
}

TEST_F(Packages, AChangedLibraryIsNoticed) {
  install();
  std::ofstream(path(installed()) / "op_impl/libmy_fused.so", std::ios::app) << "x";
  const nlohmann::json verified = opkit_json({"verify"}, 1);
  EXPECT_EQ(verified["refused"], 1);
  EXPECT_EQ(verified["packages"][0]["findings"][0]["code"], "OPK-PKG-002");
}

TEST_F(Packages, AProjectIsAContractAndItsSources) {
  fs::remove(path("my_fused/CMakeLists.txt"));
  fs::remove_all(path("my_fused/build"));
  EXPECT_THAT(opkit({"build", "my_fused"}).out, HasSubstr("built MyFused 1.0.0 of customize"));
  EXPECT_EQ(opkit({"test", "my_fused", "--tier", "smoke"}).exit_code, 0);
  fs::remove_all(path("my_fused/op_kernel"));
  const Shown refused = opkit({"build", "my_fused"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("OPK-BUILD-001"), HasSubstr("it has no op_kernel")));
}

TEST_F(Packages, TwoVendorsLiveSideBySide) {
  install();
  edit("my_fused/CMakeLists.txt", "VENDOR acme", "VENDOR zenith");
  ASSERT_EQ(opkit({"build", "my_fused"}).exit_code, 0);
  install();
  EXPECT_THAT(opkit({"why", "MyFused"}).out,
              AllOf(HasSubstr("uses MyFused 1.0.0 of zenith"), HasSubstr("shadowed")));
  EXPECT_THAT(opkit({"why", "MyFused", "--vendor", "acme"}).out,
              HasSubstr("uses MyFused 1.0.0 of acme"));
  EXPECT_THAT(opkit({"uninstall", "MyFused"}).err, HasSubstr("OPK-INSTALL-007"));
  write("opp/vendors/config.ini", "load_priority=acme,zenith\n");
  EXPECT_THAT(opkit({"why", "MyFused"}).out, HasSubstr("uses MyFused 1.0.0 of acme"));
  EXPECT_EQ(opkit({"uninstall", "MyFused", "--vendor", "acme"}).exit_code, 0);
  EXPECT_THAT(opkit({"why", "MyFused"}).out, HasSubstr("uses MyFused 1.0.0 of zenith"));
}

TEST_F(Packages, AnArchiveTravels) {
  EXPECT_THAT(opkit({"pack", "my_fused"}).out, HasSubstr("MyFused-1.0.0-acme.opkg"));
  const std::string first = read("MyFused-1.0.0-acme.opkg");
  EXPECT_THAT(opkit({"pack", "my_fused"}).err, HasSubstr("OPK-NEW-003"));
  EXPECT_EQ(opkit({"pack", "my_fused", "other.opkg"}).exit_code, 0);
  EXPECT_EQ(read("other.opkg"), first);
  EXPECT_THAT(opkit({"inspect", "other.opkg"}).out, HasSubstr("MyFused"));
  EXPECT_EQ(opkit({"verify", "other.opkg"}).exit_code, 0);
  EXPECT_EQ(opkit({"run", "./other.opkg", "--shape", "x=8", "--shape", "y=8"}).exit_code, 0);
  EXPECT_EQ(opkit({"infer", "other.opkg", "--shape", "x=8", "--shape", "y=8"}).exit_code, 0);
  EXPECT_EQ(opkit({"install", "other.opkg"}).exit_code, 0);
  EXPECT_THAT(opkit({"why", "MyFused"}).out, HasSubstr("uses MyFused 1.0.0 of acme"));
}

TEST_F(Packages, ArchivesFollowLinksAndLeaveOtherFilesAlone) {
  EXPECT_EQ(opkit({"keys", "new", "acme"}).exit_code, 0);
  EXPECT_EQ(opkit({"pack", "my_fused", "real.opkg"}).exit_code, 0);
  fs::create_symlink("real.opkg", path("link.opkg"));
  const std::string plain = read("real.opkg");
  EXPECT_EQ(opkit({"sign", "link.opkg"}).exit_code, 0);
  EXPECT_TRUE(fs::is_symlink(path("link.opkg")));
  EXPECT_NE(read("real.opkg"), plain);
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  const Shown refused = opkit({"pack", "my_fused", "pipe", "--force"});
  EXPECT_EQ(refused.exit_code, 3) << refused.err;
  EXPECT_THAT(refused.err, HasSubstr("it is no file"));
  EXPECT_TRUE(fs::is_fifo(path("pipe")));
}

// The generator's whole sentence, and not what CMake makes of it.
TEST_F(Packages, AKernelOfAnotherNameIsToldInFull) {
  edit("my_fused/op_kernel/my_fused.cpp", "void my_fused(", "void your_fused(");
  const Shown shown = opkit({"build", "my_fused"});
  EXPECT_EQ(shown.exit_code, 1);
  EXPECT_THAT(shown.err, AllOf(HasSubstr("OPK-GEN-010"), HasSubstr("my_fused.cpp defines no")));
  EXPECT_THAT(shown.err, testing::ContainsRegex("defines no [^\n]*my_fused"));
}

TEST_F(Packages, AMovedProjectIsBuiltAgainCleanly) {
  fs::remove_all(path("my_fused"));
  fs::copy(*built_ / "my_fused", path("moved"), fs::copy_options::recursive);
  const Shown refused = opkit({"build", "moved"});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("try: opkit build moved --clean"));
  EXPECT_EQ(opkit({"build", "moved", "--clean"}).exit_code, 0);
}

TEST_F(Packages, SeveralOrNoPackagesAreSaid) {
  fs::create_directories(path("my_fused/build/more"));
  for (const std::string name : {"a", "b"}) {
    fs::copy(path("my_fused/build/package"), path("my_fused/build/more") / name,
             fs::copy_options::recursive);
  }
  fs::remove_all(path("my_fused/build/package"));
  fs::rename(path("my_fused/build/more"), path("my_fused/build/package"));
  EXPECT_THAT(opkit({"install", "my_fused"}).err,
              AllOf(HasSubstr("OPK-BUILD-006"), HasSubstr("package/a"), HasSubstr("package/b")));
  EXPECT_EQ(opkit({"install", "my_fused/build/package/b"}).exit_code, 0);
}

TEST_F(Packages, ABrokenConfigIsToldByEveryCommand) {
  install();
  write("opp/vendors/config.ini", "priority=acme\n");
  const std::vector<std::vector<std::string>> commands{
      {"run", "MyFused", "--shape", "x=8", "--shape", "y=8"},
      {"test", "MyFused", "--tier", "smoke"},
      {"infer", "MyFused", "--shape", "x=8", "--shape", "y=8"},
      {"list"},
      {"inspect", "MyFused"},
      {"verify"},
      {"why", "MyFused"},
      {"doctor"}};
  for (const auto& words : commands) {
    const Shown shown = opkit(words);
    EXPECT_THAT(shown.out + shown.err, HasSubstr("is not load_priority")) << words[0];
  }
  // These write the file anew.
  EXPECT_THAT(opkit({"install", "my_fused", "--force"}).err, HasSubstr("is not load_priority"));
  write("opp/vendors/config.ini", "priority=acme\n");
  EXPECT_THAT(opkit({"uninstall", "MyFused"}).err, HasSubstr("is not load_priority"));
}

TEST_F(Packages, ASignedPackageOwnsItsVendorsName) {
  EXPECT_THAT(opkit({"sign", "my_fused"}).err, HasSubstr("OPK-KEY-002"));
  EXPECT_THAT(opkit({"keys", "list"}).out, HasSubstr("no key is known"));
  const nlohmann::json key = opkit_json({"keys", "new", "acme"});
  EXPECT_EQ(opkit({"sign", "my_fused"}).exit_code, 0);
  EXPECT_EQ(opkit({"pack", "my_fused", "signed.opkg"}).exit_code, 0);
  for (const auto& entry : fs::recursive_directory_iterator(path("my_fused/build/package")))
    if (entry.path().filename() == "package.sig") fs::remove(entry.path());
  EXPECT_EQ(opkit({"pack", "my_fused", "plain.opkg"}).exit_code, 0);
  EXPECT_EQ(opkit({"pack", "my_fused", "also.opkg", "--sign"}).exit_code, 0);
  EXPECT_EQ(read("also.opkg"), read("signed.opkg"));
  EXPECT_EQ(opkit({"trust", "policy", "signed"}).exit_code, 0);
  EXPECT_THAT(opkit({"install", "plain.opkg"}).err, HasSubstr("OPK-TRUST-005"));
  EXPECT_EQ(opkit_json({"install", "signed.opkg"})["signed_by"], key["key"]);
  EXPECT_EQ(opkit_json({"trust", "show"})["owners"][0]["vendor"], "acme");
  EXPECT_EQ(opkit_json({"list"})["packages"][0]["signed_by"], key["key"]);
  EXPECT_EQ(opkit({"verify"}).exit_code, 0);
  fs::remove(path(installed()) / "package.sig");
  EXPECT_THAT(opkit({"list"}).out, HasSubstr("OPK-TRUST-004"));
  EXPECT_THAT(opkit({"why", "MyFused"}).out, HasSubstr("OPK-TRUST-004"));
  EXPECT_THAT(opkit({"doctor"}).out, HasSubstr("1 installed package would be refused"));
  const Shown verified = opkit({"verify"});
  EXPECT_EQ(verified.exit_code, 1);
  EXPECT_THAT(verified.out, HasSubstr("OPK-TRUST-004"));
  EXPECT_EQ(opkit({"sign", "plain.opkg"}).exit_code, 0);
  EXPECT_EQ(read("plain.opkg"), read("signed.opkg"));
  EXPECT_EQ(opkit({"install", "plain.opkg", "--force"}).exit_code, 0);
  EXPECT_EQ(opkit({"trust", "forget", "acme"}).exit_code, 0);
  EXPECT_THAT(opkit({"keys", "remove", "acme"}).err, HasSubstr("OPK-KEY-004"));
  EXPECT_EQ(opkit({"keys", "remove", "acme", "--force"}).exit_code, 0);
}

TEST_F(Packages, UpgradesGoBackAndLocksNoticeIt) {
  install();
  const std::vector<std::string> run = {"run",     "MyFused@^1.0", "--shape", "x=8",
                                        "--shape", "y=8",          "--locked"};
  EXPECT_THAT(opkit(run).err, HasSubstr("OPK-LOCK-001"));
  EXPECT_EQ(opkit_json({"lock"})["packages"][0]["version"], "1.0.0");
  EXPECT_EQ(opkit(run).exit_code, 0);
  EXPECT_THAT(opkit({"upgrade", "my_fused"}).err, HasSubstr("OPK-INSTALL-010"));
  edit("my_fused/op_contract.yaml", "version: \"1.0.0\"", "version: \"1.1.0\"");
  ASSERT_EQ(opkit({"build", "my_fused"}).exit_code, 0);
  EXPECT_THAT(opkit({"upgrade", "my_fused"}).out, HasSubstr("kept: 1.0.0"));
  const Shown refused = opkit(run);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("OPK-LOCK-002"), HasSubstr("1.1.0 of"), HasSubstr("1.0.0 of")));
  EXPECT_THAT(opkit({"why", "MyFused@~1.0"}).out, HasSubstr("uses MyFused 1.0.0"));
  EXPECT_THAT(opkit({"why", "MyFused@newest"}).out, HasSubstr("OPK-VERSION-002"));
  EXPECT_EQ(opkit_json({"rollback", "MyFused"})["to"], "1.0.0");
  EXPECT_EQ(opkit(run).exit_code, 0);
  EXPECT_EQ(opkit_json({"rollback", "MyFused", "--undo"})["to"], "1.1.0");
  EXPECT_THAT(opkit({"why", "MyFused"}).out, HasSubstr("uses MyFused 1.1.0"));
}

TEST_F(Packages, TheSameVersionIsReplacedOnlyByForce) {
  install();
  const Shown again = opkit({"install", "my_fused"});
  EXPECT_EQ(again.exit_code, 1);
  EXPECT_THAT(again.err, HasSubstr("--force"));
  EXPECT_THAT(opkit({"install", "my_fused", "--force"}).out, HasSubstr("replaced"));
}

}  // namespace
}  // namespace opkit::e2e
