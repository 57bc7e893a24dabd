/* confined.c - tries what a worker must not do, and fails with a list of what it could. */
#define _GNU_SOURCE
#include "tests/harness/subjects/cheats/cheat.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void note(const attest_forward_call *c, int could, const char *what) {
  const size_t used = strlen(c->message);
  if (could) snprintf(c->message + used, c->message_bytes - used, "%s;", what);
}

static void *nothing(void *unused) { return unused; }

static int32_t tries(const attest_forward_call *c) {
  const char *const folder = getenv("CONFINED_FOLDER");
  char file[4096], other[4100];
  pthread_t thread;
  snprintf(file, sizeof file, "%s/file", folder ? folder : "/tmp");
  snprintf(other, sizeof other, "%s2", file);
  note(c, open(file, O_WRONLY) >= 0, "write");
  note(c, open(file, O_RDONLY | O_TRUNC) >= 0, "truncate by opening");
  note(c, open(other, O_CREAT | O_RDWR, 0600) >= 0, "create");
  note(c, syscall(SYS_openat2, AT_FDCWD, file, (uint64_t[]){O_WRONLY, 0, 0}, 24) >= 0, "openat2");
  note(c, truncate(file, 0) == 0, "truncate");
  note(c, rename(file, other) == 0, "rename");
  note(c, link(file, other) == 0, "link");
  note(c, mkdir(other, 0700) == 0, "mkdir");
  note(c, chmod(file, 0) == 0, "chmod");
  note(c, unlink(file) == 0, "unlink");
  note(c, socket(AF_INET, SOCK_STREAM, 0) >= 0, "socket");
  note(c, kill(getppid(), 0) == 0, "kill");
  note(c, setsid() >= 0, "setsid");
  note(c, syscall(SYS_execve, "/bin/true", NULL, NULL) == 0, "exec");
  const pid_t child = fork();
  if (child == 0) _exit(0);
  note(c, child > 0, "fork");
  note(c, malloc((size_t)1 << 40) != NULL, "a terabyte");
  note(c, open(file, O_RDONLY) < 0, "no reading");
  note(c, pthread_create(&thread, NULL, nothing, NULL) != 0, "no thread");
  return c->message[0] == '\0' ? forward(c) : ATTEST_FAILED;
}

const attest_plugin *attest_plugin_table(void) { return one_cheat("tries", tries); }
