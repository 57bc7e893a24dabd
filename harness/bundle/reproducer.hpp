// reproducer.hpp - a failure as a C++ program: the kernel on the case's numbers, and what is wrong
// with what comes out.
#pragma once

#include <optional>
#include <string>

#include "harness/campaign/failure.hpp"

namespace attest {

// The text of reproduce.cpp, with the command that builds it at its top.
//
// Where the law rejected an element, the program calls the kernel on the very numbers of the call
// that was judged and compares that element with the exact interval and the budget: it needs
// neither oracle nor judge. Where the run itself failed, it calls the kernel and says how the run
// ended. Where the law compares calls, it asks the law.
//
// Nothing for subjects of other people, whose source is not here, for data of more than
// kMostReproduced bytes, and from an installed program, which has no libraries to build against.
// Requires: `inputs` are the values of the failure's smallest case.
[[nodiscard]] std::optional<std::string> reproducer(const Failure& failure, const Inputs& inputs,
                                                    const OracleMemory& oracle);

inline constexpr Index kMostReproduced = 1 << 20;

// The command line that builds reproduce.cpp in its folder, with or without the law's libraries;
// empty where the running program lies in no build tree.
[[nodiscard]] std::string reproducer_build(bool with_laws);

}  // namespace attest
