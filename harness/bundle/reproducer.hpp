// reproducer.hpp - a failure as a C++ program: the kernel on the case's numbers, and what is wrong
// with what comes out.
#pragma once

#include <optional>
#include <string>

#include "harness/campaign/failure.hpp"

namespace attest {

// The text of reproduce.cpp. At its top stands what it takes, the sources of attest and a build of
// them, and the command that builds it from any place of the two.
//
// Where the law rejected an element, the program calls the kernel on the very numbers of the call
// that was judged and compares that element with the exact interval and the budget: it needs
// neither oracle nor judge. Where the run itself failed, it calls the kernel and says how the run
// ended. Where the law compares calls, it asks the law.
//
// Nothing for subjects of other people, whose source is not here, and for data of more than
// kMostReproduced bytes.
// Requires: `inputs` are the values of the failure's smallest case.
[[nodiscard]] std::optional<std::string> reproducer(const Failure& failure, const Inputs& inputs,
                                                    const OracleMemory& oracle);

inline constexpr Index kMostReproduced = 1 << 20;

struct BuildRecipe {
  std::string places;   // "ATTEST=... BUILD=...": of the sources and of a build of them
  std::string command;  // in the program's folder, after these
};

// How reproduce.cpp is built, with or without the law's libraries. Throws Error (ours) where the
// running program has lost the file that says so.
[[nodiscard]] BuildRecipe build_recipe(bool with_laws);

}  // namespace attest
