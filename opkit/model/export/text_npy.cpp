#include "opkit/model/export/texts.h"

namespace opkit::model_export {

const char* const kNpyHeader = R"source(// NumPy's files.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

// What a file must hold, or will: "<f4" and dims.
struct Form {
  std::string type;
  std::vector<int64_t> dims;

  int64_t elements() const;
  size_t bytes() const;
  std::string text() const;  // "<f4 [1, 10]"
};

// Elements as the file holds them. Throws std::runtime_error
// where they are of another form.
std::vector<char> read_npy(const std::string& file, const Form& form);
void write_npy(const std::string& file, const Form& form, const std::vector<char>& elements);
)source";

const char* const kNpySource = R"source(#include <cstring>
#include <fstream>
#include <stdexcept>

#include "npy.h"

namespace {

// Returns what stands behind a key of the header, up to the end of the value.
std::string value_of(const std::string& header, const std::string& key) {
  const size_t at = header.find("'" + key + "'");
  if (at == std::string::npos) return "";
  const size_t from = header.find_first_not_of(" ", header.find(':', at) + 1);
  if (from == std::string::npos) return "";
  const size_t to = header[from] == '(' ? header.find(')', from) + 1 : header.find(',', from);
  return header.substr(from, to - from);
}

std::vector<int64_t> dims_of(const std::string& text) {
  std::vector<int64_t> dims;
  for (size_t at = text.find_first_of("0123456789"); at != std::string::npos;
       at = text.find_first_of("0123456789", at)) {
    size_t used = 0;
    dims.push_back(std::stoll(text.substr(at), &used));
    at += used;
  }
  return dims;
}

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
  throw std::runtime_error(file + ": " + why);
}

std::string header_of(std::ifstream& in, const std::string& file) {
  char start[8] = {};
  in.read(start, 8);
  if (!in || std::memcmp(start, "\x93NUMPY", 6) != 0) refuse(file, "is no .npy file");
  uint32_t length = 0;
  in.read(reinterpret_cast<char*>(&length), start[6] == 1 ? 2 : 4);
  if (!in || length > 65536) refuse(file, "has no header");
  std::string header(length, ' ');
  in.read(header.data(), length);
  if (!in) refuse(file, "is cut off");
  return header;
}

}  // namespace

int64_t Form::elements() const {
  int64_t count = 1;
  for (const int64_t dim : dims) count *= dim;
  return count;
}

size_t Form::bytes() const {
  return static_cast<size_t>(elements()) * static_cast<size_t>(std::stoi(type.substr(2)));
}

std::string Form::text() const {
  std::string text = type + " [";
  for (size_t d = 0; d < dims.size(); ++d) text += (d > 0 ? ", " : "") + std::to_string(dims[d]);
  return text + "]";
}

std::vector<char> read_npy(const std::string& file, const Form& form) {
  std::ifstream in(file, std::ios::binary);
  if (!in) refuse(file, "cannot be read");
  const std::string header = header_of(in, file);
  std::string type = value_of(header, "descr");
  if (type.size() >= 2) type = type.substr(1, type.size() - 2);
  const Form found{type, dims_of(value_of(header, "shape"))};
  if (found.type != form.type || found.dims != form.dims)
    refuse(file, "holds " + found.text() + ", and " + form.text() + " is wanted");
  if (value_of(header, "fortran_order") != "False") refuse(file, "is in Fortran's order");
  std::vector<char> elements(form.bytes());
  in.read(elements.data(), static_cast<std::streamsize>(elements.size()));
  if (!in && !elements.empty()) refuse(file, "is cut off");
  return elements;
}

void write_npy(const std::string& file, const Form& form, const std::vector<char>& elements) {
  std::string dims;
  for (const int64_t dim : form.dims) dims += std::to_string(dim) + ",";
  std::string header =
      "{'descr': '" + form.type + "', 'fortran_order': False, 'shape': (" + dims + "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  const auto length = static_cast<uint16_t>(header.size());
  std::ofstream out(file, std::ios::binary);
  out.write("\x93NUMPY\x01\x00", 8);
  out.write(reinterpret_cast<const char*>(&length), 2);
  out << header;
  out.write(elements.data(), static_cast<std::streamsize>(elements.size()));
  if (!out.flush()) refuse(file, "cannot be written");
}
)source";

}  // namespace opkit::model_export
