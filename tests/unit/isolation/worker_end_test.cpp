#include "opkit/isolation/worker_end.h"

#include <gmock/gmock.h>
#include <signal.h>

namespace opkit::isolation {
namespace {

using testing::HasSubstr;

constexpr const char* kContract = R"yaml(op: Add
version: "1.0.0"
inputs:
  x: {dtype: float32, shape: "N", format: ND}
outputs:
  z: {dtype: float32, shape: "N", format: ND}
reference:
  - {op: Relu, in: [x], out: z}
soc: [Ascend910B]
)yaml";

// A call whose output of 400 bytes lies at 0x200000, its input at 0x100000.
class AWorkersEnd : public testing::Test {
 protected:
  AWorkersEnd() : contract_(OpContract::parse(kContract, "op_contract.yaml").value()) {
    plan_.contract = &contract_;
    at_.inputs = {{Slot{kPage, kPage, kPage, 400, 448}}};
    at_.outputs = {{Slot{kPage, kPage, 2 * kPage - 512, 400, 448, true}}};
    end_.phase = Phase::kKernel;
    end_.described = true;
    end_.cause = WorkerEnd::Cause::kSignal;
    end_.signal = SIGSEGV;
    end_.code = SEGV_MAPERR;
  }

  Error told(uint64_t address, FaultAccess access) {
    end_.address = address;
    end_.access = access;
    return error_of(end_, {"Add", &plan_, &at_, 0x100000, 0x200000}, std::nullopt);
  }

  OpContract contract_;
  CallPlan plan_;
  Placement at_;
  WorkerEnd end_;
};

TEST_F(AWorkersEnd, NamesTheTensorAndTheByte) {
  const Error behind = told(0x200000 + 2 * kPage, FaultAccess::kWrite);
  EXPECT_EQ(behind.code, "OPK-WORKER-005");
  EXPECT_THAT(behind.message, HasSubstr("it wrote 112 bytes behind the end of output 'z'"));
  const Error front = told(0x200000 + 2 * kPage - 520, FaultAccess::kRead);
  EXPECT_THAT(front.message, HasSubstr("it read 8 bytes in front of output 'z'"));
  const Error input = told(0x100000 + kPage + 3, FaultAccess::kWrite);
  EXPECT_THAT(input.message, HasSubstr("byte 3 of input 'x', which may only be read"));
}

TEST_F(AWorkersEnd, TellsNullPointersFromOthers) {
  EXPECT_EQ(told(8, FaultAccess::kRead).code, "OPK-WORKER-002");
  EXPECT_THAT(told(8, FaultAccess::kRead).message, HasSubstr("address 0x8, a null pointer"));
  EXPECT_THAT(told(0x7000000000, FaultAccess::kWrite).message,
              HasSubstr("it wrote address 0x7000000000"));
}

TEST_F(AWorkersEnd, HasAWordForEachCause) {
  const std::pair<WorkerEnd::Cause, const char*> kCauses[] = {
      {WorkerEnd::Cause::kExit, "OPK-WORKER-003"},
      {WorkerEnd::Cause::kClosed, "OPK-WORKER-003"},
      {WorkerEnd::Cause::kTime, "OPK-WORKER-004"},
      {WorkerEnd::Cause::kNonsense, "OPK-WORKER-006"},
      {WorkerEnd::Cause::kOutput, "OPK-WORKER-008"},
      {WorkerEnd::Cause::kMemory, "OPK-WORKER-009"}};
  for (const auto& [cause, code] : kCauses) {
    end_.cause = cause;
    const Error error = told(0, FaultAccess::kUnknown);
    EXPECT_EQ(error.code, code);
    EXPECT_EQ(error.op, "Add");
    EXPECT_FALSE(error.action.empty());
  }
  end_.cause = WorkerEnd::Cause::kSignal;
  end_.exception = "std::runtime_error: boom";
  EXPECT_EQ(told(0, FaultAccess::kUnknown).code, "OPK-WORKER-007");
}

// However it ended: the plugin had no part in it.
TEST_F(AWorkersEnd, BeforeItCameToThePluginTheProgramIsNamed) {
  CallInFlight call{"Add"};
  call.opening = true;
  end_ = {};
  end_.program = "/bin/true";
  for (const auto cause :
       {WorkerEnd::Cause::kExit, WorkerEnd::Cause::kClosed, WorkerEnd::Cause::kTime,
        WorkerEnd::Cause::kNonsense, WorkerEnd::Cause::kOutput, WorkerEnd::Cause::kMemory,
        WorkerEnd::Cause::kSignal}) {
    end_.cause = cause;
    end_.signal = cause == WorkerEnd::Cause::kSignal ? SIGKILL : 0;
    const Error error = error_of(end_, call, std::nullopt);
    EXPECT_EQ(error.code, "OPK-WORKER-001");
    EXPECT_THAT(error.message, HasSubstr("the worker /bin/true "));
  }
  EXPECT_THAT(error_of(end_, call, std::nullopt).message, HasSubstr("died with SIGKILL"));
  end_.cause = WorkerEnd::Cause::kExit;
  end_.exit_code = 127;
  EXPECT_THAT(error_of(end_, call, std::nullopt).message, HasSubstr("ended with code 127"));
}

// A page that says so is believed no longer than until the plugin runs.
TEST_F(AWorkersEnd, APluginsOwnEndStaysItsOwn) {
  CallInFlight call{"Add"};
  call.opening = true;
  end_ = {};
  for (const Phase phase : {Phase::kLoading, Phase::kQuery, Phase::kCount}) {
    end_.phase = phase;
    EXPECT_EQ(error_of(end_, call, std::nullopt).code, "OPK-WORKER-003");
  }
  call.opening = false;
  end_.phase = Phase::kStarting;
  EXPECT_EQ(error_of(end_, call, std::nullopt).code, "OPK-WORKER-003");
}

// Only what the plugin did counts against it.
TEST_F(AWorkersEnd, WhatTheMachineLackedIsNotThePlugins) {
  for (const auto& [signal, words] : {std::pair(SIGKILL, "killed from outside (SIGKILL)"),
                                      std::pair(SIGXCPU, "processor time")}) {
    end_.signal = signal;
    const Error error = told(0, FaultAccess::kUnknown);
    EXPECT_EQ(error.code, "OPK-WORKER-012");
    EXPECT_THAT(error.message, HasSubstr(words));
  }
  end_.signal = SIGABRT;
  end_.exception = "std::bad_alloc";
  const std::pair<Want, const char*> kWants[] = {{Want::kMemory, "got no memory (std::bad_alloc)"},
                                                 {Want::kThreads, "could start no thread"},
                                                 {Want::kOutside, "from outside with SIGABRT"}};
  for (const auto& [want, words] : kWants) {
    end_.want = want;
    const Error error = told(0, FaultAccess::kUnknown);
    EXPECT_EQ(error.code, "OPK-WORKER-012");
    EXPECT_THAT(error.message, HasSubstr(words));
    EXPECT_FALSE(error.action.empty());
  }
}

TEST_F(AWorkersEnd, APluginThatKillsItselfIsTold) {
  end_.signal = SIGSYS;
  end_.code = 1;
  const Error error = told(0, FaultAccess::kUnknown);
  EXPECT_EQ(error.code, "OPK-WORKER-002");
  EXPECT_THAT(error.message, HasSubstr("killed its own process"));
}

TEST_F(AWorkersEnd, SaysHowMuchWasAllowed) {
  end_.cause = WorkerEnd::Cause::kMemory;
  end_.allowed = 1000;
  end_.allowed_said = "for the control group /job allows 1 MiB";
  EXPECT_THAT(told(0, FaultAccess::kUnknown).message,
              HasSubstr("than is allowed: 1000 bytes, for the control group /job allows 1 MiB"));
}

TEST_F(AWorkersEnd, SaysWhereAndWhatWasPrinted) {
  end_.in_block = true;
  end_.block = 3;
  end_.sub_block = 1;
  end_.printed = "almost\x1b[31m there\n";
  const debug::SourceLine line{"/x/op_kernel/add.cpp", 48, ""};
  const Error error = error_of(end_, {"Add"}, line);
  ASSERT_EQ(error.trail.size(), 2u);
  EXPECT_EQ(error.trail[0], "op_kernel/add.cpp:48, block 3, vector core 1");
  EXPECT_EQ(error.trail[1], "it printed: almost [31m there");
}

}  // namespace
}  // namespace opkit::isolation
