#include "opkit/base/codes/verdicts.h"

#include <algorithm>
#include <cctype>

namespace opkit {
namespace {

constexpr const char* kVerdictPage = "docs/testing.md";

bool same_word(std::string_view word, std::string_view verdict) {
  return std::equal(word.begin(), word.end(), verdict.begin(), verdict.end(), [](char a, char b) {
    return std::toupper(static_cast<unsigned char>(a)) == b;
  });
}

}  // namespace

const std::vector<Code>& all_verdicts() {
  static const std::vector<Code> verdicts = {
      {"PASSED", "Every check of the problem held.", "opkit test AddRelu", "Nothing is to be done.",
       kVerdictPage},
      {"FAILED", "A check did not hold; the reason says which.", "a hole in an output",
       "Run the line behind 'reproduce:', and read the code's explanation.", kVerdictPage},
      {"MISTRUSTED",
       "The problem passed, but it would have passed with a kernel that computes nothing "
       "(OPK-VERIFY-024), or its bound is so wide that wrong results pass, too (OPK-VERIFY-025).",
       "y = x - x, for which zeros are right; sums of 65536 float16 products in float16",
       "Bound the inputs (values: [1, 2]) so that results differ from zeros, a constant and the "
       "inputs; state numeric: {accumulate: float32} where the kernel computes in float. One such "
       "problem beside others that pass does not change the op's verdict.",
       kVerdictPage},
      {"REFUSED", "An illegal call was refused with the right code, as it should be.",
       "a call that breaks the constraint C1", "Nothing is to be done.", kVerdictPage},
      {"UNIMPLEMENTED",
       "There is no kernel for the column, or no error bound for an operator of the reference.",
       "a column that the plugin was not built for",
       "Build the column, or state tolerance: with its reason.", kVerdictPage},
      {"SKIPPED", "The problem does not apply; the reason says why.",
       "a bfloat16 column on a chip without it", "Nothing is to be done.", kVerdictPage},
      {"INTERRUPTED", "Somebody ended the run: what is reported is a part and no verdict.",
       "Ctrl-C", "Run it again; --results and --resume take over what was judged.", kVerdictPage}};
  return verdicts;
}

const Code* find_verdict(std::string_view word) {
  const auto& verdicts = all_verdicts();
  const auto found = std::find_if(verdicts.begin(), verdicts.end(),
                                  [&](const Code& one) { return same_word(word, one.id); });
  return found == verdicts.end() ? nullptr : &*found;
}

}  // namespace opkit
