// What a program asks of the system that it runs on: an environment of its own, files of which there are none, and who and where it is.
#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

extern "C" {
void linspect_atomic_begin();
void linspect_atomic_end();

// The environment: `NAME=value`, of the program's own making. As everywhere, it has no lock.
static const char *environment[64];

static const char **entry_of(const char *name, size_t length) {
  for (const char **entry = environment; entry != environment + 63; entry++)
    if (!*entry || (strncmp(*entry, name, length) == 0 && (*entry)[length] == '='))
      return entry;
  return nullptr;
}

char *getenv(const char *name) {
  const char **entry = entry_of(name, strlen(name));
  return entry && *entry ? const_cast<char *>(*entry) + strlen(name) + 1 : nullptr;
}
char *secure_getenv(const char *name) { return getenv(name); }

int unsetenv(const char *name) {
  const char **entry = entry_of(name, strlen(name));
  for (; entry && *entry; entry++)
    *entry = entry[1];
  return 0;
}

int putenv(char *text) {
  const char *end = strchr(text, '=');
  if (!end)
    return unsetenv(text);
  const char **entry = entry_of(text, end - text);
  if (!entry)
    return errno = ENOMEM, -1;
  *entry = text;
  return 0;
}

int setenv(const char *name, const char *value, int overwrite) {
  if (!*name || strchr(name, '='))
    return errno = EINVAL, -1;
  if (!overwrite && getenv(name))
    return 0;
  const size_t size = strlen(name) + strlen(value) + 2;
  char *text = static_cast<char *>(malloc(size));
  snprintf(text, size, "%s=%s", name, value);
  return putenv(text);
}

int clearenv() {
  memset(environment, 0, sizeof environment);
  return 0;
}

// Who calls these at the end of the process calls them in a step of its own.
static void (*at_quick[32])();
static int quick_count;

// C++ has it without C's linkage, so the symbol is said.
int linspect_at_quick_exit(void (*)()) __asm__("at_quick_exit");
int linspect_at_quick_exit(void (*call)()) {
  linspect_atomic_begin();
  const bool room = quick_count < 32;
  if (room)
    at_quick[quick_count++] = call;
  linspect_atomic_end();
  return room ? 0 : -1;
}

void quick_exit(int code) noexcept {
  for (;;) {
    linspect_atomic_begin();
    void (*call)() = quick_count > 0 ? at_quick[--quick_count] : nullptr;
    linspect_atomic_end();
    if (!call)
      _Exit(code);
    call();
  }
}

static int no_file() { return errno = ENOENT, -1; }
int access(const char *, int) { return no_file(); }
int stat(const char *, struct stat *) { return no_file(); }
int lstat(const char *, struct stat *) { return no_file(); }
int unlink(const char *) { return no_file(); }
int remove(const char *) { return no_file(); }
int rename(const char *, const char *) { return no_file(); }
int mkdir(const char *, mode_t) { return no_file(); }

uid_t geteuid() { return getuid(); }
gid_t getgid() { return getuid(); }
gid_t getegid() { return getuid(); }
int get_nprocs_conf() { return static_cast<int>(sysconf(_SC_NPROCESSORS_CONF)); }
int prctl(int, ...) { return 0; }
int getpriority(__priority_which_t, id_t) { return 0; }
int setpriority(__priority_which_t, id_t, int) { return 0; }
int nice(int) { return 0; }
int mlock(const void *, size_t) { return 0; }
int munlock(const void *, size_t) { return 0; }
int mlockall(int) { return 0; }
int munlockall() { return 0; }
int malloc_trim(size_t) { return 0; }
int mallopt(int, int) { return 1; }

clock_t times(struct tms *all) {
  memset(all, 0, sizeof *all);
  return clock() / (CLOCKS_PER_SEC / 100);
}

int gethostname(char *room, size_t size) {
  snprintf(room, size, "localhost");
  return 0;
}

int uname(struct utsname *all) {
  memset(all, 0, sizeof *all);
  strcpy(all->sysname, "Linux");
  strcpy(all->nodename, "localhost");
  strcpy(all->release, "6.1.0");
  strcpy(all->version, "#1");
  strcpy(all->machine, "x86_64");
  return 0;
}

void *mremap(void *old, size_t old_size, size_t size, int flags, ...) {
  if (!(flags & MREMAP_MAYMOVE))
    return errno = ENOMEM, MAP_FAILED;
  void *moved = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (moved == MAP_FAILED)
    return moved;
  memcpy(moved, old, old_size < size ? old_size : size);
  munmap(old, old_size);
  return moved;
}

// Nothing ever comes in, so whoever waits for it with a limit waits in vain.
int select(int, fd_set *in, fd_set *, fd_set *errors, struct timeval *limit) {
  if (!limit)
    return poll(nullptr, 0, -1);
  if (in)
    FD_ZERO(in);
  if (errors)
    FD_ZERO(errors);
  return usleep(static_cast<unsigned>(limit->tv_sec * 1000000 + limit->tv_usec)), 0;
}

// There is one locale, C's.
char *setlocale(int, const char *name) {
  const bool known = !name || !*name || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
  static char c[] = "C";
  return known ? c : nullptr;
}

struct lconv *localeconv() {
  static char point[] = ".", nothing[] = "";
  static struct lconv all;
  linspect_atomic_begin();
  all.decimal_point = point;
  all.thousands_sep = all.grouping = nothing;
  linspect_atomic_end();
  return &all;
}

void syslog(int, const char *, ...) {}
void openlog(const char *, int, int) {}
void closelog() {}

static void complain(const char *text, va_list arguments, const char *reason) {
  fputs("program: ", stderr);
  if (text)
    vfprintf(stderr, text, arguments);
  fprintf(stderr, "%s%s\n", reason ? ": " : "", reason ? reason : "");
}
#define LINSPECT_COMPLAIN(REASON)                                                                  \
  va_list arguments;                                                                               \
  va_start(arguments, text);                                                                       \
  complain(text, arguments, REASON);                                                               \
  va_end(arguments);
void warn(const char *text, ...) { LINSPECT_COMPLAIN(strerror(errno)) }
void warnx(const char *text, ...) { LINSPECT_COMPLAIN(nullptr) }
void err(int code, const char *text, ...) {
  LINSPECT_COMPLAIN(strerror(errno))
  exit(code);
}
void errx(int code, const char *text, ...) {
  LINSPECT_COMPLAIN(nullptr)
  exit(code);
}
}
