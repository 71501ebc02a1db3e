// An author's macros, which stand in front of the includes, as in published op_host sources: other
// parameters than in opkit's macros of the same names, and no semicolon behind a use.
#include <gtest/gtest.h>

#include <string>

namespace {
std::string g_said;  // holds what the author's macros say
}

#define OP_LOGE(NAME, LOG, ...) g_said += std::string(NAME) + ": " + LOG
#define OPS_LOG_E_IF(NAME, CONDITION, LEAVE, LOG, ...) \
  do {                                                 \
    if (CONDITION) {                                   \
      OP_LOGE(NAME, LOG, ##__VA_ARGS__);               \
      LEAVE;                                           \
    }                                                  \
  } while (0)
#define OPS_LOG_E_IF_NULL(NAME, POINTER, LEAVE) \
  if ((POINTER) == nullptr) {                   \
    LEAVE;                                      \
  }

#include "register/op_def_registry.h"

namespace opkit {
namespace {

// Leaves as soon as one check holds.
int stopped_by(const int* pointer, int limit) {
  OPS_LOG_E_IF_NULL("op", pointer, return 1)
  OPS_LOG_E_IF("op", *pointer > limit, return 2, "too large");
  OP_CHECK_NULL_WITH_CONTEXT_RET("op", pointer, 3);
  OP_LOGW("op", "a warning");
  return 0;
}

TEST(OwnLogMacros, AreKept) {
  const int value = 5;
  EXPECT_EQ(stopped_by(nullptr, 5), 1);
  EXPECT_EQ(stopped_by(&value, 4), 2);
  EXPECT_EQ(g_said, "op: too large");
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(stopped_by(&value, 5), 0);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "warning: op: a warning\n");
}

}  // namespace
}  // namespace opkit
