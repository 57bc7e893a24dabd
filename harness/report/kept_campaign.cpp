#include "harness/report/kept_campaign.hpp"

#include "harness/report/shortcomings.hpp"

namespace attest {

KeptReport kept(const Campaign& campaign) {
  KeptReport report;
  for (const auto& [key, subject] : campaign.tally.subjects) {
    KeptRow& row = report.rows[row_name(key)];
    row.laws["run"] = kept_run(subject.troubled());
    for (const auto& [name, law] : subject.laws) row.laws[name] = kept_law(law);
    row.digests = subject.digests;
  }
  return report;
}

}  // namespace attest
