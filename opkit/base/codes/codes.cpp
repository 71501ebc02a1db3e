#include "opkit/base/codes/codes.h"

#include <algorithm>
#include <cctype>

namespace opkit {
namespace {

// One name for every row: a code that stands twice does not compile.
#define OPKIT_CODE(name, id, cause, example, cure, page) \
  constexpr Code name{id, cause, example, cure, page};
#include "opkit/base/codes/atc.def"
#include "opkit/base/codes/calls.def"
#include "opkit/base/codes/contract.def"
#include "opkit/base/codes/engine.def"
#include "opkit/base/codes/models.def"
#include "opkit/base/codes/packages.def"
#include "opkit/base/codes/tools.def"
#include "opkit/base/codes/verify.def"
#undef OPKIT_CODE

std::vector<Code> sorted() {
  std::vector<Code> codes = {
#define OPKIT_CODE(name, id, cause, example, cure, page) name,
#include "opkit/base/codes/atc.def"
#include "opkit/base/codes/calls.def"
#include "opkit/base/codes/contract.def"
#include "opkit/base/codes/engine.def"
#include "opkit/base/codes/models.def"
#include "opkit/base/codes/packages.def"
#include "opkit/base/codes/tools.def"
#include "opkit/base/codes/verify.def"
#undef OPKIT_CODE
  };
  std::sort(codes.begin(), codes.end(),
            [](const Code& a, const Code& b) { return std::string_view(a.id) < b.id; });
  return codes;
}

std::string upper(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

const std::vector<Code>& all_codes() {
  static const std::vector<Code> codes = sorted();
  return codes;
}

const Code* find_code(std::string_view id) {
  const std::string wanted = upper(id);
  const auto& codes = all_codes();
  const auto found = std::find_if(codes.begin(), codes.end(),
                                  [&wanted](const Code& code) { return wanted == code.id; });
  return found == codes.end() ? nullptr : &*found;
}

std::string explain(const Code& code) {
  return std::string(code.id) + ": " + code.cause + "\n  for example: " + code.example +
         "\n  cure: " + code.cure + "\n  read: " + code.page + "\n";
}

}  // namespace opkit
