#include "opkit/verify/verdict.h"

namespace opkit::verify {

std::string_view name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kPassed: return "PASSED";
    case Verdict::kFailed: return "FAILED";
    case Verdict::kMistrusted: return "MISTRUSTED";
    case Verdict::kRefused: return "REFUSED";
    case Verdict::kUnimplemented: return "UNIMPLEMENTED";
    case Verdict::kSkipped: return "SKIPPED";
  }
  return {};
}

}  // namespace opkit::verify
