#include "harness/subjects/isolation/sandbox.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <vector>

namespace attest {
namespace {

void limit(__rlimit_resource resource, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(resource, &both);
}

// Landlock: every way of writing to a file system is handled, and none is allowed.
std::string forbid_writing() {
  landlock_ruleset_attr attributes{};
  attributes.handled_access_fs =
      LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
      LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
      LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
      LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM | LANDLOCK_ACCESS_FS_EXECUTE;
  // The loader maps libraries without the right to execute files.
  const long rules =
      syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes.handled_access_fs, 0);
  if (rules < 0) return std::string("Landlock (") + std::strerror(errno) + ")";
  const long entered = syscall(SYS_landlock_restrict_self, rules, 0);
  close(static_cast<int>(rules));
  return entered == 0 ? "" : std::string("Landlock (") + std::strerror(errno) + ")";
}

#if defined(__x86_64__)

// A program for the kernel's filter of system calls, built up from the front; whatever no rule
// refuses is allowed.
class CallFilter {
 public:
  CallFilter() {
    load(offsetof(seccomp_data, arch));
    // Whoever calls by another table of numbers is ended.
    add(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
    add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
    load(offsetof(seccomp_data, nr));
    constexpr unsigned kOtherTable = 0x40000000;  // x32
    add(BPF_JMP | BPF_JGE | BPF_K, kOtherTable, 0, 1);
    refuse(EPERM);
  }
  void refuse_call(long number, int error) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 1);
    refuse(error);
  }
  // Where an argument has any of the bits.
  void refuse_if_any(long number, int argument, unsigned bits) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 4);
    load_argument(argument);
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1);
    refuse(EPERM);
    load(offsetof(seccomp_data, nr));
  }
  void refuse_if_none(long number, int argument, unsigned bits) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 4);
    load_argument(argument);
    add(BPF_JMP | BPF_JSET | BPF_K, bits, 1, 0);
    refuse(EPERM);
    load(offsetof(seccomp_data, nr));
  }
  // Where an argument is neither of the two.
  void refuse_unless(long number, int argument, unsigned first, unsigned second) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number), 0, 5);
    load_argument(argument);
    add(BPF_JMP | BPF_JEQ | BPF_K, first, 2, 0);
    add(BPF_JMP | BPF_JEQ | BPF_K, second, 1, 0);
    refuse(EPERM);
    load(offsetof(seccomp_data, nr));
  }
  bool enter() {
    add(BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
    const sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
  }

 private:
  void add(int code, unsigned k, int if_true, int if_false) {
    code_.push_back({static_cast<unsigned short>(code), static_cast<unsigned char>(if_true),
                     static_cast<unsigned char>(if_false), k});
  }
  void load(std::size_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset), 0, 0);
  }
  void load_argument(int n) {  // its lower half
    load(offsetof(seccomp_data, args) + static_cast<std::size_t>(n) * sizeof(std::uint64_t));
  }
  void refuse(int error) {
    add(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | static_cast<unsigned>(error), 0, 0);
  }

  std::vector<sock_filter> code_;
};

std::string filter_calls() {
  CallFilter filter;
  constexpr unsigned kWrites = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  filter.refuse_if_any(SYS_open, 1, kWrites);
  filter.refuse_if_any(SYS_openat, 2, kWrites);
  filter.refuse_if_none(SYS_clone, 0, CLONE_THREAD);
  // Their arguments lie in memory, out of a filter's sight; libraries then take the older call.
  for (const long call : {SYS_clone3, SYS_openat2}) filter.refuse_call(call, ENOSYS);
  for (const long call : {SYS_creat,
                          SYS_truncate,
                          SYS_unlink,
                          SYS_unlinkat,
                          SYS_rename,
                          SYS_renameat,
                          SYS_renameat2,
                          SYS_link,
                          SYS_linkat,
                          SYS_symlink,
                          SYS_symlinkat,
                          SYS_mkdir,
                          SYS_mkdirat,
                          SYS_rmdir,
                          SYS_mknod,
                          SYS_mknodat,
                          SYS_chmod,
                          SYS_fchmod,
                          SYS_fchmodat,
                          SYS_chown,
                          SYS_fchown,
                          SYS_lchown,
                          SYS_fchownat,
                          SYS_fork,
                          SYS_vfork,
                          SYS_execve,
                          SYS_execveat,
                          SYS_setsid,
                          SYS_setpgid,
                          SYS_socket,
                          SYS_ptrace,
                          SYS_process_vm_readv,
                          SYS_process_vm_writev,
                          SYS_io_uring_setup,
                          SYS_unshare,
                          SYS_setns,
                          SYS_mount,
                          SYS_bpf,
                          SYS_perf_event_open,
                          SYS_userfaultfd,
                          SYS_tkill,
                          SYS_rt_sigqueueinfo,
                          SYS_rt_tgsigqueueinfo,
                          SYS_pidfd_send_signal}) {
    filter.refuse_call(call, EPERM);
  }
  // A process may end itself, and its group, which is its own.
  const auto self = static_cast<unsigned>(getpid());
  filter.refuse_unless(SYS_kill, 0, self, 0);
  filter.refuse_unless(SYS_tgkill, 0, self, self);
  return filter.enter() ? "" : std::string("seccomp (") + std::strerror(errno) + ")";
}

#else

std::string filter_calls() { return "seccomp (no filter for this processor)"; }

#endif

}  // namespace

std::string enter_sandbox(const SandboxWishes& wishes) {
  limit(RLIMIT_CORE, 0);
#if !defined(__SANITIZE_ADDRESS__)  // which reserves terabytes
  if (wishes.address_space != 0) limit(RLIMIT_AS, wishes.address_space);
#endif
  if (!wishes.confined) return {};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return "no sandbox";
  const std::string files = forbid_writing();
  const std::string calls = filter_calls();
  if (files.empty() || calls.empty()) return files + calls;
  return files + ", " + calls;
}

}  // namespace attest
