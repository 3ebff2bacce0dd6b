#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <utility>

#include "command.hpp"
#include "scree/base/ranks.hpp"
#include "scree/plugin/launch.hpp"

namespace scree::cli {

int on_ranks(const std::function<int()>& work) {
  const Launch launch = launch_of_environment();
  if (launch.size == 1) return work();
  std::unique_ptr<Transport> transport;
  try {
    transport = open_transport(launch);
  } catch (...) {
    if (launch.rank == 0) throw;
    return report({FailureKind::input,
                   fmt::format("this is process {} of {} by {}, and it cannot share a run with the others; the first "
                               "one says why. If mpirun has not started it, unset these variables.",
                               launch.rank, launch.size, launch.told_by)});
  }
  Ranks ranks(std::move(transport));
  const RanksScope scope(ranks);
  int code = kDone;
  try {
    code = work();
    ranks.gather(CollectiveTag::end);
  } catch (...) {
    const Failure failure = ranks.agree_on(failure_of(std::current_exception()));
    code = ranks.first() ? report(failure) : exit_code_of(failure);
  }
  std::fflush(stdout);
  ranks.wait();  // mpirun ends all as soon as one has ended with an error
  return code;
}

}  // namespace scree::cli
