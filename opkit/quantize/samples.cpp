#include "opkit/quantize/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "opkit/base/npy.h"
#include "opkit/base/npz.h"
#include "opkit/base/suggest.h"
#include "opkit/quantize/codes.h"
#include "opkit/reference/tensor.h"

namespace opkit::quantize {
namespace {

namespace fs = std::filesystem;

Error no_data(std::string what) {
  return Error(kNoData, std::move(what),
               "give --data a .npy or .npz file, or a folder that holds some");
}

Error misfit(std::string what, std::string action) {
  return Error(kDataMisfit, std::move(what), std::move(action));
}

bool is_array(const fs::path& path) {
  return path.extension() == ".npy" || path.extension() == ".npz";
}

bool is_picture(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".jpg" || extension == ".jpeg" || extension == ".png" || extension == ".JPEG";
}

Result<std::vector<fs::path>> files_of(const fs::path& path) {
  std::error_code code;
  if (!fs::exists(path, code)) return no_data(fmt::format("there is no {}", path.string()));
  if (!fs::is_directory(path, code)) {
    if (is_array(path)) return std::vector<fs::path>{path};
    return no_data(fmt::format("{} is neither a .npy nor a .npz file", path.string()));
  }
  std::vector<fs::path> files;
  bool pictures = false;
  for (const auto& entry : fs::directory_iterator(path, code)) {
    pictures = pictures || is_picture(entry.path());
    if (is_array(entry.path())) files.push_back(entry.path());
  }
  if (files.empty() && pictures)
    return Error(
        kNoData,
        fmt::format("the folder {} has pictures, which no model takes as they are", path.string()),
        "say with --aipp what lies between a picture and the model, or write .npy files");
  if (files.empty())
    return no_data(fmt::format("the folder {} has no .npy or .npz file", path.string()));
  std::sort(files.begin(), files.end());
  return files;
}

// Returns the place of the first element that is no number, or -1.
int64_t first_not_finite(const Tensor& tensor) {
  if (!is_float(tensor.dtype())) return -1;
  for (int64_t i = 0; i < tensor.elements(); ++i) {
    if (!std::isfinite(tensor.at(i))) return i;
  }
  return -1;
}

bool same_tail(const Shape& shape, size_t from, const Shape& wanted, size_t wanted_from) {
  return std::equal(shape.dims().begin() + static_cast<std::ptrdiff_t>(from), shape.dims().end(),
                    wanted.dims().begin() + static_cast<std::ptrdiff_t>(wanted_from),
                    wanted.dims().end());
}

// Returns how many samples of that shape an array holds; 0 where it does not fit.
int64_t samples_in(const Shape& array, const Shape& wanted) {
  if (array == wanted) return 1;
  const size_t rank = wanted.rank();
  if (array.rank() == rank + 1 && same_tail(array, 1, wanted, 0)) return array[0];
  if (array.rank() == rank && rank > 0 && same_tail(array, 1, wanted, 1) && wanted[0] > 0 &&
      array[0] % wanted[0] == 0)
    return array[0] / wanted[0];
  return 0;
}

}  // namespace

Samples Samples::of(std::vector<NamedArray> arrays) {
  Samples samples;
  samples.arrays_ = std::move(arrays);
  return samples;
}

Result<Samples> Samples::load(const fs::path& path, const std::vector<std::string>& inputs) {
  OPKIT_TRY(const std::vector<fs::path> files, files_of(path));
  Samples samples;
  for (const fs::path& file : files) OPKIT_CHECK(samples.add(file, inputs));
  if (samples.arrays_.empty()) return no_data(fmt::format("{} holds no array", path.string()));
  return samples;
}

Status Samples::add(const fs::path& file, const std::vector<std::string>& inputs) {
  NpyOptions options;
  options.convert_fortran_order = true;
  if (file.extension() == ".npz") {
    OPKIT_TRY(std::vector<Tensor> tensors, load_npz(file, options));
    for (Tensor& tensor : tensors) OPKIT_CHECK(add(std::move(tensor), file.string(), inputs, true));
    return {};
  }
  OPKIT_TRY(Tensor tensor, load_npy(file, options));
  return add(std::move(tensor), file.string(), inputs, false);
}

Status Samples::add(Tensor tensor, const std::string& file, const std::vector<std::string>& inputs,
                    bool named) {
  const std::string name = tensor.desc().name;
  const bool known = std::find(inputs.begin(), inputs.end(), name) != inputs.end();
  if (!known && named)
    return misfit(fmt::format("{} has an array '{}', and the model no such input", file, name),
                  suggest(name, inputs));
  if (!known && inputs.size() != 1)
    return misfit(
        fmt::format("{} names no input, and the model has {}", file, inputs.size()),
        "give .npz files whose members are named like the inputs, or a .npy file per input");
  arrays_.push_back({known ? name : inputs[0], file, std::move(tensor)});
  return {};
}

std::optional<Shape> Samples::close(const std::string& input,
                                    const std::vector<int64_t>& dims) const {
  const auto found = std::find_if(arrays_.begin(), arrays_.end(),
                                  [&](const NamedArray& array) { return array.input == input; });
  if (found == arrays_.end()) return std::nullopt;
  const Shape& array = found->tensor.shape();
  if (array.rank() != dims.size() && array.rank() != dims.size() + 1) return std::nullopt;
  const size_t more = array.rank() - dims.size();
  Shape closed(dims);
  for (size_t i = 0; i < dims.size(); ++i) {
    if (dims[i] >= 0) continue;
    closed[i] = i == 0 && more == 0 ? 1 : array[i + more];
  }
  return closed;
}

Status Samples::fit(const std::vector<Wanted>& inputs) {
  wanted_ = inputs;
  parts_.clear();
  for (const Wanted& input : inputs) {
    std::vector<Part> parts;
    OPKIT_CHECK(fit(input, parts));
    if (parts.empty())
      return misfit(fmt::format("the data have nothing for the input '{}'", input.name),
                    fmt::format("add arrays of {}{} under that name", name_of(input.dtype),
                                input.shape.to_string()));
    if (!parts_.empty() && parts.size() != parts_[0].size())
      return misfit(fmt::format("the data have {} samples of '{}' and {} of '{}'", parts_[0].size(),
                                inputs[0].name, parts.size(), input.name),
                    "give as many of each input");
    parts_.push_back(std::move(parts));
  }
  count_ = parts_.empty() ? 0 : parts_[0].size();
  return {};
}

Status Samples::fit(const Wanted& input, std::vector<Part>& parts) {
  for (size_t a = 0; a < arrays_.size(); ++a) {
    const NamedArray& array = arrays_[a];
    if (array.input != input.name) continue;
    const Tensor& tensor = array.tensor;
    if (tensor.dtype() != input.dtype)
      return misfit(fmt::format("{} holds {}, and the input '{}' is {}", array.file,
                                name_of(tensor.dtype()), input.name, name_of(input.dtype)),
                    fmt::format("write it with .astype('{}')", name_of(input.dtype)));
    const int64_t count = samples_in(tensor.shape(), input.shape);
    if (count == 0)
      return misfit(fmt::format("{} has the dims {}, and the input '{}' has {}", array.file,
                                tensor.shape().to_string(), input.name, input.shape.to_string()),
                    "give arrays of the input's dims, or with a first dim that counts samples");
    const int64_t bad = first_not_finite(tensor);
    if (bad >= 0)
      return Error(kNotFinite,
                   fmt::format("{} holds {} at element {}", array.file, tensor.at(bad), bad),
                   "leave out the sample: one such value makes every range meaningless");
    const int64_t step = input.shape.elements();
    for (int64_t s = 0; s < count; ++s) parts.push_back({a, s * step});
  }
  return {};
}

Result<std::vector<Tensor>> Samples::tensors(size_t i) const {
  std::vector<Tensor> all;
  for (size_t input = 0; input < wanted_.size(); ++input) {
    const Wanted& wanted = wanted_[input];
    const Part& part = parts_[input][i];
    Tensor tensor(wanted.dtype, wanted.shape, wanted.name);
    const Tensor& from = arrays_[part.array].tensor;
    const auto offset = bytes_of(wanted.dtype, static_cast<uint64_t>(part.first));
    std::memcpy(tensor.data(), from.data() + offset, tensor.size_bytes());
    all.push_back(std::move(tensor));
  }
  return all;
}

Result<reference::NamedTensors> Samples::named(size_t i) const {
  OPKIT_TRY(const std::vector<Tensor> all, tensors(i));
  reference::NamedTensors named;
  for (const Tensor& tensor : all) {
    OPKIT_TRY(named[tensor.desc().name], reference::from_tensor(tensor));
  }
  return named;
}

}  // namespace opkit::quantize
