// Sets a folder of models that atc --singleop made, loads one of them from memory, and calls the
// installed op by its type: z = x + y. Then folders and bytes that are no such models.
//   single_op FOLDER FILE WRONG_FOLDER GRAPH_MODEL
#include <fstream>
#include <iterator>
#include <string>

#include "acl/acl_op.h"
#include "misuse.h"

namespace {

std::string Bytes(const char* file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

int Wrong(aclrtStream stream) {
  const int64_t dims[] = {2, 3};
  DeviceArray<float> x{{1, 2, 3, 4, 5, 6}}, y{{10, 20, 30, 40, 50, 60}}, z{{0, 0, 0, 0, 0, 0}};
  aclTensorDesc *in[2], *out[1] = {aclCreateTensorDesc(ACL_FLOAT, 2, dims, ACL_FORMAT_ND)};
  for (aclTensorDesc*& desc : in) desc = aclCreateTensorDesc(ACL_FLOAT, 2, dims, ACL_FORMAT_ND);
  aclDataBuffer* from[] = {aclCreateDataBuffer(x.Get(), 24), aclCreateDataBuffer(y.Get(), 24)};
  aclDataBuffer* to[] = {aclCreateDataBuffer(z.Get(), 24)};
  aclopAttr* attr = aclopCreateAttr();
  Check(aclopExecuteV2("Add", 2, in, from, 1, out, to, attr, stream), "aclopExecuteV2");
  Check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");
  int wrong = 0;
  const std::vector<float> sums = z.Read();
  for (size_t i = 0; i < sums.size(); ++i) wrong += sums[i] != 11.0f * static_cast<float>(i + 1);
  aclopDestroyAttr(attr);
  for (aclTensorDesc* desc : {in[0], in[1], out[0]}) aclDestroyTensorDesc(desc);
  for (aclDataBuffer* buffer : {from[0], from[1], to[0]}) aclDestroyDataBuffer(buffer);
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const Session session;
  Check(aclopSetModelDir(argv[1]), "aclopSetModelDir");
  const std::string model = Bytes(argv[2]), graph = Bytes(argv[4]);
  Check(aclopLoad(model.data(), model.size()), "aclopLoad");
  const int wrong = Wrong(session.stream);
  Refused("wrong folder", aclopSetModelDir(argv[3]), 100025, "OPK-OM-001");
  Refused("short", aclopLoad(model.data(), model.size() - 1), 100025, "OPK-OM-00");
  Refused("graph", aclopLoad(graph.data(), graph.size()), 100025, "has 0 kernels");
  Refused("null", aclopSetModelDir(nullptr), 100000, "without a folder");
  std::printf("%d wrong, %d misuses\n", wrong, misuses);
  return wrong == 0 ? 0 : 1;
}
