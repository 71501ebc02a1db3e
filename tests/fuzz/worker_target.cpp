// What a worker answers is hostile: every reader of it, against any bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "opkit/isolation/author_call.h"
#include "opkit/isolation/finish.h"
#include "opkit/isolation/frames.h"
#include "opkit/isolation/op_tables.h"
#include "opkit/isolation/request_fields.h"

namespace {

template <typename T>
void read_as(std::string_view bytes) {
  opkit::wire::Names names;
  opkit::wire::Reader reader(bytes, &names);
  T value{};
  reader(value);
  static_cast<void>(opkit::isolation::finish(reader, "fuzzed bytes"));
}

// Tables that are accepted are followed to their ends.
void follow(std::string_view bytes) {
  auto rows = opkit::isolation::read_rows(bytes);
  if (!rows.ok()) return;
  const opkit::isolation::OpTables tables(std::move(rows).value(), {});
  static_cast<void>(opkit::isolation::rows_of(tables.header(), tables.op()));
}

// Parts of any length, as a worker puts them into the mailbox.
void read_frames(std::string_view bytes) {
  opkit::isolation::FrameReader reader(2, 1 << 16);
  opkit::isolation::Frame frame;
  while (!bytes.empty()) {
    const size_t part = std::min<size_t>(bytes.size(), 1 + static_cast<uint8_t>(bytes[0]) % 32);
    reader.parts().append(bytes.substr(0, part));
    bytes.remove_prefix(part);
    while (reader.next(frame) == opkit::isolation::FrameReader::Found::kFrame) {
    }
  }
}

}  // namespace

// The first byte chooses the reader.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0] % 9) {
    case 0: follow(bytes); break;
    case 1: static_cast<void>(opkit::isolation::read_author_answers(bytes, 1, 1024)); break;
    case 2: read_as<opkit::Watched>(bytes); break;
    case 3: read_as<opkit::CoverLaunch>(bytes); break;
    case 4: read_as<opkit::DryWatch>(bytes); break;
    case 5: read_as<opkit::PlanCost>(bytes); break;
    case 6: static_cast<void>(opkit::isolation::read_open_answer(bytes)); break;
    case 7: read_frames(bytes); break;
    default: read_as<opkit::Error>(bytes);
  }
  return 0;
}
