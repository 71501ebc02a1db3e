#include "registry/pending_change.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <charconv>

#include "opkit/base/regular_file.h"
#include "registry/ed25519.h"
#include "registry/lasting_files.h"
#include "registry/manifest.h"
#include "registry/opp_layout.h"

namespace opkit::registry {
namespace fs = std::filesystem;
namespace {

using Order = PendingChange::Order;

constexpr std::string_view kPendingMark = "opkit pending ", kPendingForm = "opkit pending 1\n";
constexpr size_t kMostPendingBytes = 4096;
constexpr std::array<std::string_view, 3> kOrders = {"keep", "first", "out"};

// "<word> <value>\n".
bool take_value(std::string_view& text, std::string_view word, std::string& value) {
  const size_t end = text.find('\n');
  if (end == std::string_view::npos) return false;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end + 1);
  if (!line.starts_with(word) || line.size() <= word.size() || line[word.size()] != ' ')
    return false;
  value = line.substr(word.size() + 1);
  return true;
}

// Tells whether a name is that of a directory beside others, and leads nowhere else.
bool is_plain_name(std::string_view name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of(std::string_view("/\n\0", 3)) == std::string_view::npos;
}

bool take_whole(std::string_view text, uint64_t& number) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  return code == std::errc() && end == text.data() + text.size() && std::to_string(number) == text;
}

std::optional<Order> order_of(std::string_view name) {
  for (size_t i = 0; i < kOrders.size(); ++i)
    if (name == kOrders[i]) return static_cast<Order>(i);
  return std::nullopt;
}

std::optional<PendingChange> read_change(std::string_view text) {
  if (!text.starts_with(kPendingForm)) return std::nullopt;
  text.remove_prefix(kPendingForm.size());
  PendingChange change;
  std::string step, order, inode;
  const bool whole =
      take_value(text, "vendor", change.vendor) && take_value(text, "op", change.op) &&
      take_value(text, "version", change.version) && take_value(text, "directory", step) &&
      take_value(text, "order", order) && take_value(text, "owner", change.owner) &&
      take_value(text, "inode", inode) && text.empty();
  const std::optional<Order> known = order_of(order);
  if (!whole || !known || (step != "arrives" && step != "leaves")) return std::nullopt;
  change.arrives = step == "arrives";
  change.order = *known;
  if (change.version == "/") change.version.clear();
  if (change.owner == "-") change.owner.clear();
  const bool listed = change.order == Order::kFirst || !change.owner.empty();
  const bool good = is_plain_name(change.vendor) && is_plain_name(change.op) &&
                    (!listed || is_vendor_name(change.vendor)) &&
                    (change.version.empty() || is_plain_name(change.version)) &&
                    (change.owner.empty() || is_hex(change.owner, kKeyDigits)) &&
                    take_whole(inode, change.inode);
  return good ? std::optional(change) : std::nullopt;
}

}  // namespace

fs::path PendingChange::place(const fs::path& opp) const {
  const fs::path folder = vendor_folder(opp, vendor) / "op_pkg" / op;
  return version.empty() ? folder : folder / version;
}

fs::path pending_file(const fs::path& opp) { return opp / kWorkFolder / "pending"; }
fs::path earlier_copy(const fs::path& opp) { return opp / kWorkFolder / "earlier"; }

Result<PendingChange> parse_pending(std::string_view text, const std::string& name) {
  if (std::optional<PendingChange> change = read_change(text)) return *std::move(change);
  const bool other = text.starts_with(kPendingMark) && !text.starts_with(kPendingForm);
  return Error("OPK-INSTALL-012",
               fmt::format("the file that says what a killed installer was at is {}",
                           other ? "of another opkit's form" : "damaged"),
               other ? "let the opkit that wrote it end the change: any install, or `opkit trust`"
                     : "look with `opkit list` at what is there, then remove the file")
      .at({name});
}

// "/" is no name of a version, and "-" no key.
std::string to_text(const PendingChange& change) {
  return fmt::format(
      "{}vendor {}\nop {}\nversion {}\ndirectory {}\norder {}\nowner {}\ninode {}\n", kPendingForm,
      change.vendor, change.op, change.version.empty() ? "/" : change.version,
      change.arrives ? "arrives" : "leaves", kOrders[static_cast<size_t>(change.order)],
      change.owner.empty() ? "-" : change.owner, change.inode);
}

Result<std::optional<PendingChange>> load_pending(const fs::path& opp) {
  OPKIT_CHECK(check_way(opp, opp / kWorkFolder));
  const fs::path file = pending_file(opp);
  std::error_code code;
  const fs::file_status status = fs::symlink_status(file, code);
  if (!fs::exists(status)) return std::optional<PendingChange>();
  Result<std::string> text = std::string();
  if (fs::is_regular_file(status)) text = read_regular_file(file, kMostPendingBytes);
  // An installer may just have ended.
  if (!text && !fs::exists(file, code)) return std::optional<PendingChange>();
  OPKIT_TRY(PendingChange change, parse_pending(text ? *text : "", file.string()));
  return std::optional(std::move(change));
}

std::optional<uint64_t> inode_of(const fs::path& directory) {
  struct stat facts = {};
  if (lstat(directory.c_str(), &facts) != 0) return std::nullopt;
  return facts.st_ino;
}

bool is_made(const PendingChange& change, const fs::path& opp) {
  return (inode_of(change.place(opp)) == change.inode) == change.arrives;
}

std::optional<PendingChange> made_change(const fs::path& opp) {
  const auto change = load_pending(opp);
  if (!change || !*change || !is_made(**change, opp)) return std::nullopt;
  return **change;
}

Status begin_change(const fs::path& opp, PendingChange change, const fs::path& directory) {
  const std::optional<uint64_t> inode = inode_of(directory);
  if (!inode) return cannot_write(directory, "it is not there");
  change.inode = *inode;
  const std::string text = to_text(change);
  if (!read_change(text)) return cannot_write(pending_file(opp), "a name has odd characters");
  return write_to_disk(pending_file(opp), text);
}

}  // namespace opkit::registry
