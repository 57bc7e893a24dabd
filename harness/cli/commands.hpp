// commands.hpp - the subcommands of the program. Each adds itself to the parser and, when chosen,
// returns the exit status of interfaces' table: 0 accepted, 1 rejected, 2 usage, 3 the subject
// crashed, 4 our own fault, 5 nothing selected, 6 a subject did not load, 7 undecided.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace attest {

// Adds the subcommand; `chosen` receives what to run if it is the one.
using Chosen = std::function<int()>;

void add_check_command(CLI::App& app, Chosen& chosen);
void add_canaries_command(CLI::App& app, Chosen& chosen);
void add_replay_command(CLI::App& app, Chosen& chosen);
void add_judge_command(CLI::App& app, Chosen& chosen);
void add_oracle_command(CLI::App& app, Chosen& chosen);
void add_golden_command(CLI::App& app, Chosen& chosen);
void add_plan_command(CLI::App& app, Chosen& chosen);
void add_study_command(CLI::App& app, Chosen& chosen);
void add_traffic_command(CLI::App& app, Chosen& chosen);
void add_list_command(CLI::App& app, Chosen& chosen);

// The whole program but for main's own frame: parses, runs, and turns every Error into one line on
// stderr and its exit status.
[[nodiscard]] int run_program(int argc, const char* const* argv);

}  // namespace attest
