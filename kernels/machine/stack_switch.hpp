// stack_switch.hpp - tells AddressSanitizer that the stack changes.
//
// Without this it takes every frame on a fiber for a wild pointer as
// soon as an exception is thrown there. Nothing in other builds.
#pragma once

#include <cstddef>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace attest {

struct StackBounds {
  const void* bottom = nullptr;
  std::size_t size = 0;
};

// `keep` receives what after_switch wants when this stack is resumed; null if it never will be.
inline void before_switch([[maybe_unused]] void** keep, [[maybe_unused]] StackBounds to) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(keep, to.bottom, to.size);
#endif
}

// The bounds of the stack that was left.
inline StackBounds after_switch([[maybe_unused]] void* kept) {
  StackBounds from;
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(kept, &from.bottom, &from.size);
#endif
  return from;
}

}  // namespace attest
