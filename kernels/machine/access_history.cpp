#include "kernels/machine/access_history.hpp"

namespace attest {

Conviction AccessHistory::conviction_of_readers(const Toucher& who) const {
  const bool other_is_kept_apart = reader_warp_ == warp_of(who) && another_warp_read(who);
  const int warp = other_is_kept_apart ? other_reader_warp_ : reader_warp_;
  return {Conviction::Charge::write_after_read, warp * static_cast<int>(kLanes), read_where_};
}

}  // namespace attest
