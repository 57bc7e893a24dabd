// plain.hpp - the bundled healthy subject `plain`; under another name also the canaries' control.
#pragma once

#include <memory>
#include <string>

#include "core/subject.hpp"
#include "kernels/canaries/plain_config.hpp"

namespace attest {

// A scalar tiled kernel (plain_kernel.hpp) on unit fp32-seq: any shape, band and lengths; inputs
// and O in f32, f16 or bf16.
[[nodiscard]] std::unique_ptr<Subject> make_plain(std::string name, PlainConfig config = {});

}  // namespace attest
