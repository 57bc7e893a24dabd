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
  bool workers = false;  // every second kill is of the workers
};

struct KilledEnd {
  int met = 0;          // kills that met the campaign, or a worker of it, at work
  std::string report;   // JSON
  std::string problem;  // what went wrong on the way; empty if nothing did
};

// What nobody disturbed.
struct UnbrokenEnd {
  std::string report;
  std::uintmax_t journal_bytes = 0;
};

inline std::string text_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline std::uintmax_t bytes_in(const std::filesystem::path& file) {
  std::error_code missing;
  const std::uintmax_t bytes = std::filesystem::file_size(file, missing);
  return missing ? 0 : bytes;
}

inline std::string journaled(const std::string& arguments) {
  return "attest check " + arguments + " --resume journal --json report.json";
}

inline UnbrokenEnd unbroken_end(const std::string& arguments) {
  const Attest attest;
  (void)attest.paste(journaled(arguments));
  const Attest plainly;
  (void)plainly.paste("attest check " + arguments + " --json report.json");
  UnbrokenEnd end;
  end.journal_bytes = bytes_in(attest.folder() / "journal" / "cases.jsonl");
  end.report = text_of_file(plainly.folder() / "report.json");
  // A journal changes nothing.
  if (text_of_file(attest.folder() / "report.json") != end.report) end.report.clear();
  return end;
}

// Kills the campaign, or its workers and a moment later itself, once its journal has so many bytes.
// Prints "killed" where there was something to kill, and the campaign's status.
inline std::string killing_line(const KilledCampaign& campaign, bool workers,
                                std::uintmax_t journal_bytes) {
  const std::string victims = workers ? "$(cat /proc/$p/task/*/children 2>/dev/null)" : "$p";
  return "PATH=$PATH:/usr/bin:/bin; " + journaled(campaign.arguments) +
         " >page 2>errors & p=$!; n=0; while [ $n -lt 300 ] && "
         "[ $(stat -c %s journal/cases.jsonl 2>/dev/null || echo 0) -lt " +
         std::to_string(journal_bytes) + " ]; do n=$((n+1)); sleep 0.01; done; for v in " +
         victims +
         "; do kill -9 $v && echo killed; done; sleep 0.1; kill -9 $p; wait $p; echo status $?";
}

inline KilledEnd end_of(const KilledCampaign& campaign, const UnbrokenEnd& unbroken,
                        std::uint64_t seed) {
  const Attest attest;
  const std::filesystem::path journal = attest.folder() / "journal" / "cases.jsonl";
  std::mt19937_64 random(seed);
  KilledEnd end;
  for (int n = 0; n < campaign.kills; ++n) {
    const std::uintmax_t bytes = bytes_in(journal);
    const std::uintmax_t left = unbroken.journal_bytes > bytes ? unbroken.journal_bytes - bytes : 0;
    const bool workers = campaign.workers && n % 2 == 0;
    const Ran ran =
        attest.paste(killing_line(campaign, workers, bytes + random() % (left / 2 + 1)));
    const auto says = [&](const char* word) { return ran.out.find(word) != std::string::npos; };
    // What has ended and was not waited for can be killed, too: the status tells.
    if (says("status 137") || (workers && says("killed"))) ++end.met;
    if (says("status 2")) {
      end.problem = text_of_file(attest.folder() / "errors");
      return end;
    }
  }
  std::filesystem::remove(attest.folder() / "report.json");
  const Ran last = attest.paste(journaled(campaign.arguments));
  end.report = text_of_file(attest.folder() / "report.json");
  if (end.report.empty()) end.problem = last.err;
  return end;
}

}  // namespace attest
