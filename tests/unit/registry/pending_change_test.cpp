#include "registry/pending_change.h"
#include "registry/load_priority.h"
#include "registry/opp_lock.h"

#include "packages.h"
#include "registry/install.h"
#include "registry/opp_layout.h"
#include "registry/registry.h"
#include "registry/search_path.h"
#include "registry/trust.h"
#include "registry/upgrade.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;
using Order = PendingChange::Order;
using Texts = std::vector<std::string>;

const std::string kKey(64, 'a');

class PendingChangeTest : public OppTest {
 protected:
  // A package of beta arrives at an OPP with one of acme; the directory is not moved yet.
  fs::path begin_arrival(Order order = Order::kFirst, const std::string& owner = kKey) {
    write_installed(opp_);
    write_text(opp_ / "vendors/config.ini", "load_priority=acme\n");
    fs::create_directories(opp_ / kWorkFolder);
    const fs::path fresh = write_package(folder_.path() / "beta", {.vendor = "beta"});
    const PendingChange change{"beta", "AddRelu", "1.0.0", true, order, owner};
    EXPECT_TRUE(begin_change(opp_, change, fresh).ok());
    return fresh;
  }
  void move_in(const fs::path& fresh) {
    const fs::path place = package_folder(opp_, "beta", "AddRelu", "1.0.0");
    fs::create_directories(place.parent_path());
    fs::rename(fresh, place);
  }
  Texts order() const { return read_load_priority(opp_).vendors; }
  std::map<std::string, std::string> owners() const { return load_trust(opp_)->owners; }
  Status next_installer() const {
    OPKIT_TRY(const OppLock lock, OppLock::acquire(opp_, std::chrono::seconds(1)));
    return {};
  }
};

TEST_F(PendingChangeTest, ATextReadsBack) {
  const PendingChange all[] = {{"acme", "AddRelu", "1.0.0", true, Order::kFirst, kKey, 7},
                               {"built-in", "Add", "", false, Order::kOut, "", ~uint64_t{0}},
                               {"a b", "Add", "odd name", false}};
  for (const PendingChange& change : all) {
    const auto again = parse_pending(to_text(change), "p");
    ASSERT_TRUE(again.ok()) << to_text(change);
    EXPECT_EQ(*again, change);
  }
}

TEST_F(PendingChangeTest, DamagedTextsAreRefused) {
  const std::string good = to_text({"acme", "AddRelu", "1.0.0", true, Order::kFirst, kKey, 7});
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  for (const std::string& bad :
       {std::string(), std::string("opkit pending 1\n"), good.substr(0, good.size() - 1),
        good + "more\n", with("pending 1", "pending 2"), with("acme", ".."), with("acme", "a/b"),
        with("AddRelu", "."), with("AddRelu", ""), with("1.0.0", "../1"), with("arrives", "flies"),
        with("first", "last"), with(kKey, "abc"), with("inode 7", "inode 07"),
        with("inode 7", "inode -1"), with("inode 7", "inode 18446744073709551616"),
        with("op Add", "opAdd"), with("acme", "a b")}) {
    const auto read = parse_pending(bad, "p");
    ASSERT_FALSE(read.ok()) << bad;
    EXPECT_EQ(read.error().code, "OPK-INSTALL-012");
    EXPECT_EQ(read.error().where.file, "p");
  }
}

TEST_F(PendingChangeTest, AnotherFormIsNotTakenForDamaged) {
  const auto read = parse_pending("opkit pending 2\nwhat comes one day\n", "p");
  ASSERT_FALSE(read.ok());
  EXPECT_EQ(read.error().code, "OPK-INSTALL-012");
  EXPECT_NE(read.error().message.find("of another opkit's form"), std::string::npos);
  EXPECT_NE(read.error().action.find("let the opkit that wrote it"), std::string::npos);
}

// An owner that was written although its package did not come: readers see none.
TEST_F(PendingChangeTest, AnOwnerComesAndGoesWithItsPackage) {
  begin_arrival();
  ASSERT_TRUE(save_trust(opp_, {TrustPolicy::kAny, {{"beta", kKey}}}).ok());
  EXPECT_TRUE(owners().empty());
  EXPECT_TRUE(next_installer().ok());
  EXPECT_FALSE(fs::exists(trust_file(opp_)));
}

TEST_F(PendingChangeTest, BeforeTheMoveNothingIsSeenAndAllIsTakenBack) {
  begin_arrival();
  EXPECT_EQ(order(), Texts{"acme"});
  EXPECT_TRUE(owners().empty());
  EXPECT_EQ(made_change(opp_), std::nullopt);
  EXPECT_TRUE(next_installer().ok());
  EXPECT_EQ(order(), Texts{"acme"});
  EXPECT_FALSE(fs::exists(pending_file(opp_)));
}

TEST_F(PendingChangeTest, FromTheMoveOnAllIsSeenAndThenWritten) {
  move_in(begin_arrival());
  for (const bool settled : {false, true}) {
    EXPECT_TRUE(!settled || next_installer().ok());
    EXPECT_EQ(fs::exists(pending_file(opp_)), !settled);
    EXPECT_EQ(order(), (Texts{"beta", "acme"}));
    EXPECT_EQ(owners().at("beta"), kKey);
  }
  EXPECT_EQ(read_text(opp_ / "vendors/config.ini"), "load_priority=beta,acme\n");
  EXPECT_NE(read_text(trust_file(opp_)).find("owner beta " + kKey), std::string::npos);
}

TEST_F(PendingChangeTest, AMoveThatWasTakenBackTakesItsOwnerBack) {
  begin_arrival();
  ASSERT_TRUE(save_trust(opp_, {TrustPolicy::kAny, {{"beta", kKey}, {"acme", kKey}}}).ok());
  EXPECT_TRUE(next_installer().ok());
  EXPECT_EQ(owners(), (std::map<std::string, std::string>{{"acme", kKey}}));
}

TEST_F(PendingChangeTest, ALeavingVendorIsNotSearched) {
  write_installed(opp_);
  write_text(opp_ / "vendors/config.ini", "load_priority=acme,beta\n");
  fs::create_directories(opp_ / kWorkFolder);
  const fs::path place = package_folder(opp_, "acme", "AddRelu", "1.0.0");
  ASSERT_TRUE(begin_change(opp_, {"acme", "AddRelu", "1.0.0", false, Order::kOut}, place).ok());
  EXPECT_EQ(order(), (Texts{"acme", "beta"}));
  fs::rename(place, folder_.path() / "gone");
  EXPECT_EQ(order(), Texts{"beta"});
  EXPECT_TRUE(make_search_path(opp_, {}).unlisted.empty()) << "an empty folder is nobody's";
  EXPECT_TRUE(next_installer().ok());
  EXPECT_EQ(order(), Texts{"beta"});
  EXPECT_FALSE(fs::exists(opp_ / "vendors/acme"));
}

TEST_F(PendingChangeTest, ADamagedFileStopsInstallersAndNotReaders) {
  begin_arrival();
  write_text(pending_file(opp_), "nonsense");
  EXPECT_EQ(order(), Texts{"acme"});
  EXPECT_TRUE(load_trust(opp_).ok());
  const Status refused = next_installer();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, "OPK-INSTALL-012");
  EXPECT_EQ(refused.error().where.file, pending_file(opp_).string());
  fs::remove(pending_file(opp_));
  fs::create_directory(pending_file(opp_));
  EXPECT_EQ(next_installer().error().code, "OPK-INSTALL-012");
}

TEST_F(PendingChangeTest, NoChangeLeadsThroughALink) {
  begin_arrival();
  fs::create_directory(folder_.path() / "elsewhere");
  fs::create_directory_symlink(folder_.path() / "elsewhere", opp_ / "vendors/beta");
  EXPECT_EQ(next_installer().error().code, "OPK-PKG-013");
  EXPECT_TRUE(fs::exists(folder_.path() / "elsewhere"));
}

TEST_F(PendingChangeTest, ARollbackThatFailsKeepsTheEarlierCopy) {
  const auto add = [&](const std::string& version, const std::string& plugin) {
    const fs::path from =
        write_package(folder_.path() / plugin, {.version = version, .plugin = plugin});
    return install({.source = from, .opp = opp_, .probe = false}, this_host()).ok();
  };
  ASSERT_TRUE(add("1.0.0", "good") && add("1.2.0", "good_1_2"));
  const fs::path parked = parked_op(opp_, "acme", "AddRelu") / "1.2.0";
  write_text(parked / "earlier", "kept");
  const PendingChange change{"acme", "AddRelu", "1.2.0", false};
  ASSERT_TRUE(begin_change(opp_, change, change.place(opp_)).ok());
  fs::rename(parked, earlier_copy(opp_));
  EXPECT_TRUE(next_installer().ok());
  EXPECT_EQ(read_text(parked / "earlier"), "kept");
  ASSERT_TRUE(rollback({.opp = opp_, .op = "AddRelu"}, this_host()).ok());
  EXPECT_FALSE(fs::exists(parked / "earlier"));
  EXPECT_TRUE(fs::exists(parked / "manifest.yaml"));
  EXPECT_FALSE(fs::exists(earlier_copy(opp_)));
}

}  // namespace
}  // namespace opkit::registry
