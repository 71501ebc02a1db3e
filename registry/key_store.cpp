#include "registry/key_store.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "opkit/base/regular_file.h"
#include "registry/manifest.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kOpenForm = "opkit key 1\n", kSecretForm = "opkit secret key 1\n";
constexpr const char *kOpenEnd = ".pub", *kSecretEnd = ".key";
constexpr size_t kMostKeyBytes = 4096;

std::string variable(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

Error malformed(const std::string& name) {
  return Error("OPK-KEY-001", "the key file is malformed",
               "get it again from its vendor, or make a key with `opkit keys new`")
      .at({name});
}

Error not_known(const std::string& vendor, const char* what) {
  return Error("OPK-KEY-002", fmt::format("no {} of vendor '{}' is known here", what, vendor),
               "`opkit keys list` shows the keys; `opkit keys new` makes one");
}

Error cannot_keep(const fs::path& path, const std::string& reason) {
  return Error("OPK-KEY-005", fmt::format("cannot write {}: {}", path.string(), reason),
               "set OPKIT_CONFIG_DIR to a folder that you may write");
}

// "vendor <name>\n<word> <64 digits>\n" after the first line.
bool parse_lines(std::string_view text, std::string_view form, std::string_view word,
                 VendorKey& key) {
  if (!text.starts_with(form)) return false;
  text.remove_prefix(form.size());
  const size_t end = text.find('\n');
  if (!text.starts_with("vendor ") || end == std::string_view::npos) return false;
  key.vendor = text.substr(7, end - 7);
  text.remove_prefix(end + 1);
  if (!is_vendor_name(key.vendor) || !text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  if (text.size() != kKeyDigits + 1 || text.back() != '\n') return false;
  key.key = text.substr(0, kKeyDigits);
  return is_hex(key.key, kKeyDigits);
}

// Writes a file that was not there; only its user can read a private one.
Status create_file(const fs::path& path, const std::string& text, mode_t mode) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (file < 0) return cannot_keep(path, std::strerror(errno));
  const bool good = ::write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                    ::fsync(file) == 0;
  const std::string reason = good ? "" : std::strerror(errno);
  ::close(file);
  if (good) return {};
  ::unlink(path.c_str());
  return cannot_keep(path, reason);
}

// A regular file of this user that nobody else can read.
Status check_private(const fs::path& path) {
  struct stat facts = {};
  if (::lstat(path.c_str(), &facts) != 0 || !S_ISREG(facts.st_mode))
    return malformed(path.string());
  if ((facts.st_mode & 077) == 0 && facts.st_uid == ::geteuid()) return {};
  return Error("OPK-KEY-003",
               fmt::format("the secret key {} can be read by others (mode {:o})", path.string(),
                           facts.st_mode & 0777),
               "make a new key if somebody may have read it, else chmod 600");
}

}  // namespace

Result<VendorKey> parse_vendor_key(std::string_view text, const std::string& name) {
  VendorKey key;
  if (!parse_lines(text, kOpenForm, "key ", key)) return malformed(name);
  return key;
}

Result<VendorKey> read_vendor_key(const fs::path& file) {
  std::error_code code;
  if (fs::exists(file, code) && !fs::is_regular_file(file, code)) return malformed(file.string());
  OPKIT_TRY(const std::string text, read_regular_file(file, kMostKeyBytes));
  return parse_vendor_key(text, file.string());
}

std::string to_text(const VendorKey& key) {
  return fmt::format("{}vendor {}\nkey {}\n", kOpenForm, key.vendor, key.key);
}

KeyStore KeyStore::of_user() {
  if (const std::string own = variable("OPKIT_CONFIG_DIR"); !own.empty())
    return KeyStore(fs::path(own) / "keys");
  if (const std::string common = variable("XDG_CONFIG_HOME"); !common.empty())
    return KeyStore(fs::path(common) / "opkit/keys");
  if (const std::string home = variable("HOME"); !home.empty())
    return KeyStore(fs::path(home) / ".config/opkit/keys");
  return KeyStore({});
}

fs::path KeyStore::open_file(const std::string& vendor) const {
  return folder_ / (vendor + kOpenEnd);
}

fs::path KeyStore::secret_file(const std::string& vendor) const {
  return folder_ / (vendor + kSecretEnd);
}

std::vector<KnownKey> KeyStore::list() const {
  std::vector<KnownKey> all;
  std::error_code code;
  if (folder_.empty()) return all;
  for (fs::directory_iterator it(folder_, code), end; !code && it != end; it.increment(code)) {
    if (it->path().extension() != kOpenEnd) continue;
    const std::string vendor = it->path().stem();
    const auto key = read_vendor_key(it->path());
    std::error_code ignored;
    if (key && key->vendor == vendor)
      all.push_back({*key, fs::exists(secret_file(vendor), ignored)});
  }
  std::sort(all.begin(), all.end(),
            [](const KnownKey& a, const KnownKey& b) { return a.key.vendor < b.key.vendor; });
  return all;
}

Result<std::optional<std::string>> KeyStore::find(const std::string& vendor) const {
  std::error_code code;
  if (folder_.empty() || !is_vendor_name(vendor) || !fs::exists(open_file(vendor), code))
    return std::optional<std::string>();
  OPKIT_TRY(const VendorKey key, read_vendor_key(open_file(vendor)));
  if (key.vendor != vendor) return malformed(open_file(vendor).string());
  return std::optional(key.key);
}

Result<std::string> KeyStore::secret(const std::string& vendor) const {
  std::error_code code;
  const fs::path file = secret_file(vendor);
  if (folder_.empty() || !is_vendor_name(vendor) || !fs::exists(fs::symlink_status(file, code)))
    return not_known(vendor, "secret key");
  OPKIT_CHECK(check_private(file));
  OPKIT_TRY(std::string text, read_regular_file(file, kMostKeyBytes));
  VendorKey key;
  const bool good = parse_lines(text, kSecretForm, "secret ", key) && key.vendor == vendor;
  wipe(text);
  if (!good) return malformed(file.string());
  return std::move(key.key);
}

Status KeyStore::prepare() const {
  if (folder_.empty()) return cannot_keep("the key", "neither HOME nor OPKIT_CONFIG_DIR is set");
  std::error_code code;
  fs::create_directories(folder_, code);
  if (code) return cannot_keep(folder_, code.message());
  return {};
}

Status check_vendor_name(const std::string& vendor) {
  if (is_vendor_name(vendor)) return {};
  return Error("OPK-KEY-006", fmt::format("'{}' is not a vendor name", vendor),
               "write letters, digits, '_' and '-', as in the manifests of its packages");
}

Result<VendorKey> KeyStore::make(const std::string& vendor) const {
  OPKIT_CHECK(check_vendor_name(vendor));
  OPKIT_CHECK(prepare());
  std::error_code code;
  if (fs::exists(fs::symlink_status(open_file(vendor), code)) ||
      fs::exists(fs::symlink_status(secret_file(vendor), code))) {
    return Error("OPK-KEY-004", fmt::format("vendor '{}' has a key already", vendor),
                 fmt::format("keep it safe; `opkit keys remove {}` gives it up", vendor));
  }
  KeyPair pair = make_key_pair();
  std::string text = fmt::format("{}vendor {}\nsecret {}\n", kSecretForm, vendor, pair.secret);
  const Status secret = create_file(secret_file(vendor), text, 0600);
  wipe(text);
  wipe(pair.secret);
  OPKIT_CHECK(secret);
  const VendorKey key{vendor, pair.open};
  const Status open = create_file(open_file(vendor), to_text(key), 0644);
  if (open) return key;
  ::unlink(secret_file(vendor).c_str());
  return open.error();
}

Status KeyStore::add(const VendorKey& key) const {
  OPKIT_CHECK(prepare());
  OPKIT_TRY(const std::optional<std::string> known, find(key.vendor));
  if (!known) return create_file(open_file(key.vendor), to_text(key), 0644);
  if (*known == key.key) return {};
  return Error(
      "OPK-KEY-004",
      fmt::format("vendor '{}' has another key here: {}...", key.vendor, known->substr(0, 16)),
      fmt::format("ask the vendor which one is right; `opkit keys remove {}` gives up the "
                  "old one",
                  key.vendor));
}

Status KeyStore::remove(const std::string& vendor) const {
  OPKIT_CHECK(check_vendor_name(vendor));
  OPKIT_CHECK(prepare());
  const bool open = ::unlink(open_file(vendor).c_str()) == 0;
  const bool secret = ::unlink(secret_file(vendor).c_str()) == 0;
  if (open || secret) return {};
  return errno == ENOENT ? not_known(vendor, "key")
                         : cannot_keep(open_file(vendor), std::strerror(errno));
}

}  // namespace opkit::registry
