#include "opkit/cli/models/labels.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "opkit/base/file.h"
#include "opkit/base/npy.h"
#include "opkit/quantize/codes.h"

namespace opkit::cli {
namespace {

Error bad_labels(std::string what) {
  return Error(quantize::kBadLabels, std::move(what),
               "give a .npy of integers or a text with one class number per line");
}

Result<std::vector<int64_t>> labels_of_array(const std::filesystem::path& file) {
  OPKIT_TRY(const Tensor tensor, load_npy(file));
  if (is_float(tensor.dtype()) || tensor.dtype() == DType::kBool)
    return bad_labels(fmt::format("{} holds {}", file.string(), name_of(tensor.dtype())));
  std::vector<int64_t> labels;
  for (int64_t i = 0; i < tensor.elements(); ++i)
    labels.push_back(static_cast<int64_t>(tensor.at(i)));
  return labels;
}

Result<std::vector<int64_t>> labels_of_text(const std::filesystem::path& file) {
  OPKIT_TRY(const std::string text, read_file(file, size_t{1} << 26));
  std::istringstream lines(text);
  std::vector<int64_t> labels;
  for (std::string word; lines >> word;) {
    int64_t label = 0;
    const auto [stop, code] = std::from_chars(word.data(), word.data() + word.size(), label);
    if (code != std::errc() || stop != word.data() + word.size())
      return bad_labels(fmt::format("{} has '{}' where a class number is expected", file.string(),
                                    word.substr(0, 40)));
    labels.push_back(label);
  }
  return labels;
}

}  // namespace

Result<std::vector<std::vector<int64_t>>> read_labels(const std::filesystem::path& file,
                                                      size_t samples) {
  OPKIT_TRY(const std::vector<int64_t> all,
            file.extension() == ".npy" ? labels_of_array(file) : labels_of_text(file));
  if (all.empty() || samples == 0 || all.size() % samples != 0)
    return bad_labels(fmt::format("{} has {} labels, and the data have {} samples", file.string(),
                                  all.size(), samples));
  const size_t rows = all.size() / samples;
  std::vector<std::vector<int64_t>> split(samples);
  for (size_t i = 0; i < all.size(); ++i) split[i / rows].push_back(all[i]);
  return split;
}

}  // namespace opkit::cli
