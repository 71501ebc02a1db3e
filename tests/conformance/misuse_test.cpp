// What the vector instructions refuse, and in which words.
#include <gmock/gmock.h>

#include "tests/conformance/elementwise.h"

namespace conformance {
namespace {

using ::testing::HasSubstr;

void expect_fault(const char* code, const char* text, const char* action,
                  const std::function<void()>& body) {
  const auto faults = faults_of(body);
  ASSERT_EQ(faults.size(), 1u) << code;
  EXPECT_EQ(faults[0].code, code);
  EXPECT_THAT(faults[0].message, HasSubstr(text));
  EXPECT_THAT(faults[0].action, HasSubstr(action));
  EXPECT_NE(faults[0].pc, nullptr);
}

// An instruction as a faulty header would send it.
opk_vector_v1 raw(opk_vector_op op, uint8_t operands, uint8_t dtype, uint32_t count) {
  opk_vector_v1 v = AscendC::detail::vector_call(op, operands);
  const uint32_t bases[] = {kDst, kSrc0, kSrc1, kSrc2};
  for (uint32_t i = 0; i < operands && i < 4; ++i) {
    v.operand[i] = AscendC::detail::operand(at<float>(bases[i]));
    v.operand[i].dtype = dtype;
    v.operand[i].block_stride = 1;
    v.operand[i].repeat_stride = 8;
  }
  v.count = count;
  return v;
}

TEST(Misuse, Bounds) {
  expect_fault("EK1002", "Add: source 1 needs 400 bytes in UB, but its tensor has 256", "buffer",
               [] { AscendC::Add(at<float>(kDst), at<float>(kSrc0), at<float>(kSrc1, 256), 100); });
  expect_fault("EK1002", "Exp: source needs 800 bytes", "buffer", [] {
    AscendC::Exp(at<float>(kDst), at<float>(kSrc0, 792), uint64_t{8}, 4,
                 UnaryRepeatParams(1, 1, 8, 8));
  });
  expect_fault("EK1003", "Add: destination starts at byte 4", "32",
               [] { AscendC::Add(at<float>(kDst)[1], at<float>(kSrc0), at<float>(kSrc1), 8); });
}

// Two elements of int4b_t share a byte (page "LocalTensor"): an odd one has no address.
TEST(Misuse, OddIndexesBelowAByte) {
  const auto expect = [](const std::function<void()>& body) {
    expect_fault("EK1013", "cut at an odd index", "even index", body);
  };
  expect([] { kernel_result = at<int4b_t>(kSrc0)[33].GetSize(); });
  expect([] { kernel_result = at<int4b_t>(kSrc0).GetPhyAddr(1); });
  expect([] {
    AscendC::GlobalTensor<int4b_t> x;
    x.SetGlobalBuffer(nullptr, 64);
    kernel_result = x[7].GetSize();
  });
}

TEST(Misuse, Repeats) {
  expect_fault("EK1201", "WholeReduceSum: repeatTime 300 is above 255", "count",
               [] { AscendC::WholeReduceSum(at<float>(kDst), at<float>(kSrc0), 1, 300, 1, 1, 0); });
}

TEST(Misuse, Types) {
  expect_fault("EK1202", "Add: does not exist for bfloat16_t on arch 2201", "cast to float first",
               [] { AscendC::detail::issue(raw(OPK_V_ADD, 3, OPK_BFLOAT16, 8)); });
  expect_fault("EK1202", "Exp: does not exist for int8_t on arch 2201", "cast to half",
               [] { AscendC::detail::issue(raw(OPK_V_EXP, 2, OPK_INT8, 8)); });
  expect_fault("EK1202", "ReduceSum: does not exist for int32_t", "cast",
               [] { AscendC::detail::issue(raw(OPK_V_REDUCE_SUM, 3, OPK_INT32, 8)); });
  expect_fault("EK1202", "Cast: does not exist for float to uint8_t", "two steps", [] {
    opk_vector_v1 v = raw(OPK_V_CAST, 2, OPK_FLOAT32, 8);
    v.operand[0].dtype = OPK_UINT8;
    AscendC::detail::issue(v);
  });
  expect_fault("EK1202", "Gather: offsets of float do not exist", "uint32_t",
               [] { AscendC::detail::issue(raw(OPK_V_GATHER, 3, OPK_FLOAT32, 8)); });
}

TEST(Misuse, RoundModes) {
  expect_fault("EK1203", "Cast: half to float has no CAST_CEIL", "use CAST_NONE", [] {
    AscendC::Cast(at<float>(kDst), at<Half>(kSrc0), AscendC::RoundMode::CAST_CEIL, 8);
  });
  expect_fault("EK1203", "Cast: float to int32_t has no CAST_NONE", "CAST_RINT, CAST_FLOOR", [] {
    AscendC::Cast(at<int32_t>(kDst), at<float>(kSrc0), AscendC::RoundMode::CAST_NONE, 8);
  });
}

TEST(Misuse, UnknownInstruction) {
  expect_fault("EK1205", "operation 5000 with 2 operands is unknown", "rebuild", [] {
    opk_vector_v1 v = raw(OPK_V_EXP, 2, OPK_FLOAT32, 8);
    v.op = 5000;
    AscendC::detail::issue(v);
  });
  expect_fault("EK1205", "copy operation 5000 is unknown to this engine", "rebuild", [] {
    opk_copy_v1 c = AscendC::detail::copy_between(at<float>(kDst), at<float>(kSrc0));
    c.op = 5000;
    c.block_count = 1;
    c.block_bytes = 32;
    AscendC::detail::issue(c);
  });
}

TEST(Misuse, DestinationStride) {
  expect_fault("EK1206", "Abs: the destination's block stride is 0", "dstBlkStride", [] {
    AscendC::Abs(at<float>(kDst), at<float>(kSrc0), uint64_t{64}, 1, UnaryRepeatParams(0, 1, 8, 8));
  });
  expect_fault("EK1206", "Brcb: the destination's block stride is 0", "dstBlkStride", [] {
    AscendC::Brcb(at<float>(kDst), at<float>(kSrc0), 1, {0, 8});
  });
}

TEST(Misuse, CompareCount) {
  expect_fault("EK1207", "Compare: the count 100 is not a multiple of 64 elements", "round", [] {
    AscendC::Compare(at<uint8_t>(kDst), at<float>(kSrc0), at<float>(kSrc1), AscendC::CMPMODE::LT,
                     100);
  });
}

TEST(Misuse, GatherOffsets) {
  const auto gather = [](uint32_t offset) {
    AscendC::Duplicate(at<uint32_t>(kSrc1), offset, 64);
    AscendC::Gather(at<float>(kDst), at<float>(kSrc0, 1024), at<uint32_t>(kSrc1), 0, 64);
  };
  expect_fault("EK1208", "Gather: an offset is not a multiple of 4 bytes", "sizeof(T)",
               [&] { gather(6); });
  expect_fault("EK1208", "offset 1024 reaches behind the source of 1024 bytes", "inside",
               [&] { gather(1024); });
}

TEST(Misuse, GatherMaskPattern) {
  expect_fault("EK1209", "GatherMask: pattern 9 does not exist", "1 to 7", [] {
    uint64_t kept = 0;
    AscendC::GatherMask(at<float>(kDst), at<float>(kSrc0), 9, false, 0,
                        AscendC::GatherMaskParams(1, 1, 8, 8), kept);
  });
  expect_fault("EK1209", "GatherMask: pattern 0 does not exist", "1 to 7", [] {
    uint64_t kept = 0;
    AscendC::GatherMask(at<float>(kDst), at<float>(kSrc0), 0, false, 0,
                        AscendC::GatherMaskParams(1, 1, 8, 8), kept);
  });
}

TEST(Misuse, MergeLists) {
  // Every list `step` pairs behind the one before.
  const auto merge = [](uint16_t length, uint16_t valid, uint16_t repeats, uint32_t step = 4,
                        bool suspend = false) {
    const uint16_t lengths[4] = {length, 4, 4, 4};
    const auto list = [=](uint32_t i) { return at<float>(kSrc0 + i * step * 8); };
    AscendC::MrgSort(at<float>(kDst),
                     AscendC::MrgSortSrcList<float>(list(0), list(1), list(2), list(3)),
                     AscendC::MrgSort4Info(lengths, suspend, valid, repeats));
  };
  expect_fault("EK1210", "MrgSort: validBit 5 is not 3, 7 or 15", "first to last",
               [&] { merge(4, 5, 1); });
  expect_fault("EK1210", "list 0 has 4096 pairs", "4095", [&] { merge(4096, 3, 1); });
  const char* const needs = "needs four lists of the same length that follow each other";
  expect_fault("EK1210", needs, "repeatTimes 1", [&] { merge(8, 15, 2); });
  expect_fault("EK1210", needs, "repeatTimes 1", [&] { merge(4, 7, 2); });
  expect_fault("EK1210", needs, "repeatTimes 1", [&] { merge(4, 15, 2, 8); });
  expect_fault("EK1210", needs, "repeatTimes 1", [&] { merge(4, 15, 2, 4, true); });
}

TEST(Misuse, Modes) {
  expect_fault("EK1211", "Compare: int32_t has no LT", "EQ", [] {
    AscendC::Compare(at<uint8_t>(kDst), at<int32_t>(kSrc0), at<int32_t>(kSrc1),
                     AscendC::CMPMODE::LT, 64);
  });
  expect_fault("EK1211", "Select: SELMODE 7 does not exist", "VSEL_CMPMASK_SPR", [] {
    AscendC::Select(at<float>(kDst), at<uint8_t>(kSrc2), at<float>(kSrc0), at<float>(kSrc1),
                    static_cast<AscendC::SELMODE>(7), 64);
  });
  expect_fault("EK1211", "ReduceOrder 9 does not exist", "ORDER_VALUE_INDEX", [] {
    AscendC::WholeReduceMax(at<float>(kDst), at<float>(kSrc0), 64, 1, 1, 1, 8,
                            static_cast<AscendC::ReduceOrder>(9));
  });
  expect_fault("EK1211", "Compare: there is an unknown CMPMODE", "LT", [] {
    AscendC::Compare(at<uint8_t>(kDst), at<float>(kSrc0), at<float>(kSrc1),
                     static_cast<AscendC::CMPMODE>(9), 64);
  });
}

TEST(Misuse, NegativeCount) {
  expect_fault("EK1214", "Add: the count -3 is negative", "",
               [] { AscendC::Add(at<float>(kDst), at<float>(kSrc0), at<float>(kSrc1), -3); });
}

TEST(Misuse, ShiftsBeyondTheType) {
  expect_fault("EK1218", "ShiftLeft: the scalar 17 is not from 0 to 16", "bits",
               [] { AscendC::ShiftLeft(at<int16_t>(kDst), at<int16_t>(kSrc0), int16_t{17}, 64); });
  expect_fault("EK1218", "ShiftRight: the scalar -1 is not from 0 to 32", "bits",
               [] { AscendC::ShiftRight(at<int32_t>(kDst), at<int32_t>(kSrc0), -1, 64); });
}

TEST(Misuse, WorkTensorsOfReductions) {
  expect_fault("EK1002", "ReduceMax: sharedTmpBuffer needs 128 bytes in UB, but its tensor has 32",
               "buffer", [] {
                 AscendC::ReduceMax(at<float>(kDst), at<float>(kSrc0), at<float>(kSrc2, 32), 640,
                                    true);
               });
  expect_fault("EK1002", "ReduceSum: sharedTmpBuffer needs 416 bytes", "buffer", [] {
    AscendC::ReduceSum(at<float>(kDst), at<float>(kSrc0), at<float>(kSrc2, 32), 64, 100, 0);
  });
  expect_fault("EK1003", "ReduceMin: destination", "", [] {
    AscendC::ReduceMin(at<float>(kDst + 4), at<float>(kSrc0), at<float>(kSrc2), 64);
  });
  expect_fault("EK1003", "WholeReduceMax: destination", "", [] {
    AscendC::WholeReduceMax(at<float>(kDst + 4), at<float>(kSrc0), 64, 1, 1, 1, 8);
  });
  expect_fault("EK1201", "ReduceSum: 100000 iterations are above 65534", "count", [] {
    AscendC::SetMaskCount();
    AscendC::ReduceSum(at<float>(kDst), at<float>(kSrc0), at<float>(kSrc2), 6400000, 1, 0);
  });
}

TEST(Misuse, TransposeOutsideUb) {
  expect_fault("EK1001", "TransDataTo5HD: source", "inside", [] {
    uint64_t dst[16], src[16];
    for (uint32_t i = 0; i < 16; ++i) {
      dst[i] = at<Half>(kDst + i * 32).GetPhyAddr();
      src[i] = at<Half>(kSrc0 + i * 32).GetPhyAddr();
    }
    src[7] += 1u << 30;
    AscendC::TransDataTo5HD<Half>(dst, src, AscendC::TransDataTo5HDParams(false, false, 1, 0, 0));
  });
}

}  // namespace
}  // namespace conformance
