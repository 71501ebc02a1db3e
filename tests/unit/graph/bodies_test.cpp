#include "opkit/graph/bodies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/control_nodes.h"

namespace opkit::graph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Bodies, ComeBackAsTheyWereWritten) {
  const Graph graph = halving_loop();
  const auto body = body_of(graph.nodes[0], "body");
  ASSERT_TRUE(body.ok()) << body.error().to_string();
  EXPECT_EQ(body->opset, 17);
  EXPECT_THAT(body->inputs, ElementsAre("i", "c", "v", "k", "limit", "w"));
  EXPECT_THAT(body->outputs, ElementsAre("on", "h", "kk"));
  EXPECT_EQ(body->nodes[0].name, "scale");
  EXPECT_EQ(body->constant("one")->values, std::vector<double>{1});
  EXPECT_EQ(body->values.at("i").shape, Shape{});
  EXPECT_FALSE(body->values.at("v").shape.has_value());
  Node again = graph.nodes[0];
  set_body(again, "body", *body);
  EXPECT_EQ(again.attributes["body"].index(), graph.nodes[0].attributes.at("body").index());
  EXPECT_EQ(std::get<std::string>(again.attributes["body"]),
            std::get<std::string>(graph.nodes[0].attributes.at("body")));
}

TEST(Bodies, AreCounted) {
  const Graph graph = halving_loop();
  EXPECT_EQ(captured_inputs(graph.nodes[0]), 2u);
  EXPECT_EQ(own_inputs(graph.nodes[0]), 4u);
  EXPECT_EQ(nodes_with_bodies(graph), 5u);
  Node hostile = graph.nodes[0];
  hostile.attributes[kCaptured] = int64_t{1} << 40;
  EXPECT_EQ(own_inputs(hostile), 0u);
  EXPECT_THAT(bodies_of("If"), ElementsAre("then_branch", "else_branch"));
  EXPECT_TRUE(has_bodies("Scan"));
  EXPECT_FALSE(has_bodies("Add"));
}

TEST(Bodies, AreRefusedWhereTheyAreNone) {
  Node node = halving_loop().nodes[0];
  const auto refused = [&](Attribute value) {
    node.attributes["body"] = std::move(value);
    const auto body = body_of(node, "body");
    return body.ok() ? std::string() : body.error().to_string();
  };
  const std::string bytes = std::get<std::string>(node.attributes["body"]);
  EXPECT_THAT(refused(std::string("text")), HasSubstr("OPK-GRAPH-005"));
  EXPECT_THAT(refused(int64_t{1}), HasSubstr("it is no text"));
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_THAT(refused(bytes.substr(0, size)), HasSubstr("OPK-GRAPH-005")) << size;
  node.attributes.erase("body");
  EXPECT_THAT(body_of(node, "body").error().to_string(),
              HasSubstr("attribute 'body' of loop holds no graph: it is missing"));
}

}  // namespace
}  // namespace opkit::graph
