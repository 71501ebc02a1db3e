#include "opkit/spread/spread.h"

#include "opkit/spread/mpi_crew.h"

namespace opkit::spread {
namespace {

using Ends = std::optional<std::vector<JobEnd>>;

Result<Ends> on_ranks(const JobList& list) {
  OPKIT_TRY(const opkit_mpi_v1* const mpi, open_mpi());
  if (mpi->rank > 0) {
    OPKIT_CHECK(help(*mpi, list.digest, list.do_job));
    mpi->end();
    return Ends();
  }
  Ends ends;
  {
    MpiCrew crew(*mpi, list.do_job);
    OPKIT_CHECK(crew.meet(list.digest));
    ends = work_off(list.jobs, crew, list.options);
  }
  mpi->end();
  return ends;
}

}  // namespace

Result<Ends> spread(const JobList& list, size_t processes) {
  if (started_by_mpirun()) return on_ranks(list);
  LocalCrew crew(processes, list.do_job);
  return Ends(work_off(list.jobs, crew, list.options));
}

}  // namespace opkit::spread
