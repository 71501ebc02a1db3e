#include "opkit/isolation/op_tables.h"

#include <gmock/gmock.h>

namespace opkit::isolation {
namespace {

OpRows rows() {
  OpRows rows;
  rows.abi = 1;
  rows.name = "add";
  rows.version = "1.0.0";
  rows.type = "Add";
  rows.contract = "op: Add";
  rows.tiles = true;
  rows.kernels = {{0, 7, "add", 3, 5, false, true, false}};
  DeclaredRow declared;
  PortRow port;
  port.name = "x";
  port.dtypes = {0, 1};
  port.formats = {2, 2};
  declared.ports.push_back(port);
  AttrRow attr;
  attr.kind = OPK_ATTR_LIST_STRING;
  attr.name = "modes";
  attr.count = 2;
  attr.strings = {"a", "b"};
  declared.attrs.push_back(attr);
  declared.socs = {"Ascend910B"};
  rows.declared = declared;
  return rows;
}

int32_t tile(const opk_call_v1*, opk_tiling_v1*) { return OPK_E_FAILED; }

TEST(OpTables, AreWhatTheRowsSay) {
  auto read = read_rows(to_bytes(rows()));
  ASSERT_TRUE(read.ok()) << read.error().to_string();
  const OpTables tables(std::move(read).value(), {nullptr, nullptr, tile});
  const opk_op_v1& op = tables.op();
  EXPECT_STREQ(op.type, "Add");
  EXPECT_EQ(op.tile, tile);
  EXPECT_EQ(op.infer_shape, nullptr);
  ASSERT_EQ(op.kernel_count, 1u);
  EXPECT_EQ(op.kernels[0]->tiling_key, 7u);
  EXPECT_EQ(op.kernels[0]->aic, nullptr);
  EXPECT_NE(op.kernels[0]->aiv, nullptr);
  ASSERT_NE(op.declared, nullptr);
  EXPECT_EQ(op.declared->ports[0]->column_count, 2u);
  EXPECT_STREQ(op.declared->attrs[0]->strings[1], "b");
  EXPECT_STREQ(op.declared->socs[0], "Ascend910B");
  EXPECT_EQ(op.declared->error, nullptr);
  EXPECT_STREQ(tables.header().version, "1.0.0");
}

TEST(OpTables, RowsComeFromTables) {
  const OpTables tables(rows(), {nullptr, nullptr, tile});
  EXPECT_EQ(to_bytes(rows_of(tables.header(), tables.op())), to_bytes(rows()));
}

TEST(OpTables, ListsOfAnotherLengthThanTheySayAreRefused) {
  OpRows longer = rows();
  longer.declared->attrs[0].count = 1000;
  EXPECT_EQ(read_rows(to_bytes(longer)).error().code, "OPK-WORKER-006");
  OpRows uneven = rows();
  uneven.declared->ports[0].formats.pop_back();
  EXPECT_EQ(read_rows(to_bytes(uneven)).error().code, "OPK-WORKER-006");
}

}  // namespace
}  // namespace opkit::isolation
