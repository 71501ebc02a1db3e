// What build files of the vendor's toolkit look for beside a vendor's packages: op_api/include with
// a header for each op, op_api/lib/libcust_opapi.so, version.info. It follows from the packages:
// before an installer makes its change it lays what follows aside in <opp>/.opkit/layout, and
// whoever ends the change puts it in its place.
#ifndef OPKIT_REGISTRY_VENDOR_LAYOUT_H_
#define OPKIT_REGISTRY_VENDOR_LAYOUT_H_

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "registry/pending_change.h"

namespace opkit::registry {

// How the files are made; installers without one leave them as they are.
struct LayoutMaker {
  std::function<std::string(const std::string& op)> header_name;
  // Writes the header of all ops that share its name; nothing: they can have none.
  std::function<std::optional<std::string>(const std::vector<std::filesystem::path>& contracts)>
      header;
  std::filesystem::path runtime{};  // what libcust_opapi.so is a link to; empty: there is none
  std::string version_info{};
};

// What made files begin with: nothing else is replaced by others' or removed.
inline constexpr const char* kMadeHeader = "// Made by opkit";

// First, with the lock held. package: what arrives, where it lies before. OPK-INSTALL-004,
// OPK-PKG-013; then nothing is laid aside.
Status prepare_layout(const std::filesystem::path& opp, const PendingChange& change,
                      const std::filesystem::path& package, const LayoutMaker& maker);
// Applies the layout when the change is made. False: there is more to do, and the next call does
// it.
bool apply_layout(const std::filesystem::path& opp, const PendingChange& change);
// Tells whether apply_layout has more to do for the change.
bool awaits_layout(const std::filesystem::path& opp, const PendingChange& change);
// Or when it is not.
void forget_layout(const std::filesystem::path& opp);

// Tells whether a file is missing that an op of the vendor should have.
bool lacks_layout(const std::filesystem::path& opp, const std::string& vendor,
                  const std::string& op, const LayoutMaker& maker);
// Tells whether a vendor's folder holds nothing but op_pkg and made files.
bool holds_packages_only(const std::filesystem::path& vendor_folder);

// <opp>/.opkit/layout.
std::filesystem::path layout_stage(const std::filesystem::path& opp);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_VENDOR_LAYOUT_H_
