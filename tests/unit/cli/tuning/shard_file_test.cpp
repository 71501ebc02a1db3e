// Files of shards: what is written is read again; what somebody else wrote never crashes.
#include "opkit/cli/tuning/shard_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "opkit/cli/tuning/job_answer.h"

namespace opkit::cli {
namespace {

using ::testing::HasSubstr;

std::filesystem::path file_of(const std::string& text) {
  // Tests of this file run side by side.
  const auto file =
      std::filesystem::path(testing::TempDir()) / ("shard" + std::to_string(::getpid()) + ".json");
  std::ofstream(file) << text;
  return file;
}

TuneJob job_of(const std::string& digest) {
  TuneJob job;
  job.digest = digest;
  return job;
}

tuning::Tuned tuned_call(bool right) {
  tuning::Tuned tuned;
  tuned.subject = {"Odd", "1.0.0", "c", "p", "float16[8]", "", "Ascend910B1", "f"};
  tuned.found.rows.resize(2);
  tuned.found.rows[0].ns = 9;
  tuned.found.rows[1].ns = 7;
  tuned.found.rows[1].knobs["tuning.tile"] = int64_t{2};
  if (right) tuned.winner = 1;
  return tuned;
}

TEST(ShardFile, HoldsWinnersFailuresAndJobsWithoutAWinner) {
  const std::vector<TuneJob> jobs = {job_of("a1"), job_of("b2"), job_of("c3")};
  ShardFile file({1, 1}, jobs);
  file.add(jobs[0], fate_json(tuned_call(true)));
  file.add(jobs[1], fate_json(tuned_call(false)));
  file.add(jobs[2], fate_json(Error("OPK-TUNE-007", "not modelled", "look").of("Odd")));
  const auto path = file_of("");
  ASSERT_TRUE(file.write(path).ok());
  const auto read = read_shard_file(path.string());
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  ASSERT_EQ(read->results.size(), 3u);
  const JobFate& winner = read->results.at("a1");
  ASSERT_TRUE(winner.bank);
  EXPECT_EQ(winner.bank->op, "Odd");
  EXPECT_EQ(winner.bank->entries[0].ns, 7u);
  EXPECT_FALSE(read->results.at("b2").bank || read->results.at("b2").error);
  ASSERT_TRUE(read->results.at("c3").error);
  EXPECT_EQ(read->results.at("c3").error->code, "OPK-TUNE-007");
  EXPECT_EQ(read->results.at("c3").error->op, "Odd");
}

TEST(ShardFile, WhatIsNoneIsSaid) {
  const std::string head = "{\"shard\": 1, \"shards\": 1, \"jobs\": [\"a\"], \"results\": [";
  for (const std::string& bad :
       {std::string("[]"), std::string("{}"), std::string("3"), head + "3]}", head + "{}]}",
        head + "{\"job\": \"a\"}]}", head + "{\"job\": \"a\", \"bank\": []}]}",
        head + "{\"job\": \"a\", \"error\": {}}]}",
        head + "{\"job\": \"a\", \"bank\": {\"bank\": 1, \"entries\": []}}]}"})
    EXPECT_FALSE(read_shard_file(file_of(bad).string()).ok()) << bad;
}

TEST(JobAnswer, CrossesProcesses) {
  JobAnswer sent{fate_json(tuned_call(true)), "/opp/b.json", "text\n", Json{{"op", "Odd"}}, "<p>"};
  const auto got = read_answer(message_of(sent));
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->bank, sent.bank);
  EXPECT_EQ(got->text, sent.text);
  EXPECT_EQ(got->section, sent.section);
  EXPECT_EQ(got->fate.dump(0), sent.fate.dump(0));
  EXPECT_EQ(got->call.dump(0), sent.call.dump(0));
  EXPECT_EQ(fate_of(*got)->bank->entries[0].knobs.size(), 1u);
  for (const char* bad : {"", "[", "3", "{}"}) EXPECT_FALSE(read_answer(bad).ok()) << bad;
}

}  // namespace
}  // namespace opkit::cli
