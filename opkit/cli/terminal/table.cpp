#include "opkit/cli/terminal/table.h"

#include <algorithm>

namespace opkit::cli {

Table::Table(std::vector<std::string> headings) : headings_(std::move(headings)) {
  for (std::string& heading : headings_) {
    right_.push_back(heading.starts_with('>'));
    if (right_.back()) heading.erase(0, 1);
  }
}

void Table::add(std::vector<std::string> cells) {
  for (std::string& cell : cells) std::replace(cell.begin(), cell.end(), '\n', ' ');
  rows_.push_back(std::move(cells));
}

std::string Table::line(const std::vector<std::string>& cells,
                        const std::vector<size_t>& widths) const {
  std::string text;
  for (size_t i = 0; i < cells.size(); ++i) {
    const std::string blanks(widths[i] - visible_width(cells[i]), ' ');
    text += right_[i] ? blanks + cells[i] : cells[i] + blanks;
    text += "  ";
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string Table::to_string(const Palette& palette) const {
  std::vector<size_t> widths;
  for (const std::string& heading : headings_) widths.push_back(visible_width(heading));
  for (const auto& row : rows_) {
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], visible_width(row[i]));
  }
  std::vector<std::string> painted;
  for (const std::string& heading : headings_)
    painted.push_back(palette.paint(Style::kBold, heading));
  std::string text = line(painted, widths);
  for (const auto& row : rows_) text += line(row, widths);
  return text;
}

}  // namespace opkit::cli
