// Aligned columns of text.
#ifndef OPKIT_CLI_TERMINAL_TABLE_H_
#define OPKIT_CLI_TERMINAL_TABLE_H_

#include <string>
#include <vector>

#include "opkit/cli/terminal/color.h"

namespace opkit::cli {

class Table {
 public:
  // A heading that starts with '>' makes its column right-aligned: ">bytes".
  explicit Table(std::vector<std::string> headings);

  // REQUIRES: as many cells as headings. Cells may be painted; line ends in cells become blanks.
  void add(std::vector<std::string> cells);
  bool empty() const { return rows_.empty(); }
  std::string to_string(const Palette& palette) const;

 private:
  std::string line(const std::vector<std::string>& cells, const std::vector<size_t>& widths) const;

  std::vector<std::string> headings_;
  std::vector<bool> right_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace opkit::cli

#endif  // OPKIT_CLI_TERMINAL_TABLE_H_
