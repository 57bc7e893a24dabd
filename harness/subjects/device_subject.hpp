// device_subject.hpp - a subject that also runs on a GPU.
#pragma once

#include <memory>

#include "core/subject.hpp"
#include "harness/subjects/device_program.hpp"

namespace attest {

// `emulated` on every unit that it offers, and its kernel in the device program on Unit::device.
//
//   unsupported  on the device: what `emulated` declines on every unit; a kernel that the device
//                program does not hold; and why there is no program, driver or GPU, asked once.
//   numerics     on the device: those of `emulated`, with unit=device.
//   run          on the device: crashed, with what CUDA said, where the program or a call failed.
//                Schedule seed and threads mean nothing there.
[[nodiscard]] std::unique_ptr<Subject> with_device(std::unique_ptr<Subject> emulated);

// The same with a program of one's own, which must outlive the subject.
[[nodiscard]] std::unique_ptr<Subject> with_device(std::unique_ptr<Subject> emulated,
                                                   DeviceProgram& program);

}  // namespace attest
