#include "registry/trust.h"
#include "registry/change_trust.h"
#include "registry/package_form.h"

#include "packages.h"
#include "registry/install.h"
#include "registry/registry.h"
#include "registry/signature.h"
#include "registry/upgrade.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

class TrustTest : public OppTest {
 protected:
  // Signed unless the secret is empty.
  fs::path source(const PackageSpec& spec, const std::string& secret = {}) {
    const fs::path root =
        write_package(folder_.path() / ("source" + std::to_string(count_++)), spec);
    if (!secret.empty())
      write_text(root / kSignatureName,
                 *signature_file(root, *load_manifest(root / "manifest.yaml"), secret));
    return root;
  }
  // The code, or "new owner" or "installed". A refusal leaves the OPP and its trust as they were.
  std::string put(const fs::path& from, bool force = false) {
    const std::string before = fs::exists(opp_) ? snapshot(opp_) : "";
    const std::string trusted = to_text(trust());
    const auto report =
        install({.source = from, .opp = opp_, .force = force, .probe = false, .key_folder = keys_},
                this_host());
    if (report) return report->new_owner ? "new owner" : "installed";
    EXPECT_EQ(fs::exists(opp_) ? snapshot(opp_) : "", before) << report.error().to_string();
    EXPECT_EQ(to_text(trust()), trusted);
    EXPECT_FALSE(report.error().action.empty());
    return report.error().code;
  }
  Trust trust() const { return *load_trust(opp_); }
  void policy(TrustPolicy wanted) {
    ASSERT_TRUE(change_trust(opp_, [wanted](Trust& trust) {
                  trust.policy = wanted;
                  return Status();
                }).ok());
  }
  std::vector<Listed> listed() const {
    return Registry(make_search_path(opp_, {}), this_host()).list();
  }

  fs::path keys_ = folder_.path() / "keys";
  KeyPair acme_ = make_key_pair(), other_ = make_key_pair();
  int count_ = 0;
};

const PackageSpec kNext{.version = "1.2.0", .plugin = "good_1_2"};

TEST_F(TrustTest, TheFirstSignedPackageOwnsTheName) {
  EXPECT_EQ(put(source({})), "installed");
  EXPECT_EQ(put(source(kNext, acme_.secret)), "new owner");
  EXPECT_EQ(trust().owners.at("acme"), acme_.open);
  const PackageSpec last{.version = "1.10.0", .plugin = "good_1_10"};
  EXPECT_EQ(put(source(last, other_.secret)), "OPK-TRUST-004");
  EXPECT_EQ(put(source(last)), "OPK-TRUST-004");
  EXPECT_EQ(put(source(kNext, other_.secret), true), "OPK-TRUST-004");
  EXPECT_EQ(put(source(last, acme_.secret)), "installed");
  EXPECT_EQ(put(source({.vendor = "beta"}, other_.secret)), "new owner");
}

TEST_F(TrustTest, APolicyOfSignaturesTakesNothingElse) {
  policy(TrustPolicy::kSigned);
  EXPECT_EQ(put(source({})), "OPK-TRUST-005");
  EXPECT_EQ(put(source({}, acme_.secret)), "new owner");
}

TEST_F(TrustTest, APolicyOfKnownVendorsAsksTheUsersKeys) {
  policy(TrustPolicy::kKnownVendors);
  EXPECT_EQ(put(source({})), "OPK-TRUST-006");
  EXPECT_EQ(put(source({}, acme_.secret)), "OPK-TRUST-006");
  ASSERT_TRUE(KeyStore(keys_).add({"acme", acme_.open}).ok());
  EXPECT_EQ(put(source({}, other_.secret)), "OPK-TRUST-004");
  EXPECT_EQ(put(source({}, acme_.secret)), "new owner");
}

// Under every policy.
TEST_F(TrustTest, AKeyThatTheUserKnowsForbidsAnotherOne) {
  ASSERT_TRUE(KeyStore(keys_).add({"acme", acme_.open}).ok());
  EXPECT_EQ(put(source({}, other_.secret)), "OPK-TRUST-004");
  write_text(keys_ / "acme.pub", "damaged");
  EXPECT_EQ(put(source({}, acme_.secret)), "OPK-KEY-001");
}

TEST_F(TrustTest, NobodyTakesAnothersName) {
  EXPECT_EQ(put(source({.vendor = "built-in"})), "OPK-TRUST-007");
  EXPECT_EQ(put(source({.vendor = "built-in"}, acme_.secret)), "OPK-TRUST-007");
  EXPECT_EQ(put(source({.vendor = "Built_In"}, acme_.secret)), "OPK-TRUST-007");
  EXPECT_EQ(put(source({}, acme_.secret)), "new owner");
  EXPECT_EQ(put(source({.vendor = "Acme"}, other_.secret)), "OPK-TRUST-007");
  EXPECT_EQ(put(source({.vendor = "ac-me"})), "OPK-TRUST-007");
}

TEST_F(TrustTest, ThePlatformsNameIsGivenByHand) {
  ASSERT_TRUE(change_trust(opp_, [&](Trust& trust) {
                return pin(trust, {"built-in", acme_.open});
              }).ok());
  EXPECT_EQ(put(source({.vendor = "built-in"}, other_.secret)), "OPK-TRUST-004");
  EXPECT_EQ(put(source({.vendor = "built-in"}, acme_.secret)), "installed");
  EXPECT_TRUE(fs::exists(opp_ / "built-in/op_pkg/AddRelu/1.0.0/package.sig"));
  EXPECT_FALSE(fs::exists(opp_ / "vendors/config.ini"));
}

TEST_F(TrustTest, AnOwnerCanBeForgotten) {
  Trust trust;
  EXPECT_EQ(forget(trust, "acme").error().code, "OPK-TRUST-008");
  EXPECT_EQ(forget(trust, "..").error().code, "OPK-KEY-006");
  EXPECT_EQ(pin(trust, {"..", acme_.open}).error().code, "OPK-KEY-006");
  ASSERT_TRUE(pin(trust, {"acme", acme_.open}).ok());
  EXPECT_TRUE(forget(trust, "acme").ok());
}

// The package is in place already when the last step fails.
TEST_F(TrustTest, AFailedInstallationMakesNoOwner) {
  fs::create_directories(opp_ / "vendors/config.ini");
  EXPECT_EQ(put(source({}, acme_.secret)), "OPK-INSTALL-004");
  EXPECT_TRUE(trust().owners.empty());
}

TEST_F(TrustTest, WhatWasPutThereByHandIsTold) {
  EXPECT_EQ(put(source({}, acme_.secret)), "new owner");
  EXPECT_FALSE(listed().at(0).candidate.trust);
  EXPECT_EQ(listed().at(0).candidate.package->signer, acme_.open);
  fs::remove(opp_ / "vendors/acme/op_pkg/AddRelu/1.0.0/package.sig");
  ASSERT_TRUE(listed().at(0).candidate.trust);
  EXPECT_EQ(listed().at(0).candidate.trust->code, "OPK-TRUST-004");
  const Registry registry(make_search_path(opp_, {}), this_host());
  EXPECT_NE(registry.explain({"AddRelu"}).to_string().find("OPK-TRUST-004"), std::string::npos);
}

// Copied in by hand, past the installers.
TEST_F(TrustTest, AnEnforcedPolicyKeepsWhatItRefusesFromServing) {
  write_installed(opp_, {});
  write_installed(opp_, {.vendor = "beta"});
  write_text(opp_ / "vendors/config.ini", "load_priority=acme,beta\n");
  const auto resolved = [this](const Query& query = {"AddRelu"}) {
    return Registry(make_search_path(opp_, {}), this_host()).resolve(query);
  };
  EXPECT_TRUE(resolved().ok()) << "any takes it";
  policy(TrustPolicy::kSigned);
  const auto refused = resolved();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "OPK-REG-011");
  EXPECT_NE(refused.error().message.find("comes first but is refused: OPK-TRUST-005"),
            std::string::npos);
  EXPECT_EQ(refused.error().action, "sign it with `opkit sign`, or get it from its vendor");
  EXPECT_EQ(refused.error().op, "AddRelu");
  EXPECT_EQ(refused.error().where.file, (opp_ / "vendors/acme/op_pkg/AddRelu/1.0.0").string());
  EXPECT_EQ(resolved({"AddRelu", "", "", "beta"}).error().code, "OPK-REG-011");
  for (const Listed& each : listed()) EXPECT_EQ(each.candidate.standing, Standing::kRefused);
  const Registry registry(make_search_path(opp_, {}), this_host());
  const std::string why = registry.explain({"AddRelu"}).to_string();
  EXPECT_NE(why.find("refused    AddRelu 1.0.0 of acme"), std::string::npos) << why;
  policy(TrustPolicy::kAny);
  EXPECT_TRUE(resolved().ok());
}

TEST_F(TrustTest, ASignedPackageServesUnderEveryPolicy) {
  EXPECT_EQ(put(source({}, acme_.secret)), "new owner");
  for (const TrustPolicy each :
       {TrustPolicy::kAny, TrustPolicy::kSigned, TrustPolicy::kKnownVendors}) {
    policy(each);
    const Registry registry(make_search_path(opp_, {}), this_host());
    EXPECT_TRUE(registry.resolve({"AddRelu"}).ok()) << name_of(each);
  }
}

TEST_F(TrustTest, ARefusedOneOffersTheOneThatServes) {
  EXPECT_EQ(put(source({}, acme_.secret)), "new owner");
  policy(TrustPolicy::kSigned);
  write_installed(opp_, {.vendor = "beta", .version = "1.2.0", .plugin = "good_1_2"});
  write_text(opp_ / "vendors/config.ini", "load_priority=beta,acme\n");
  const Registry registry(make_search_path(opp_, {}), this_host());
  const auto refused = registry.resolve({"AddRelu"});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().action.find("or ask for AddRelu 1.0.0 of vendor acme"),
            std::string::npos);
  EXPECT_TRUE(registry.resolve({"AddRelu", "", "", "acme"}).ok());
}

// What the environment names is the user's own.
TEST_F(TrustTest, CustomPathsAreNotTheOpps) {
  policy(TrustPolicy::kSigned);
  write_package(folder_.path() / "mine/op_pkg/AddRelu/1.0.0");
  const Environment environment{(folder_.path() / "mine").string(), opp_.string()};
  EXPECT_TRUE(Registry(make_search_path({}, environment), this_host()).resolve({"AddRelu"}).ok());
}

TEST_F(TrustTest, ARollbackToWhatWouldNotServeIsRefused) {
  EXPECT_EQ(put(source({})), "installed");
  EXPECT_EQ(put(source(kNext, acme_.secret)), "new owner");
  policy(TrustPolicy::kSigned);
  const auto back = rollback({.opp = opp_, .op = "AddRelu"}, this_host());
  ASSERT_FALSE(back.ok());
  EXPECT_EQ(back.error().code, "OPK-TRUST-004");
  policy(TrustPolicy::kAny);
  EXPECT_TRUE(rollback({.opp = opp_, .op = "AddRelu"}, this_host()).ok());
}

TEST_F(TrustTest, TheFileIsReadStrictly) {
  Trust trust;
  trust.policy = TrustPolicy::kKnownVendors;
  trust.owners = {{"acme", acme_.open}, {"beta", other_.open}};
  const std::string good = to_text(trust);
  ASSERT_TRUE(parse_trust(good, "t").ok());
  EXPECT_TRUE(*parse_trust(good, "t") == trust);
  for (const std::string& bad :
       {std::string(), good + "x\n", good.substr(0, good.size() - 1),
        std::string("opkit trust 1\n"), std::string("opkit trust 1\npolicy none\n"),
        good + "owner acme " + acme_.open + "\n"})
    EXPECT_EQ(parse_trust(bad, "t").error().code, "OPK-TRUST-003") << bad;
}

TEST_F(TrustTest, ADamagedFileStopsInstallersAndIsToldBySearches) {
  ASSERT_EQ(put(source({}, acme_.secret)), "new owner");
  write_text(trust_file(opp_), "damaged");
  const auto report = install({.source = source(kNext), .opp = opp_, .probe = false}, this_host());
  ASSERT_FALSE(report.ok());
  EXPECT_EQ(report.error().code, "OPK-TRUST-003");
  const Registry registry(make_search_path(opp_, {}), this_host());
  ASSERT_EQ(registry.search_path().warnings.size(), 1u);
  EXPECT_EQ(registry.search_path().warnings[0].code, "OPK-TRUST-003");
  const auto unjudged = registry.resolve({"AddRelu"});
  ASSERT_FALSE(unjudged.ok()) << "nobody knows whom this OPP trusts";
  EXPECT_EQ(unjudged.error().code, "OPK-REG-011");
  EXPECT_NE(unjudged.error().message.find("OPK-TRUST-003"), std::string::npos);
  fs::remove(trust_file(opp_));
  fs::create_symlink("/dev/zero", trust_file(opp_));
  EXPECT_EQ(load_trust(opp_).error().code, "OPK-TRUST-003");
}

}  // namespace
}  // namespace opkit::registry
