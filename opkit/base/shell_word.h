// How a command that a message suggests spells what the user named: typed into a POSIX shell it is
// that again, whatever blanks, quotes and control characters it holds.
#ifndef OPKIT_BASE_SHELL_WORD_H_
#define OPKIT_BASE_SHELL_WORD_H_

#include <string>
#include <string_view>
#include <vector>

namespace opkit {

// Plain words stay as they are. Others stand in single quotes; with control characters as $'...',
// which bash, zsh and ksh read, so that no terminal obeys them.
std::string shell_word(std::string_view text);

// Returns the words that a shell makes of a line of such words, also of ones in double quotes. It
// expands nothing.
std::vector<std::string> shell_words(std::string_view line);

}  // namespace opkit

#endif  // OPKIT_BASE_SHELL_WORD_H_
