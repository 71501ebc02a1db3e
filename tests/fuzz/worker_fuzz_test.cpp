#include <gtest/gtest.h>

#include "mutator.h"
#include "opkit/isolation/author_call.h"
#include "opkit/isolation/finish.h"
#include "opkit/isolation/frames.h"
#include "opkit/isolation/op_tables.h"
#include "opkit/isolation/request_fields.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace opkit::fuzz {
namespace {

std::vector<std::string> seeds() {
  isolation::OpRows rows;
  rows.type = "Add";
  rows.kernels = {{0, 0, "add", 3, 5, false, true, false}};
  rows.declared.emplace();
  rows.declared->ports.resize(1);
  rows.declared->ports[0].dtypes = rows.declared->ports[0].formats = {1, 2};
  isolation::AuthorAnswer answer;
  answer.log = {{2, "OPK-HOST-001", "text"}};
  answer.inferred.resize(1);
  answer.tiling_data.resize(16);
  Watched seen;
  seen.report.faults.resize(1);
  seen.checked.findings.resize(1);
  seen.timed.emplace();
  seen.timed->cores.resize(1);
  seen.timed->spans = {{0, 0, 0, 1, "Add", nullptr}};
  seen.timed->instructions[{0, "Add"}].count = 1;
  CoverLaunch cover;
  cover.outputs = {{core::CoverOfRange()}};
  cover.outputs[0][0].holes = {{0, 4}};
  isolation::OpenAnswer open;
  open.rows = to_bytes(rows);
  std::string frames;
  isolation::append_frame(frames, 0, "an answer");
  isolation::append_frame(frames, 1, "an error");
  return {std::string(1, 0) + to_bytes(rows),
          std::string(1, 1) + to_bytes(std::vector{answer}),
          std::string(1, 2) + wire::written(seen),
          std::string(1, 3) + wire::written(cover),
          std::string(1, 4) + wire::written(DryWatch{{}, seen, 0.5}),
          std::string(1, 5) + wire::written(PlanCost()),
          std::string(1, 6) + to_bytes(open),
          std::string(1, 7) + frames,
          std::string(1, 8) + wire::written(Error("OPK-RUN-001", "message"))};
}

TEST(WorkerFuzz, TheSeedsAreGood) {
  const std::vector<std::string> all = seeds();
  const auto body = [&](size_t i) { return std::string_view(all[i]).substr(1); };
  EXPECT_TRUE(isolation::read_rows(body(0)).ok());
  EXPECT_TRUE(isolation::read_author_answers(body(1), 1, 1024).ok());
  EXPECT_FALSE(isolation::read_author_answers(body(1), 2, 1024).ok());
  EXPECT_FALSE(isolation::read_author_answers(body(1), 1, 8).ok());
  EXPECT_TRUE(isolation::read_open_answer(body(6)).ok());
  wire::Names names;
  wire::Reader reader(body(2), &names);
  Watched seen;
  reader(seen);
  EXPECT_TRUE(isolation::finish(reader, "what was seen").ok());
}

TEST(WorkerFuzz, NoMutantBreaksAPromise) {
  constexpr int kMutants = 40000;
  Mutator mutator(
      20261122, seeds(),
      {std::string(8, '\0'), std::string(8, '\xff'), std::string("\x01\0\0\0\0\0\0\0", 8),
       std::string("\0\0\0\0\0\0\0\x10", 8), std::string("\xff\xff\xff\x7f", 4)});
  for (int i = 0; i < kMutants; ++i) {
    const std::string bytes = mutator.next();
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  }
}

}  // namespace
}  // namespace opkit::fuzz
