// The corpus: small faulty kernels, each with a fault-free twin. A kernel is a template on
// `bool kFault`; the line that its report must name carries the comment "// FAULT: <kernel>".
#ifndef OPKIT_TESTS_FAULTS_CORPUS_H_
#define OPKIT_TESTS_FAULTS_CORPUS_H_

#include "faulty.h"

namespace faults {

struct Case {
  std::string code;
  std::string kernel;  // its name, and the mark of the faulty line
  std::string file;
  std::string says;                  // part of the message
  opk_kernel_fn vector[2], cube[2];  // twin, faulty; nullptr: the launch has no such core
  LaunchSetup setup;
  std::vector<std::string> also;  // codes of what follows from the fault
  bool pair = false;              // both parties must be named

  Case on(uint32_t blocks) && {
    setup.blocks = blocks;
    return std::move(*this);
  }
  Case with(opkit::core::CheckedOptions options) && {
    setup.options = options;
    return std::move(*this);
  }
  Case with_whole_output() && {
    setup.whole_output = true;
    return std::move(*this);
  }
  Case then(const char* consequence) && {
    also.emplace_back(consequence);
    return std::move(*this);
  }
  Case between_two() && {
    pair = true;
    return std::move(*this);
  }
  opkit::core::CheckedReport run(bool faulty) const;
};

using Family = std::vector<Case>;

Family memory_faults();
Family queue_faults();
Family pool_faults();
Family author_pool_faults();
Family vector_faults();
Family dequant_faults();
Family initialisation_faults();
Family unset_faults();
Family event_faults();
Family cache_faults();
Family product_faults();
Family output_faults();
Family numeric_faults();
Family race_faults();
Family flag_faults();
Family needless_faults();
Family core_faults();
Family cross_faults();
Family system_faults();
Family cube_faults();
Family fill_faults();
Family nibble_faults();
Family row_vector_faults();
Family matmul_faults();
Family matmul_gm_faults();
Family advanced_faults();
Family library_faults();

// Every family, by name.
std::vector<std::pair<std::string, Family>> whole_corpus();

inline Case make_case(const char* code, const char* kernel, const char* file, const char* says,
                      opk_kernel_fn twin, opk_kernel_fn faulty, opk_kernel_fn cube_twin,
                      opk_kernel_fn cube_faulty, int task_type) {
  Case c{code, kernel, file, says, {twin, faulty}, {cube_twin, cube_faulty}, {}, {}, false};
  c.setup.task_type = task_type;
  return c;
}

}  // namespace faults

#define VECTOR_FAULT(code, kernel, says)                                              \
  ::faults::make_case(code, #kernel, __FILE__, says, &::faults::entry<kernel<false>>, \
                      &::faults::entry<kernel<true>>, nullptr, nullptr, OPK_TASK_AIV_ONLY)
#define CUBE_FAULT(code, kernel, says)                                                 \
  ::faults::make_case(code, #kernel, __FILE__, says, nullptr, nullptr,                 \
                      &::faults::entry<kernel<false>>, &::faults::entry<kernel<true>>, \
                      OPK_TASK_AIC_ONLY)
// Two kernels of one launch; `kernel` is the one with the marked line.
#define MIXED_FAULT(code, kernel, vector_kernel, cube_kernel, says)                                \
  ::faults::make_case(code, #kernel, __FILE__, says, &::faults::entry<vector_kernel<false>>,       \
                      &::faults::entry<vector_kernel<true>>, &::faults::entry<cube_kernel<false>>, \
                      &::faults::entry<cube_kernel<true>>, OPK_TASK_MIX_1_2)

#endif  // OPKIT_TESTS_FAULTS_CORPUS_H_
