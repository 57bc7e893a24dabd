#include "kernels/machine/matrix_unit.hpp"

#include "core/contract.hpp"
#include "kernels/machine/matrix_unit_rules.hpp"

namespace attest {

std::optional<MatrixUnit> matrix_unit_of(Unit unit) {
  switch (unit) {
    case Unit::fp32_seq: return MatrixUnit::sequential();
    case Unit::exact_rn: return MatrixUnit::exact();
    case Unit::v100: return MatrixUnit::v100();
    case Unit::a100: return MatrixUnit::a100();
    case Unit::h100: return MatrixUnit::h100();
    case Unit::device: break;
  }
  return std::nullopt;
}

template <class Element>
void multiply_accumulate(const MatrixUnit& unit, const PackedA& a, const PackedB* b, PackedC* c,
                         int tiles) {
  switch (unit.rule) {
    case MatrixUnit::Rule::sequential: return multiply_sequential<Element>(a, b, c, tiles);
    case MatrixUnit::Rule::exact: return multiply_exact<Element>(a, b, c, tiles);
    case MatrixUnit::Rule::truncating: return multiply_truncating<Element>(unit, a, b, c, tiles);
  }
  contract_broken("a matrix unit adds up by one of three rules", __FILE__, __LINE__);
}

template void multiply_accumulate<Fp16>(const MatrixUnit&, const PackedA&, const PackedB*, PackedC*,
                                        int);
template void multiply_accumulate<Bf16>(const MatrixUnit&, const PackedA&, const PackedB*, PackedC*,
                                        int);

}  // namespace attest
