// LookupIndex: what whole checks found of the packages of one folder, as one file: a table of
// contents, then a part for each package. The table and each part carry their digests, so that a
// package costs its own part to read, and what is damaged is known to be. Treats its bytes as
// hostile.
#ifndef OPKIT_REGISTRY_LOOKUP_INDEX_H_
#define OPKIT_REGISTRY_LOOKUP_INDEX_H_

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "registry/file_stamps.h"
#include "registry/manifest.h"

namespace opkit::registry {

// What a whole check of an intact package found. The manifest has the digests of all its files.
struct IntactPackage {
  Manifest manifest;
  std::string signer;                 // empty: not signed
  std::vector<std::string> run_path;  // lists the folders where the library looks for others
  PackageStamps stamps;
};

class LookupIndex {
 public:
  static constexpr size_t kMostBytes = 256u << 20;

  // Makes an index of the packages in `folder`; the file of another one is none.
  explicit LookupIndex(std::string folder) : folder_(std::move(folder)) {}
  LookupIndex(const LookupIndex&) = delete;  // parts are views of what was read
  enum class Read {
    kWhole,
    kOther,    // was written by another opkit, or for another folder
    kDamaged,  // cut, changed, or no index at all
  };
  // Takes the table; whatever was there before is gone.
  Read read(std::string bytes);

  // Names of packages, sorted: their paths below the folder.
  std::vector<std::string> names() const;
  // Returns nothing unless it is there and undamaged. `manifest_file`: what places in the manifest
  // name.
  std::optional<IntactPackage> find(const std::string& name,
                                    const std::string& manifest_file) const;
  void put(const std::string& name, const IntactPackage& intact);
  // Takes every part of `other` that this one has no part for.
  void take_missing(const LookupIndex& other);
  void drop(const std::string& name) { parts_.erase(name); }

  std::string to_bytes() const;

 private:
  struct Part {
    std::string_view bytes;
    std::string sha256, own;  // own: of a part that was not read from `read_`
    std::string_view text() const { return own.empty() ? bytes : std::string_view(own); }
  };

  std::string folder_;
  std::string read_;
  std::map<std::string, Part> parts_;
};

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_LOOKUP_INDEX_H_
