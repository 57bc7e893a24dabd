// failing.hpp - failures of bundled subjects on a given case, for the tests of bundles.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "harness/campaign/failure.hpp"
#include "harness/subjects/catalogue.hpp"

namespace attest {

inline const Subject& bundled(const std::string& name) {
  const std::string specs[] = {name};
  return *resolve_subjects(specs).front();
}

// Shrunk for at most `time`.
inline Failure failure_of(const std::string& subject, const std::string& text,
                          const std::string& law, const std::filesystem::path& folder,
                          std::chrono::milliseconds time = std::chrono::seconds(20),
                          Unit unit = Unit::fp32_seq) {
  const Case c = parse_case(text);
  return explain_failure(c, inputs_of(c, folder), bundled(subject), {unit, 0, 1}, law, folder,
                         std::chrono::steady_clock::now() + time);
}

inline const std::string kCausal =
    "attest1:b=1;hq=2;hk=1;nq=5;nk=9;dqk=4;dv=3;in=f16;out=f16;scale=0x1p-1;left=inf;right=0;"
    "align=br;pass=fwd;family=F1;seed=9";
inline const std::string kSeveralTiles =
    "attest1:b=1;hq=1;hk=1;nq=40;nk=150;dqk=16;dv=16;in=f16;out=f16;scale=0x1p-2;left=inf;right="
    "inf;"
    "align=tl;pass=fwd;family=F0;seed=9";
inline const std::string kBackward =
    "attest1:b=1;hq=2;hk=1;nq=5;nk=20;dqk=4;dv=3;in=f16;out=f16;scale=0x1p-1;left=inf;right=0;"
    "align=br;pass=bwd;glse=yes;family=F1;seed=9";

}  // namespace attest
