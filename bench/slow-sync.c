/* Makes every sync take 10 ms longer, as on a slow SD card. Loaded with LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

static int slowly(const char *name, int fd) {
  struct timespec ten_ms = {0, 10 * 1000 * 1000};
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  nanosleep(&ten_ms, 0);
  return sync(fd);
}

int fsync(int fd) { return slowly("fsync", fd); }

int fdatasync(int fd) { return slowly("fdatasync", fd); }
