#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "core/hex_float.hpp"
#include "harness/campaign/failure.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/options.hpp"
#include "oracle/enclose_forward.hpp"

namespace attest {
namespace {

std::string text_of(OutputClass c, const Enclosure& e) {
  switch (c) {
    case OutputClass::finite:
      return fmt::format("[{}, {}]  about {:.12g}", to_hex(e.lo), to_hex(e.hi),
                         e.lo / 2 + e.hi / 2);
    case OutputClass::nan: return "NaN";
    case OutputClass::plus_inf: return "+inf";
    case OutputClass::minus_inf: return "-inf";
    case OutputClass::undefined: return "undefined";
    case OutputClass::dead: return "dead";
    case OutputClass::beyond: return "beyond lq";
  }
  return "";
}

void print_row(const Problem& p, const Answer& answer, Index b, Index h, Index i) {
  const std::size_t row = row_index(p, b, h, i);
  const RowMoments& moments = answer.rows[row];
  fmt::print("row b={} h={} i={}: {} live keys", b, h, i, moments.live_keys);
  if (moments.live_keys > 0) {
    fmt::print(" in {}..{}, max score {:.9g} at j={}, oracle {} bits", moments.first_live,
               moments.last_live, moments.max_score.lo / 2 + moments.max_score.hi / 2,
               moments.argmax, answer.bits[row]);
  }
  fmt::print("\n  lse      {}\n", text_of(answer.lse_class[row], answer.lse[row]));
  for (Index k = 0; k < p.d_v; ++k) {
    const std::size_t element = row * static_cast<std::size_t>(p.d_v) + k;
    fmt::print("  o[d={}]  {}\n", k, text_of(answer.o_class[element], answer.o[element]));
  }
}

int oracle(const std::string& case_text) {
  const Case c = parse_case(case_text);
  const Inputs inputs = inputs_of(c, state_folder());
  const Answer answer = enclose_forward(c.problem, inputs);
  for (Index b = 0; b < c.problem.batch; ++b) {
    for (Index h = 0; h < c.problem.heads_q; ++h) {
      for (Index i = 0; i < c.problem.n_q; ++i) print_row(c.problem, answer, b, h, i);
    }
  }
  return 0;
}

}  // namespace

void add_oracle_command(CLI::App& app, Chosen& chosen) {
  CLI::App* command =
      app.add_subcommand("oracle", "print the proved enclosure of every output of one case");
  auto case_text = std::make_shared<std::string>();
  command->add_option("case", *case_text, "a case string")->required();
  command->callback([&chosen, case_text] { chosen = [case_text] { return oracle(*case_text); }; });
}

}  // namespace attest
