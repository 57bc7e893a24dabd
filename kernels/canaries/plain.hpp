// plain.hpp - the bundled healthy subject `plain` and its variants; `plain` under another name is
// also the canaries' control.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/subject.hpp"
#include "kernels/canaries/plain_config.hpp"

namespace attest {

struct PlainForm {
  std::string_view name;   // "variant/plain-fused"
  std::string_view about;  // one line
  PlainConfig config;
  bool offers = false;  // its configurations
};

// Every healthy form that is bundled: `plain`, then its variants.
[[nodiscard]] std::span<const PlainForm> plain_forms();

// A scalar tiled kernel, forward (plain_kernel.hpp) and backward (plain_backward.hpp), on unit
// fp32-seq: any shape, band and lengths; inputs and outputs in f32, f16 or bf16.
[[nodiscard]] std::unique_ptr<Subject> make_plain(std::string name, PlainConfig config = {},
                                                  bool offers = false);

}  // namespace attest
