#include "opkit_host/plugin_table.h"

#include <gmock/gmock.h>

#include "sample_plugin.h"

namespace opkit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(PluginTable, AnswersTheQuery) {
  const opk_plugin_v1* plugin = load_sample(OPKIT_HOST_SAMPLE);
  EXPECT_STREQ(plugin->name, "host_sample");
  EXPECT_STREQ(plugin->version, "1.2.3");
  EXPECT_EQ(plugin->abi, OPK_ABI_VERSION);
  EXPECT_EQ(plugin->get_extension("opkit.other/1"), nullptr);
  EXPECT_EQ(load_sample(OPKIT_HOST_SAMPLE, OPK_ABI_VERSION - 1), nullptr);
}

TEST(PluginTable, HoldsWhatWasRegistered) {
  const opk_op_v1& add = sample_op("AddCustom");
  EXPECT_EQ(std::string(add.contract, add.contract_size), "op: AddCustom\n");
  EXPECT_NE(add.tile, nullptr);
  EXPECT_NE(add.infer_shape, nullptr);
  EXPECT_NE(add.infer_dtype, nullptr);
  EXPECT_EQ(add.kernel_count, 2u);
  EXPECT_NE(sample_op("ScaleRelu").infer_dtype, nullptr);  // type of the first input
  EXPECT_EQ(sample_op("ScaleRelu").declared, nullptr);
  const opk_op_v1& nothing = sample_op("NothingRegistered");
  EXPECT_EQ(nothing.tile, nullptr);
  EXPECT_EQ(nothing.infer_shape, nullptr);
  EXPECT_EQ(nothing.infer_dtype, nullptr);
}

TEST(PluginTable, NamesTheFieldsOfTilingData) {
  const opk_op_v1& add = sample_op("AddCustom");
  ASSERT_EQ(add.tiling_field_count, 7u);
  const auto field = [&](uint32_t i) -> const opk_tiling_field_v1& {
    return *add.tiling_fields[i];
  };
  EXPECT_STREQ(field(0).name, "totalLength");
  EXPECT_EQ(field(0).dtype, OPK_UINT32);
  EXPECT_EQ(field(0).tiling_key, OPK_ANY_TILING_KEY);
  EXPECT_STREQ(field(4).name, "tails");
  EXPECT_EQ(field(4).count, 3u);
  EXPECT_EQ(field(4).offset, 16u);
  EXPECT_STREQ(field(6).name, "split.stride");
  EXPECT_EQ(field(6).dtype, OPK_UINT64);
  EXPECT_EQ(field(6).offset, 32u);
  EXPECT_EQ(sample_op("NothingRegistered").tiling_field_count, 0u);
}

template <typename T>
std::vector<T> row(const T* entries, uint32_t count) {
  return {entries, entries + count};
}

const opk_declared_port_v1* port(const opk_declared_v1& declared, const std::string& name,
                                 const std::string& soc = "") {
  for (uint32_t i = 0; i < declared.port_count; ++i) {
    const opk_declared_port_v1* p = declared.ports[i];
    if (p->name == name && (p->soc ? p->soc : "") == soc) return p;
  }
  ADD_FAILURE() << "no port " << name;
  return nullptr;
}

TEST(PluginTable, FlattensColumns) {
  const opk_declared_v1& declared = *sample_op("AddCustom").declared;
  ASSERT_EQ(declared.error, nullptr);
  EXPECT_EQ(declared.port_count, 8u);  // four for every SoC and four for 910b
  const opk_declared_port_v1* x = port(declared, "x");
  // Three columns times the two choices of the list of "index".
  EXPECT_THAT(row(x->dtypes, x->column_count), ElementsAre(OPK_FLOAT16, OPK_FLOAT32, OPK_INT32,
                                                           OPK_FLOAT16, OPK_FLOAT32, OPK_INT32));
  const opk_declared_port_v1* y = port(declared, "y");
  EXPECT_EQ(y->param_type, 1);
  EXPECT_EQ(row(y->dtypes, y->column_count), row(x->dtypes, x->column_count));
  const opk_declared_port_v1* index = port(declared, "index");
  EXPECT_EQ(index->param_type, 2);
  EXPECT_EQ(index->value_depend, 1);
  EXPECT_THAT(row(index->dtypes, index->column_count),
              ElementsAre(OPK_INT32, OPK_INT32, OPK_INT32, OPK_INT64, OPK_INT64, OPK_INT64));
  const opk_declared_port_v1* z = port(declared, "z");
  EXPECT_EQ(z->is_output, 1);
  // Expects values of float16, float32 and int32.
  EXPECT_THAT(row(z->init_values, z->column_count), ElementsAre(1, 3.5, 7, 1, 3.5, 7));
  EXPECT_EQ(x->init_values, nullptr);
  EXPECT_THAT(row(z->formats, z->column_count), ::testing::Each(OPK_FORMAT_ND));
}

TEST(PluginTable, FlattensWhatASocHasForItself) {
  const opk_declared_v1& declared = *sample_op("AddCustom").declared;
  ASSERT_EQ(declared.soc_count, 2u);
  EXPECT_STREQ(declared.socs[0], "ascend310b");
  EXPECT_STREQ(declared.socs[1], "ascend910b");
  const opk_declared_port_v1* x = port(declared, "x", "ascend910b");
  EXPECT_THAT(row(x->dtypes, x->column_count), ElementsAre(OPK_BFLOAT16, OPK_BFLOAT16));
}

TEST(PluginTable, FlattensAttributes) {
  const opk_declared_v1& declared = *sample_op("AddCustom").declared;
  ASSERT_EQ(declared.attr_count, 3u);
  const opk_attr_v1& alpha = *declared.attrs[0];
  EXPECT_STREQ(alpha.name, "alpha");
  EXPECT_EQ(alpha.kind, OPK_ATTR_FLOAT);
  EXPECT_EQ(alpha.floats[0], 1.5f);
  const opk_attr_v1& axes = *declared.attrs[1];
  EXPECT_EQ(axes.kind, OPK_ATTR_LIST_INT);
  ASSERT_EQ(axes.count, 2u);
  EXPECT_EQ(axes.ints[1], 1);
  EXPECT_EQ(declared.attrs[2]->kind, OPK_ATTR_STRING);
  EXPECT_EQ(declared.attrs[2]->count, 0u);  // required
}

TEST(PluginTable, SaysWhatIsWrongWithADeclaration) {
  struct Case {
    const char *type, *words;
    uint32_t ports;  // that were read before the mistake
  };
  for (const Case& c :
       {Case{"ShortColumns", "'x' has 1 columns, 'x' has 2", 0},
        Case{"FollowsNobody", "'y' follows 'z'", 0},
        Case{"NoDefault", "'a' has no default value", 0},
        Case{"StartsUntyped", "the InitValue of 'y' is a number without a type", 1},
        Case{"StartsTooOften", "the InitValue of 'y' has 2 values, its DataType 3", 1},
        Case{"StartsUnevenly", "the InitValue of 'y' differs for the same data type", 1},
        Case{"Throws", "not today", 0}}) {
    const opk_declared_v1* declared = sample_op(c.type).declared;
    ASSERT_NE(declared->error, nullptr) << c.type;
    EXPECT_THAT(declared->error, HasSubstr(c.words));
    EXPECT_EQ(declared->port_count, c.ports);
  }
}

TEST(PluginTable, KeepsPluginsApart) {
  const opk_op_v1& ours = sample_op("ScaleRelu");
  const opk_op_v1& theirs = sample_op("ScaleRelu", OPKIT_HOST_OTHER);
  EXPECT_NE(ours.tile, theirs.tile);
  EXPECT_NE(ours.infer_shape, nullptr);
  EXPECT_EQ(theirs.infer_shape, nullptr);
}

TEST(PluginTable, RefusesAShorterCall) {
  opk_call_v1 call{};
  call.struct_size = 8;
  opk_tiling_v1 answer{};
  EXPECT_EQ(sample_op("AddCustom").tile(&call, &answer), OPK_E_UNSUPPORTED);
  EXPECT_EQ(sample_op("AddCustom").tile(nullptr, &answer), OPK_E_UNSUPPORTED);
}

}  // namespace
}  // namespace opkit
