#include "opkit/verify/mutants/mutant_result.h"

namespace opkit::verify {

std::string_view name_of(Fate fate) {
  switch (fate) {
    case Fate::kKilled: return "killed";
    case Fate::kSurvived: return "survived";
    case Fate::kEquivalent: return "equivalent";
    case Fate::kStillborn: return "stillborn";
  }
  return {};
}

}  // namespace opkit::verify
