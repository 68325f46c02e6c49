/*
 * Writes a trace: all changes that a process makes to the files below one folder, in their order. Loaded with
 * LD_PRELOAD.
 *
 *   TRACE_ROOT   the folder, an absolute path without links
 *   TRACE_FILE   the file of the trace
 *   TRACE_MARKS  a file descriptor: writes to it go only into the trace, in the same order
 *
 * An operation and its record are one step under a lock, so the records are in the order of the file system. A sync
 * has two records: when it has ended, only changes from before its beginning are durable. A call that could change a
 * file without a record ends the process, so a trace is complete or missing.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { OPEN = 1, WRITE, TRUNCATE, RENAME, UNLINK, MKDIR, RMDIR, SYNC_BEGIN, SYNC_END, CLOSE, MARK };
enum { FDS = 65536 };

/* Little-endian on every machine that this is for; then `length` bytes, then `length2` bytes. */
struct record {
  uint32_t kind;
  int32_t fd;
  uint64_t number;
  uint32_t length;
  uint32_t length2;
};

static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static char is_traced[FDS];
static const char *root;
static size_t root_length;
static int out = -1;
static int marks = -1;
static uint64_t syncs;

static void give_up(const char *what) {
  dprintf(2, "trace-files: %s cannot be traced\n", what);
  _exit(70);
}

__attribute__((constructor)) static void begin(void) {
  root = getenv("TRACE_ROOT");
  const char *file = getenv("TRACE_FILE");
  const char *fd = getenv("TRACE_MARKS");
  if (root == NULL || file == NULL) return;
  root_length = strlen(root);
  if (fd != NULL) marks = atoi(fd);
  int low = syscall(SYS_openat, AT_FDCWD, file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  /* A high number, because the process may expect to get the low ones. */
  out = fcntl(low, F_DUPFD_CLOEXEC, 1000);
  if (low < 0 || out < 0) give_up(file);
  syscall(SYS_close, low);
}

static int is_below(const char *path) {
  return out >= 0 && path != NULL && strncmp(path, root, root_length) == 0 &&
         (path[root_length] == '/' || path[root_length] == 0);
}

/*
 * Node closes some files without this library. A number of such a file is reused by a file that is opened here, or by
 * something that is no file.
 */
static int is_file(int fd) {
  if (fd < 0 || fd >= FDS || !is_traced[fd]) return 0;
  struct stat state;
  if (fstat(fd, &state) != 0 || !(S_ISREG(state.st_mode) || S_ISDIR(state.st_mode))) is_traced[fd] = 0;
  return is_traced[fd];
}

static void note(int kind, int fd, uint64_t number, const void *data, size_t length, const char *path2) {
  struct record record = {kind, fd, number, length, path2 == NULL ? 0 : strlen(path2)};
  struct iovec parts[3] = {{&record, sizeof record}, {(void *)data, length}, {(void *)path2, record.length2}};
  size_t whole = sizeof record + length + record.length2;
  if ((size_t)syscall(SYS_writev, out, parts, 3) != whole) give_up("with a full disk it");
}

static void note_path(int kind, const char *path) { note(kind, -1, 0, path, strlen(path), NULL); }

static void lock(void) { pthread_mutex_lock(&order); }
static void unlock(void) {
  int error = errno;
  pthread_mutex_unlock(&order);
  errno = error;
}

static int open_file(int folder, const char *path, int flags, mode_t mode) {
  if (out >= 0 && path[0] != '/' && is_file(folder)) give_up("a path relative to a folder");
  if (!is_below(path)) {
    int fd = syscall(SYS_openat, folder, path, flags, mode);
    if (fd >= 0 && fd < FDS) is_traced[fd] = 0;
    return fd;
  }
  if (flags & (O_SYNC | O_DSYNC)) give_up("a file that syncs by itself");
  lock();
  int fd = syscall(SYS_openat, folder, path, flags, mode);
  if (fd >= FDS) give_up("a file descriptor as high");
  if (fd >= 0) {
    is_traced[fd] = 1;
    note(OPEN, fd, flags & (O_TRUNC | O_CREAT), path, strlen(path), NULL);
  }
  unlock();
  return fd;
}

#define READ_MODE \
  mode_t mode = 0; \
  if (flags & O_CREAT) { \
    va_list rest; \
    va_start(rest, flags); \
    mode = va_arg(rest, int); \
    va_end(rest); \
  }

int open(const char *path, int flags, ...) { READ_MODE return open_file(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { READ_MODE return open_file(AT_FDCWD, path, flags, mode); }
int __open_2(const char *path, int flags) { return open_file(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_file(AT_FDCWD, path, flags, 0); }
int openat(int folder, const char *path, int flags, ...) { READ_MODE return open_file(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { READ_MODE return open_file(folder, path, flags, mode); }
int creat(const char *path, mode_t mode) { return open_file(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return creat(path, mode); }

int close(int fd) {
  if (!is_file(fd)) return syscall(SYS_close, fd);
  lock();
  is_traced[fd] = 0;
  note(CLOSE, fd, 0, NULL, 0, NULL);
  int result = syscall(SYS_close, fd);
  unlock();
  return result;
}

/* Records the written bytes in one record. They may be fewer than requested. */
static void note_written(int fd, const struct iovec *parts, int count, size_t written, uint64_t offset) {
  for (int n = 0; n < count && written > 0; n++) {
    size_t length = parts[n].iov_len < written ? parts[n].iov_len : written;
    note(WRITE, fd, offset, parts[n].iov_base, length, NULL);
    offset += length;
    written -= length;
  }
}

static ssize_t write_parts(int fd, const struct iovec *parts, int count) {
  if (out >= 0 && fd == marks) {
    ssize_t length = 0;
    lock();
    for (int n = 0; n < count; n++) {
      note(MARK, fd, 0, parts[n].iov_base, parts[n].iov_len, NULL);
      length += parts[n].iov_len;
    }
    unlock();
    return length;
  }
  if (!is_file(fd)) return syscall(SYS_writev, fd, parts, count);
  lock();
  ssize_t written = syscall(SYS_writev, fd, parts, count);
  if (written > 0) note_written(fd, parts, count, written, lseek(fd, 0, SEEK_CUR) - written);
  unlock();
  return written;
}

static ssize_t write_parts_at(int fd, const struct iovec *parts, int count, off_t offset) {
  /* The offset is passed in two halves, for machines of 32 bits; the kernel ignores the upper one here. */
  if (!is_file(fd)) return syscall(SYS_pwritev, fd, parts, count, offset, 0L);
  lock();
  ssize_t written = syscall(SYS_pwritev, fd, parts, count, offset, 0L);
  if (written > 0) note_written(fd, parts, count, written, offset);
  unlock();
  return written;
}

ssize_t write(int fd, const void *data, size_t length) {
  if (!is_file(fd) && (out < 0 || fd != marks)) return syscall(SYS_write, fd, data, length);
  struct iovec part = {(void *)data, length};
  return write_parts(fd, &part, 1);
}
ssize_t writev(int fd, const struct iovec *parts, int count) { return write_parts(fd, parts, count); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) {
  struct iovec part = {(void *)data, length};
  return write_parts_at(fd, &part, 1, offset);
}
ssize_t pwrite64(int fd, const void *data, size_t length, off_t offset) { return pwrite(fd, data, length, offset); }
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  return write_parts_at(fd, parts, count, offset);
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t offset) {
  return write_parts_at(fd, parts, count, offset);
}

int ftruncate(int fd, off_t size) {
  if (!is_file(fd)) return syscall(SYS_ftruncate, fd, size);
  lock();
  int result = syscall(SYS_ftruncate, fd, size);
  if (result == 0) note(TRUNCATE, fd, size, NULL, 0, NULL);
  unlock();
  return result;
}
int ftruncate64(int fd, off_t size) { return ftruncate(fd, size); }
int truncate(const char *path, off_t size) {
  int fd = open(path, O_WRONLY);
  if (fd < 0) return fd;
  int result = ftruncate(fd, size);
  close(fd);
  return result;
}
int truncate64(const char *path, off_t size) { return truncate(path, size); }

static int sync_file(long call, int fd) {
  if (!is_file(fd)) return syscall(call, fd);
  lock();
  uint64_t number = ++syncs;
  note(SYNC_BEGIN, fd, number, NULL, 0, NULL);
  unlock();
  int result = syscall(call, fd);
  lock();
  if (result == 0) note(SYNC_END, fd, number, NULL, 0, NULL);
  unlock();
  return result;
}
int fsync(int fd) { return sync_file(SYS_fsync, fd); }
int fdatasync(int fd) { return sync_file(SYS_fdatasync, fd); }

static int rename_file(const char *from, const char *to) {
  int here = is_below(from);
  if (here != is_below(to)) give_up("a rename into or out of the folder");
  if (!here) return syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  lock();
  int result = syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
  if (result == 0) note(RENAME, -1, 0, from, strlen(from), to);
  unlock();
  return result;
}
int rename(const char *from, const char *to) { return rename_file(from, to); }
int renameat(int a, const char *from, int b, const char *to) {
  if (!is_below(from) && !is_below(to)) return syscall(SYS_renameat2, a, from, b, to, 0);
  return rename_file(from, to);
}

static int remove_path(int folder, const char *path, int flags) {
  if (!is_below(path)) return syscall(SYS_unlinkat, folder, path, flags);
  lock();
  int result = syscall(SYS_unlinkat, folder, path, flags);
  if (result == 0) note_path(flags & AT_REMOVEDIR ? RMDIR : UNLINK, path);
  unlock();
  return result;
}
int unlink(const char *path) { return remove_path(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return remove_path(AT_FDCWD, path, AT_REMOVEDIR); }
int unlinkat(int folder, const char *path, int flags) { return remove_path(folder, path, flags); }
int remove(const char *path) {
  int result = unlink(path);
  return result != 0 && errno == EISDIR ? rmdir(path) : result;
}

int mkdirat(int folder, const char *path, mode_t mode) {
  if (!is_below(path)) return syscall(SYS_mkdirat, folder, path, mode);
  lock();
  int result = syscall(SYS_mkdirat, folder, path, mode);
  if (result == 0) note_path(MKDIR, path);
  unlock();
  return result;
}
int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

/* Streams of the C library do not use the functions above. So a stream on a traced file gets its own functions. */
static ssize_t stream_write(void *fd, const char *data, size_t length) { return write((int)(intptr_t)fd, data, length); }
static int stream_close(void *fd) { return close((int)(intptr_t)fd); }
static ssize_t stream_read(void *fd, char *data, size_t length) { return read((int)(intptr_t)fd, data, length); }
static int stream_seek(void *fd, off64_t *offset, int whence) {
  *offset = lseek((int)(intptr_t)fd, *offset, whence);
  return *offset < 0 ? -1 : 0;
}
static FILE *stream_of(int fd, const char *mode) {
  cookie_io_functions_t functions = {stream_read, stream_write, stream_seek, stream_close};
  FILE *stream = fopencookie((void *)(intptr_t)fd, mode, functions);
  /* LevelDB syncs the descriptor of its streams, but glibc gives such a stream no descriptor. */
  if (stream != NULL) stream->_fileno = fd;
  return stream;
}
static int flags_of(const char *mode) {
  int flags = strchr(mode, '+') != NULL ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
  if (mode[0] == 'w') flags |= O_CREAT | O_TRUNC;
  if (mode[0] == 'a') flags |= O_CREAT | O_APPEND;
  return flags | O_CLOEXEC;
}
FILE *fdopen(int fd, const char *mode) {
  if (is_file(fd)) return stream_of(fd, mode);
  FILE *(*plain)(int, const char *) = (FILE * (*)(int, const char *)) dlsym(RTLD_NEXT, "fdopen");
  return plain(fd, mode);
}
FILE *fopen(const char *path, const char *mode) {
  if (!is_below(path)) {
    FILE *(*plain)(const char *, const char *) = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
    return plain(path, mode);
  }
  int fd = open(path, flags_of(mode), 0666);
  return fd < 0 ? NULL : stream_of(fd, mode);
}
FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

/* Functions that could change a file without a record. */
static void *map(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  if (is_file(fd) && (flags & MAP_SHARED) && (protection & PROT_WRITE)) give_up("a file that is written in memory");
  return (void *)syscall(SYS_mmap, at, length, protection, flags, fd, offset);
}
void *mmap(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  return map(at, length, protection, flags, fd, offset);
}
void *mmap64(void *at, size_t length, int protection, int flags, int fd, off_t offset) {
  return map(at, length, protection, flags, fd, offset);
}
int dup(int fd) {
  if (is_file(fd)) give_up("a second descriptor of a file");
  return syscall(SYS_dup, fd);
}
int dup3(int fd, int to, int flags) {
  if (is_file(fd) || is_file(to)) give_up("a second descriptor of a file");
  return syscall(SYS_dup3, fd, to, flags);
}
int link(const char *from, const char *to) {
  if (is_below(to)) give_up("a second name of a file");
  return syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int symlink(const char *target, const char *path) {
  if (is_below(path)) give_up("a link");
  return syscall(SYS_symlinkat, target, AT_FDCWD, path);
}
int fallocate(int fd, int mode, off_t offset, off_t length) {
  if (is_file(fd)) give_up("space taken in advance");
  return syscall(SYS_fallocate, fd, mode, offset, length);
}
ssize_t copy_file_range(int from, off64_t *a, int to, off64_t *b, size_t length, unsigned flags) {
  if (is_file(to)) give_up("a copy that the kernel makes");
  return syscall(SYS_copy_file_range, from, a, to, b, length, flags);
}
ssize_t sendfile(int to, int from, off_t *offset, size_t length) {
  if (is_file(to)) give_up("a copy that the kernel makes");
  return syscall(SYS_sendfile, to, from, offset, length);
}
ssize_t sendfile64(int to, int from, off64_t *offset, size_t length) { return sendfile(to, from, offset, length); }
