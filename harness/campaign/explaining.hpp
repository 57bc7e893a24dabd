// explaining.hpp - the failures of a run, told so that one defect reads as one.
//
// A wrong kernel falls under many laws. What an engineer needs first is the law that is most
// direct: it is shrunk and probed, and a report tells it in full. The other laws of the subject are
// asked on that law's smallest case, are shrunk for themselves only where they do not reject it,
// and get a line of that report each.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "harness/campaign/failure.hpp"

namespace attest {

// The first case on which a subject fails a law.
struct Rejection {
  const Subject* subject = nullptr;
  RunSettings settings;
  std::string law;  // or kRunItself
  Case c;
  std::function<Inputs()> values;  // of c
};

struct ExplainingPlan {
  std::filesystem::path folder;  // where values of large cases lie
  // Of each law that is told in full; of the others of its subject, as much for all. Asked before
  // each, since an interrupt may end it.
  std::function<std::chrono::steady_clock::duration()> time;
  bool all = false;  // tell every law in full
  Calling calling;
  OracleMemory oracle;
  std::function<void(Index explained)> on_progress;  // before each failure; may be empty
};

// A run that failed comes first, then laws that judge the case's own outputs, then those that run
// the subject again; 0 is most direct.
[[nodiscard]] int directness(std::string_view law);

// By subject in the order of their first rejection, the most direct law first. Where that is
// accuracy, stage_accuracy is told in full as well: it takes the forward's outputs for exact, so no
// defect of the forward explains it. Failure::beside says which law tells of the others.
// Requires: no two rejections have the same subject and law.
[[nodiscard]] std::vector<Failure> explain(std::span<const Rejection> rejections,
                                           const ExplainingPlan& plan);

}  // namespace attest
