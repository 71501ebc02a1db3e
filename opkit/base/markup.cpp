#include "opkit/base/markup.h"

namespace opkit {
namespace {

bool is_refused(char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t'; }

}  // namespace

std::string markup_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += is_refused(c) ? '?' : c;
    }
  }
  return out;
}

}  // namespace opkit
