/* Makes every sync take SLOW_SYNC_MS milliseconds longer, as on a card. Loaded with LD_PRELOAD. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

static int slowly(const char *name, int fd) {
  const char *ms = getenv("SLOW_SYNC_MS");
  struct timespec longer = {0, (ms ? atol(ms) : 0) * 1000 * 1000};
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  nanosleep(&longer, 0);
  return sync(fd);
}

int fsync(int fd) { return slowly("fsync", fd); }

int fdatasync(int fd) { return slowly("fdatasync", fd); }
