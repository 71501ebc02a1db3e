// Loads the sample plugins of this folder.
#ifndef OPKIT_TESTS_UNIT_BUILD_PLUGIN_SAMPLE_PLUGIN_H_
#define OPKIT_TESTS_UNIT_BUILD_PLUGIN_SAMPLE_PLUGIN_H_

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <string>

#include "opkit/abi/plugin.h"

namespace opkit {

inline void* sample_symbol(const char* path, const char* symbol) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  EXPECT_NE(library, nullptr) << dlerror();
  return library ? dlsym(library, symbol) : nullptr;
}

inline const opk_plugin_v1* load_sample(const char* path, uint32_t abi = OPK_ABI_VERSION) {
  const auto query = reinterpret_cast<opk_query_fn>(sample_symbol(path, OPK_QUERY_SYMBOL));
  EXPECT_NE(query, nullptr);
  return query ? query(abi) : nullptr;
}

inline const opk_op_v1& sample_op(const std::string& type, const char* path = OPKIT_HOST_SAMPLE) {
  const opk_plugin_v1* plugin = load_sample(path);
  const auto* ops = static_cast<const opk_ops_v1*>(plugin->get_extension(OPK_EXT_OPS));
  for (uint32_t i = 0; i < ops->count; ++i) {
    if (type == ops->ops[i]->type) return *ops->ops[i];
  }
  ADD_FAILURE() << "no op " << type;
  return *ops->ops[0];
}

}  // namespace opkit

#endif  // OPKIT_TESTS_UNIT_BUILD_PLUGIN_SAMPLE_PLUGIN_H_
