// The host's classes of the advanced API's tiling structs, and how the plain ones get into them.
#ifndef OPKIT_HOST_ADVANCED_TILING_H_
#define OPKIT_HOST_ADVANCED_TILING_H_

#include "kernel_tiling/kernel_tiling.h"
#include "register/tilingdata_base.h"

namespace optiling {

#define OPKIT_CLASS(name, fields) \
  BEGIN_TILING_DATA_DEF(name)     \
  fields(TILING_DATA_FIELD_DEF) END_TILING_DATA_DEF;
OPKIT_TILING_STRUCTS(OPKIT_CLASS)
#undef OPKIT_CLASS

}  // namespace optiling

namespace opkit_host {

// assign(plain, out): `out` is the plain struct or the class of the same name.
#define OPKIT_SET(type, name) to.set_##name(from.name);
#define OPKIT_ASSIGN(name, fields)                                                                \
  inline void assign(const AscendC::tiling::name& from, AscendC::tiling::name& to) { to = from; } \
  inline void assign(const AscendC::tiling::name& from, optiling::name& to) { fields(OPKIT_SET) }
OPKIT_TILING_STRUCTS(OPKIT_ASSIGN)
#undef OPKIT_ASSIGN
#undef OPKIT_SET

}  // namespace opkit_host

#endif  // OPKIT_HOST_ADVANCED_TILING_H_
