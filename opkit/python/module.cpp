// The Python module `acl`.
#include "opkit/python/bound.h"

PYBIND11_MODULE(acl, acl) {
  using namespace opkit::python;
  acl.doc() = "The runtime API of emulated Ascend chips, as pyACL programs call it.";
  add_base(acl);
  add_descriptions(acl);
  py::module_ rt = acl.def_submodule("rt", "Device, contexts, streams, events and memory.");
  add_runtime(rt);
  add_memory(rt);
  add_callbacks(rt);
  py::module_ mdl = acl.def_submodule("mdl", "Models that atc compiled.");
  add_models(mdl);
  add_model_questions(mdl);
  add_gears(mdl);
  add_aipp(mdl);
  py::module_ op = acl.def_submodule("op", "Single operators.");
  add_ops(op);
  py::module_ util = acl.def_submodule("util", "Pointers of bytes and arrays, threads.");
  add_pointers(util);
  add_threads(util);
}
