// killed_campaign.hpp - a campaign whose process, or whose workers, are killed at random moments
// until it comes to its end, and what it reports then.
#pragma once

#include <cstdint>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

#include "tests/harness/cli/process.hpp"

namespace attest {

struct KilledCampaign {
  std::string arguments;  // of attest check
  int kills = 0;
  bool workers = false;  // every second one is of the workers
  // Each comes at most this many seconds after the start; early ones are as likely as all others.
  double latest = 1;
};

struct KilledEnd {
  int kills = 0;        // that met a running process
  std::string report;   // JSON
  std::string problem;  // what went wrong on the way; empty if nothing did
};

inline std::string text_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The report of the campaign that nobody disturbs; one without cases where it fails.
inline std::string unbroken_report(const std::string& arguments) {
  const Attest attest;
  (void)attest.paste("attest check " + arguments + " --json report.json");
  return text_of_file(attest.folder() / "report.json");
}

// Runs the campaign, and kills it, or its workers, `seconds` after the start. Prints "killed" where
// there was something to kill.
inline std::string killing_line(const KilledCampaign& campaign, bool workers, double seconds) {
  const std::string start = "attest check " + campaign.arguments +
                            " --resume journal --json report.json >page 2>errors & p=$!; sleep " +
                            std::to_string(seconds) + "; ";
  // What has ended and was not waited for can be killed, too: the status tells.
  const std::string end = "wait $p; s=$?; [ $s -eq 137 ] && echo killed; echo status $s";
  if (!workers) return start + "kill -9 $p; " + end;
  return start +
         "for v in $(cat /proc/$p/task/*/children 2>/dev/null); do "
         "kill -9 $v && echo killed; done; " +
         end;
}

inline KilledEnd end_of(const KilledCampaign& campaign, std::uint64_t seed) {
  const Attest attest;
  std::mt19937_64 random(seed);
  KilledEnd end;
  for (int n = 0; n < campaign.kills; ++n) {
    const double most = random() % 2 == 0 ? campaign.latest : campaign.latest / 10;
    const double seconds = most * static_cast<double>(random() % 1000) / 1000;
    const Ran ran = attest.paste(killing_line(campaign, campaign.workers && n % 2 == 1, seconds));
    if (ran.out.find("killed") != std::string::npos) ++end.kills;
    if (ran.out.find("status 2") != std::string::npos) {
      end.problem = text_of_file(attest.folder() / "errors");
      return end;
    }
  }
  std::filesystem::remove(attest.folder() / "report.json");
  const Ran last =
      attest.paste("attest check " + campaign.arguments + " --resume journal --json report.json");
  end.report = text_of_file(attest.folder() / "report.json");
  if (end.report.empty()) end.problem = last.err;
  return end;
}

}  // namespace attest
