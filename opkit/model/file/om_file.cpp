#include "opkit/model/file/om_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "opkit/base/digest.h"
#include "opkit/base/file.h"
#include "opkit/model/file/fields.h"
#include "opkit/model/file/om_header.h"
#include "opkit/model/file/validate.h"

namespace opkit::model {
namespace {

using Parts = std::array<std::string_view, kParts>;

uint64_t aligned(uint64_t bytes) {
  return (bytes + kPartAlignment - 1) / kPartAlignment * kPartAlignment;
}

template <size_t N>
void copy_text(std::array<char, N>& to, const std::string& text) {
  std::memcpy(to.data(), text.data(), std::min(text.size(), N));
}

template <typename T>
std::string_view bytes_of(const T& plain) {
  return {reinterpret_cast<const char*>(&plain), sizeof(T)};
}

template <typename Fields>
std::string written(const OfflineModel& model, Fields fields) {
  wire::Writer writer;
  fields(writer, const_cast<OfflineModel&>(model));
  return writer.take();
}

// Returns what stands behind the header: the table of parts, then the parts, each at a multiple of
// kPartAlignment.
std::string body_of(const Parts& parts) {
  const uint64_t table = sizeof(uint64_t) + kParts * sizeof(Part);
  std::string body;
  const uint64_t count = kParts;
  body += bytes_of(count);
  uint64_t offset = aligned(sizeof(Header) + table);
  for (uint32_t type = 0; type < kParts; ++type) {
    body += bytes_of(Part{type, 0, offset, parts[type].size()});
    offset = aligned(offset + parts[type].size());
  }
  for (const std::string_view part : parts) {
    body.resize(aligned(sizeof(Header) + body.size()) - sizeof(Header));
    body += part;
  }
  return body;
}

Error no_model(std::string why) {
  return Error(kNoOm, "this is no offline model: " + why, "give a file that atc wrote");
}
Error damaged(std::string why) {
  return Error(kDamaged, "the offline model is damaged: " + why, "make it again with atc");
}

// Returns the header that belongs to the model and to what stands behind it.
Header header_of(const OfflineModel& model, std::string_view body) {
  Header header;
  header.length = body.size();
  copy_text(header.sha256, sha256_hex(body));
  copy_text(header.name, model.name);
  copy_text(header.made_by, model.made_by);
  return header;
}

Result<Header> read_header(std::string_view bytes) {
  Header header;
  if (bytes.size() < sizeof(Header))
    return no_model(fmt::format("{} bytes are shorter than the header", bytes.size()));
  std::memcpy(&header, bytes.data(), sizeof(Header));
  if (header.magic != kMagic) return no_model("it does not start with IMOD");
  if ((header.version & 0xFFFF0000u) != kVersionSeries)
    return Error(kOtherOm, "this offline model was not made by opkit: it holds kernels of the chip",
                 "compile the ONNX model with opkit's atc");
  if (header.version != kVersion || header.size != sizeof(Header))
    return Error(kOtherOm,
                 fmt::format("the offline model has version {}, this opkit reads {}",
                             header.version - kVersionSeries, kVersion - kVersionSeries),
                 "compile the model again with this opkit");
  if (header.length != bytes.size() - sizeof(Header))
    return damaged(fmt::format("{} bytes follow the header, it says {}",
                               bytes.size() - sizeof(Header), header.length));
  return header;
}

Result<Parts> read_parts(std::string_view bytes) {
  Parts parts;
  const size_t table = sizeof(Header) + sizeof(uint64_t);
  if (bytes.size() < table + kParts * sizeof(Part)) return damaged("the table of parts is cut off");
  uint64_t count = 0;
  std::memcpy(&count, bytes.data() + sizeof(Header), sizeof(count));
  if (count != kParts) return damaged(fmt::format("it has {} parts, not {}", count, kParts));
  for (uint32_t type = 0; type < kParts; ++type) {
    Part part;
    std::memcpy(&part, bytes.data() + table + type * sizeof(Part), sizeof(Part));
    const bool inside = part.offset <= bytes.size() && part.size <= bytes.size() - part.offset;
    if (part.type != type || part.offset % kPartAlignment != 0 || !inside)
      return damaged(fmt::format("part {} of {} bytes at {} is not in the file", type, part.size,
                                 part.offset));
    parts[type] = bytes.substr(part.offset, part.size);
  }
  return parts;
}

}  // namespace

std::string encode(const OfflineModel& model) {
  const auto fields_of = [](auto part) { return part; };
  std::string definition =
      written(model, fields_of([](auto& archive, auto& m) { definition_fields(archive, m); }));
  if (!model.aipp.empty() || !model.bodies.empty()) definition += wire::written(model.aipp);
  if (!model.bodies.empty()) definition += wire::written(model.bodies);
  const std::string tasks =
      written(model, fields_of([](auto& archive, auto& m) { task_fields(archive, m); }));
  const std::string plugins =
      written(model, fields_of([](auto& archive, auto& m) { plugin_fields(archive, m); }));
  const std::string body = body_of({definition, model.weights, tasks, plugins});
  std::string file(bytes_of(header_of(model, body)));
  return file += body;
}

Result<OfflineModel> decode(std::string_view bytes) {
  OPKIT_TRY(const Header header, read_header(bytes));
  const std::string digest = sha256_hex(bytes.substr(sizeof(Header)));
  if (!std::equal(digest.begin(), digest.end(), header.sha256.begin()))
    return damaged("its digest is another one");
  OPKIT_TRY(const Parts parts, read_parts(bytes));
  OfflineModel model;
  wire::Reader definition(parts[0]), tasks(parts[2]), plugins(parts[3]);
  definition_fields(definition, model);
  if (!definition.done()) definition(model.aipp);
  if (!definition.done()) definition(model.bodies);
  task_fields(tasks, model);
  plugin_fields(plugins, model);
  if (!definition.done() || !tasks.done() || !plugins.done())
    return damaged("a part ends too early or too late");
  if (bytes_of(header_of(model, bytes.substr(sizeof(Header)))) != bytes.substr(0, sizeof(Header)))
    return damaged("its header says something else than its parts");
  model.weights = parts[1];
  OPKIT_CHECK(validate(model));
  return model;
}

Result<OfflineModel> load(const std::filesystem::path& path) {
  OPKIT_TRY(const std::string bytes, read_file(path, size_t{1} << 34));
  auto model = decode(bytes);
  if (!model.ok()) return std::move(std::move(model).error()).with("file " + shown(path));
  return model;
}

Status save(const std::filesystem::path& path, const OfflineModel& model) {
  return write_file(path, encode(model));
}

}  // namespace opkit::model
