// The words of a reference node's `store`: a type, and `scaled` behind it.
#ifndef OPKIT_CONTRACT_STORE_WORDS_H_
#define OPKIT_CONTRACT_STORE_WORDS_H_

#include <string_view>

namespace opkit {

struct StoreWords {
  std::string_view type;
  bool scaled = false;
};

// Words other than these two are part of the type, which is none then.
inline StoreWords store_words(std::string_view text) {
  constexpr std::string_view kScaled = " scaled";
  const bool scaled =
      text.size() > kScaled.size() && text.substr(text.size() - kScaled.size()) == kScaled;
  return {scaled ? text.substr(0, text.size() - kScaled.size()) : text, scaled};
}

}  // namespace opkit

#endif  // OPKIT_CONTRACT_STORE_WORDS_H_
