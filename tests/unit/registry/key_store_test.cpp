#include "registry/key_store.h"

#include <sys/stat.h>

#include "packages.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

class KeyStoreTest : public OppTest {
 protected:
  std::string code(const Status& status) { return status ? "good" : status.error().code; }

  fs::path keys_ = folder_.path() / "config/keys";
  KeyStore store_{keys_};
};

TEST_F(KeyStoreTest, AMadeKeySignsAndOnlyItsUserCanReadTheSecret) {
  const auto key = store_.make("acme");
  ASSERT_TRUE(key.ok()) << key.error().to_string();
  struct stat facts = {};
  ASSERT_EQ(::stat((keys_ / "acme.key").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
  const auto secret = store_.secret("acme");
  ASSERT_TRUE(secret.ok());
  EXPECT_EQ(open_key_of(*secret), key->key);
  EXPECT_EQ(**store_.find("acme"), key->key);
  EXPECT_EQ(read_text(keys_ / "acme.pub").find(*secret), std::string::npos);
  ASSERT_EQ(store_.list().size(), 1u);
  EXPECT_TRUE(store_.list()[0].has_secret);
}

TEST_F(KeyStoreTest, AKeyIsNeverReplaced) {
  const auto first = store_.make("acme");
  EXPECT_EQ(store_.make("acme").error().code, "OPK-KEY-004");
  EXPECT_EQ(code(store_.add({"acme", make_key_pair().open})), "OPK-KEY-004");
  EXPECT_EQ(code(store_.add(*first)), "good");
  EXPECT_EQ(code(store_.remove("acme")), "good");
  EXPECT_EQ(code(store_.remove("acme")), "OPK-KEY-002");
  EXPECT_EQ(store_.secret("acme").error().code, "OPK-KEY-002");
  EXPECT_FALSE(store_.find("acme")->has_value());
}

TEST_F(KeyStoreTest, ASecretThatOthersCanReadIsNotUsed) {
  ASSERT_TRUE(store_.make("acme").ok());
  ASSERT_EQ(::chmod((keys_ / "acme.key").c_str(), 0640), 0);
  EXPECT_EQ(store_.secret("acme").error().code, "OPK-KEY-003");
  fs::remove(keys_ / "acme.key");
  fs::create_symlink("/dev/zero", keys_ / "acme.key");
  EXPECT_EQ(store_.secret("acme").error().code, "OPK-KEY-001");
}

TEST_F(KeyStoreTest, ForeignKeysAreKnownWithoutASecret) {
  const VendorKey key{"beta", make_key_pair().open};
  write_text(folder_.path() / "beta.pub", to_text(key));
  const auto read = read_vendor_key(folder_.path() / "beta.pub");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(code(store_.add(*read)), "good");
  ASSERT_EQ(store_.list().size(), 1u);
  EXPECT_FALSE(store_.list()[0].has_secret);
  EXPECT_EQ(store_.secret("beta").error().code, "OPK-KEY-002");
}

TEST_F(KeyStoreTest, MalformedFilesAndNamesAreRefused) {
  const std::string good = to_text(VendorKey{"acme", make_key_pair().open});
  ASSERT_TRUE(parse_vendor_key(good, "k").ok());
  for (const std::string& bad : {std::string(), good + "x", good.substr(0, good.size() - 2),
                                 "opkit key 1\nvendor ../x\nkey " + good.substr(good.size() - 65)})
    EXPECT_EQ(parse_vendor_key(bad, "k").error().code, "OPK-KEY-001") << bad;
  EXPECT_EQ(store_.make("../x").error().code, "OPK-KEY-006");
  EXPECT_EQ(code(store_.remove("..")), "OPK-KEY-006");
  EXPECT_EQ(read_vendor_key("/dev/zero").error().code, "OPK-KEY-001");
}

TEST_F(KeyStoreTest, AFolderThatCannotBeWrittenIsNamed) {
  write_text(folder_.path() / "config", "a file");
  EXPECT_EQ(store_.make("acme").error().code, "OPK-KEY-005");
  EXPECT_EQ(KeyStore({}).make("acme").error().code, "OPK-KEY-005");
  EXPECT_TRUE(KeyStore({}).list().empty());
}

}  // namespace
}  // namespace opkit::registry
