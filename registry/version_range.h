// Version ranges: what "--version" and "AddRelu@..." may ask for.
//   1.2.0               that version, build metadata included
//   ^1.2   ^0.3         compatible: below the next major version (of 0.x: below the next minor one)
//   ~1.2                below the next minor version
//   >=1,<2  >1.0.0      every part must hold; a missing minor or patch number is 0
// A pre-release is in a range only when a part of the range names one of the same three numbers.
#ifndef OPKIT_REGISTRY_VERSION_RANGE_H_
#define OPKIT_REGISTRY_VERSION_RANGE_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"
#include "registry/version.h"

namespace opkit::registry {

class VersionRange {
 public:
  // OPK-VERSION-002.
  static Result<VersionRange> parse(std::string_view text);

  bool holds(const SemVer& version) const;

 private:
  enum class Relation { kEqual, kBelow, kAtMost, kAbove, kAtLeast };
  struct Bound {
    Relation relation = Relation::kEqual;
    SemVer version;

    bool holds(const SemVer& other) const;
  };

  Status add(std::string_view part);
  void add_next(const SemVer& from, bool minor);

  std::vector<Bound> bounds_;
};

// Tells whether `version`, the name of a package's directory, is what `asked` means: the same text,
// or a version in the range. False for a range that cannot be read: check_version refuses it
// before.
bool version_matches(const std::string& asked, const std::string& version);
// OPK-VERSION-002 unless it is empty or a range.
Status check_version(const std::string& asked);

// "AddRelu@^1.2" in its parts; the range is empty when none is given.
struct OpAndRange {
  std::string op, range;
};
OpAndRange split_op(const std::string& word);

}  // namespace opkit::registry

#endif  // OPKIT_REGISTRY_VERSION_RANGE_H_
