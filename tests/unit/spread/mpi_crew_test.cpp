// Ranks without MPI: a table whose messages the test makes.
#include "opkit/spread/mpi_crew.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <deque>
#include <utility>

#include "opkit/spread/spread.h"

namespace opkit::spread {
namespace {

struct Post {
  std::deque<std::pair<int, std::string>> coming;
  std::vector<std::pair<int, std::string>> sent;
  std::string last;
  bool failed = false;
};
Post& post() {
  static Post one;
  return one;
}

int fake_send(int to, const char* bytes, size_t size) {
  post().sent.emplace_back(to, std::string(bytes, size));
  // Answers every job at once, as rank 1.
  if (bytes[0] == 'J') post().coming.emplace_back(to, "A" + std::string(bytes + 1, size - 1) + "!");
  return 0;
}
int fake_poll(int* from, const char** bytes, size_t* size) {
  if (post().failed) return -1;
  if (post().coming.empty()) return 0;
  std::tie(*from, post().last) = post().coming.front();
  post().coming.pop_front();
  *bytes = post().last.data();
  *size = post().last.size();
  return 1;
}
void fake_end() {}

opkit_mpi_v1 ranks(int rank) {
  post() = {};
  return {rank, 2, fake_send, fake_poll, fake_end};
}

TEST(MpiCrew, RankZeroHandsOutAndWorks) {
  const opkit_mpi_v1 mpi = ranks(0);
  post().coming = {{1, "Hlist"}};
  std::vector<JobEnd> ends;
  {
    MpiCrew crew(mpi, [](size_t job) { return std::to_string(job) + "!"; });
    ASSERT_TRUE(crew.meet("list").ok());
    ends = work_off(6, crew);
  }
  for (size_t job = 0; job < ends.size(); ++job)
    EXPECT_EQ(ends[job].answer, std::to_string(job) + "!");
  EXPECT_EQ(post().sent.back(), std::make_pair(1, std::string("E")));
  EXPECT_EQ(post().sent.front().second, "J1");  // rank 0 has the first one
}

TEST(MpiCrew, AnotherListIsRefused) {
  const opkit_mpi_v1 mpi = ranks(0);
  post().coming = {{1, "Hother"}};
  MpiCrew crew(mpi, [](size_t) { return std::string(); });
  const Status met = crew.meet("list");
  ASSERT_FALSE(met.ok());
  EXPECT_EQ(met.error().code, "OPK-SPREAD-003");
  EXPECT_NE(met.error().message.find("rank 1"), std::string::npos);
}

TEST(MpiCrew, AFailureOfMpiIsSaid) {
  const opkit_mpi_v1 mpi = ranks(1);
  post().failed = true;
  const Status helped = help(mpi, "list", [](size_t) { return std::string(); });
  ASSERT_FALSE(helped.ok());
  EXPECT_EQ(helped.error().code, "OPK-SPREAD-004");
}

TEST(MpiCrew, RankZeroGoesOnAloneWhereMpiFails) {
  const opkit_mpi_v1 mpi = ranks(0);
  post().failed = true;
  MpiCrew crew(mpi, [](size_t job) { return std::to_string(job); });
  const auto ends = work_off(4, crew);
  for (size_t job = 0; job < ends.size(); ++job) EXPECT_EQ(ends[job].answer, std::to_string(job));
}

TEST(MpiCrew, ARankHelpsUntilThereIsNoMore) {
  const opkit_mpi_v1 mpi = ranks(1);
  post().coming = {{0, "J4"}, {0, "J7"}, {0, "E"}};
  const auto square = [](size_t job) { return std::to_string(job * job); };
  ASSERT_TRUE(help(mpi, "list", square).ok());
  ASSERT_EQ(post().sent.size(), 3u);
  EXPECT_EQ(post().sent[0].second, "Hlist");
  EXPECT_EQ(post().sent[1].second, "A16");
  EXPECT_EQ(post().sent[2].second, "A49");
}

TEST(Spread, ARankWithoutTheLibraryIsRefused) {
  setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
  const auto ends = spread({1, "list", [](size_t) { return std::string(); }}, 1);
  unsetenv("OMPI_COMM_WORLD_SIZE");
  ASSERT_FALSE(ends.ok());
  EXPECT_EQ(ends.error().code, "OPK-SPREAD-002");
}

TEST(Spread, WithoutMpiItRunsOnProcesses) {
  const auto ends = spread({3, "list", [](size_t job) { return std::to_string(job); }}, 2);
  ASSERT_TRUE(ends.ok());
  EXPECT_EQ((**ends)[2].answer, "2");
}

}  // namespace
}  // namespace opkit::spread
