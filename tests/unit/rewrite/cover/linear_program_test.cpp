// Covers against GLPK: the same problem as a 0/1 program, larger than trying everything allows.
#include <glpk.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "opkit/rewrite/cover/cover.h"
#include "tests/unit/rewrite/cover/random_problem.h"

namespace opkit::cover {
namespace {

// Columns: a 0/1 for each candidate, then for each node its place in the order of evaluation.
class Program {
 public:
  explicit Program(const CoverProblem& problem)
      : problem_(problem), last_(static_cast<double>(problem.nodes)) {
    glp_set_obj_dir(lp_.get(), GLP_MIN);
    add_columns();
    for (size_t node = 0; node < problem.nodes; ++node) take_once(node);
    for (size_t c = 0; c < problem.candidates.size(); ++c) join(c);
    for (const auto& [from, to] : problem.edges) order(from, to);
  }

  uint64_t least_cost() {
    glp_iocp options;
    glp_init_iocp(&options);
    options.presolve = GLP_ON;
    options.msg_lev = GLP_MSG_OFF;
    EXPECT_EQ(glp_intopt(lp_.get(), &options), 0);
    EXPECT_EQ(glp_mip_status(lp_.get()), GLP_OPT);
    return static_cast<uint64_t>(std::llround(glp_mip_obj_val(lp_.get())));
  }

 private:
  struct Term {
    int column;
    double factor;
  };

  bool holds(size_t candidate, size_t node) const {
    const auto& nodes = problem_.candidates[candidate].nodes;
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  }
  static int taken(size_t candidate) { return static_cast<int>(candidate) + 1; }
  int place(size_t node) const { return static_cast<int>(problem_.candidates.size() + node) + 1; }

  void add_columns() {
    glp_add_cols(lp_.get(), static_cast<int>(problem_.candidates.size() + problem_.nodes));
    for (size_t c = 0; c < problem_.candidates.size(); ++c) {
      glp_set_col_kind(lp_.get(), taken(c), GLP_BV);
      glp_set_obj_coef(lp_.get(), taken(c), static_cast<double>(problem_.candidates[c].cost));
    }
    for (size_t node = 0; node < problem_.nodes; ++node)
      glp_set_col_bnds(lp_.get(), place(node), GLP_DB, 0, last_);
  }

  void add_row(const std::vector<Term>& terms, int kind, double bound) {
    std::vector<int> columns = {0};  // GLPK counts from 1
    std::vector<double> factors = {0};
    for (const Term& term : terms) {
      columns.push_back(term.column);
      factors.push_back(term.factor);
    }
    const int row = glp_add_rows(lp_.get(), 1);
    glp_set_row_bnds(lp_.get(), row, kind, bound, bound);
    glp_set_mat_row(lp_.get(), row, static_cast<int>(terms.size()), columns.data(), factors.data());
  }

  void take_once(size_t node) {
    std::vector<Term> terms;
    for (size_t c = 0; c < problem_.candidates.size(); ++c) {
      if (holds(c, node)) terms.push_back({taken(c), 1});
    }
    add_row(terms, GLP_FX, 1);
  }

  // The nodes of a candidate that is taken have one place.
  void join(size_t candidate) {
    const auto& nodes = problem_.candidates[candidate].nodes;
    for (size_t i = 1; i < nodes.size(); ++i) {
      for (const double sign : {1.0, -1.0})
        add_row({{place(nodes[i - 1]), sign}, {place(nodes[i]), -sign}, {taken(candidate), last_}},
                GLP_UP, last_);
    }
  }

  // What is read has an earlier place, unless one candidate takes both.
  void order(size_t from, size_t to) {
    std::vector<Term> terms = {{place(to), 1}, {place(from), -1}};
    for (size_t c = 0; c < problem_.candidates.size(); ++c) {
      if (holds(c, from) && holds(c, to)) terms.push_back({taken(c), last_ + 1});
    }
    add_row(terms, GLP_LO, 1);
  }

  const CoverProblem& problem_;
  const double last_;
  std::unique_ptr<glp_prob, decltype(&glp_delete_prob)> lp_{glp_create_prob(), glp_delete_prob};
};

TEST(ChosenCover, CostsWhatALinearProgramSays) {
  std::mt19937 random(10);
  size_t circles = 0, largest = 0;
  for (int i = 0; i < 60; ++i) {
    const CoverProblem problem =
        random_problem(random, 10 + random() % 15, 20 + random() % 40, true);
    const auto found = cover(problem);
    ASSERT_TRUE(found.ok()) << found.error().to_string();
    ASSERT_TRUE(found->optimal());
    EXPECT_EQ(found->cost, Program(problem).least_cost()) << "problem " << i;
    circles += found->cycles;
    largest = std::max(largest, found->largest);
  }
  EXPECT_GT(circles, 0u) << "no problem had groups that wait for each other";
  EXPECT_GT(largest, 15u) << "no component was large";
}

}  // namespace
}  // namespace opkit::cover
