/*
 * Preloaded into the processes of a database: makes the disk under one folder slow, broken or full, and keeps what a
 * power cut would take away. The mode is the first byte of a mapped file, so that it can be changed while they run.
 *
 * Before a write the bytes that it replaces are appended to a file of their own in another folder, and that file is
 * emptied when the written one was synced. Whoever cuts the power puts those bytes back, the last ones first. Names
 * (creating, renaming and deleting files) count as stored at once.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { GOOD = 'g', SLOW = 's', SYNC_FAILS = 'e', WRITE_FAILS = 'w', CANNOT_GROW = 'f', FULL = 'F' };

/** One write that is not synced: what stood there, and how long the file was. */
struct replaced {
  int64_t offset;
  int64_t length;
  int64_t size;
};

static const volatile char *mode_byte;
static const char *folder, *kept_folder;

static ssize_t (*real_write)(int, const void *, size_t);
static ssize_t (*real_pwrite)(int, const void *, size_t, off_t);
static ssize_t (*real_writev)(int, const struct iovec *, int);
static ssize_t (*real_pwritev)(int, const struct iovec *, int, off_t);
static int (*real_fsync)(int);
static int (*real_fdatasync)(int);
static int (*real_ftruncate)(int, off_t);

__attribute__((constructor)) static void begin(void) {
  real_write = dlsym(RTLD_NEXT, "write");
  real_pwrite = dlsym(RTLD_NEXT, "pwrite64");
  real_writev = dlsym(RTLD_NEXT, "writev");
  real_pwritev = dlsym(RTLD_NEXT, "pwritev64");
  real_fsync = dlsym(RTLD_NEXT, "fsync");
  real_fdatasync = dlsym(RTLD_NEXT, "fdatasync");
  real_ftruncate = dlsym(RTLD_NEXT, "ftruncate64");
  folder = getenv("BAD_DISK_FOLDER");
  kept_folder = getenv("BAD_DISK_KEPT");
  const char *mode_file = getenv("BAD_DISK_MODE");
  int fd = mode_file == NULL ? -1 : open(mode_file, O_RDONLY | O_CLOEXEC);
  void *mapped = fd < 0 ? MAP_FAILED : mmap(NULL, 1, PROT_READ, MAP_SHARED, fd, 0);
  if (fd >= 0) close(fd);
  if (mapped == MAP_FAILED || folder == NULL || kept_folder == NULL) {
    static const char problem[] = "bad-disk: BAD_DISK_FOLDER, BAD_DISK_KEPT or BAD_DISK_MODE cannot be used\n";
    (void)!real_write(2, problem, sizeof problem - 1);
    _exit(127);
  }
  mode_byte = mapped;
}

/** Whether this is a file under the folder. */
static int is_ours(int fd, struct stat *file) {
  if (mode_byte == NULL || fstat(fd, file) != 0 || !S_ISREG(file->st_mode)) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  size_t prefix = strlen(folder);
  return strncmp(path, folder, prefix) == 0 && path[prefix] == '/';
}

/** Opens and locks what is kept of a file; the number of a deleted file is used again, so its birth belongs to the name. */
static int open_kept(int fd) {
  struct statx born;
  if (statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &born) != 0) return -1;
  char path[4096];
  snprintf(path, sizeof path, "%s/%llu-%llu", kept_folder, (unsigned long long)born.stx_ino,
           (unsigned long long)born.stx_btime.tv_sec * 1000000000ull + born.stx_btime.tv_nsec);
  int kept = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (kept >= 0) flock(kept, LOCK_EX);
  return kept;
}

/** Keeps what a change from `offset` on will replace. Answers the lock, to be closed after the change. */
static int keep(int fd, const struct stat *file, off_t offset, size_t length) {
  int kept = open_kept(fd);
  if (kept < 0) return kept;
  int64_t there = file->st_size > offset ? file->st_size - offset : 0;
  struct replaced head = {offset, there < (int64_t)length ? there : (int64_t)length, file->st_size};
  char *record = malloc(sizeof head + head.length);
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int reading = open(link, O_RDONLY | O_CLOEXEC);
  ssize_t got = reading < 0 ? 0 : pread(reading, record + sizeof head, head.length, offset);
  if (reading >= 0) close(reading);
  head.length = got > 0 ? got : 0;
  memcpy(record, &head, sizeof head);
  (void)!real_write(kept, record, sizeof head + head.length);
  free(record);
  return kept;
}

/** The error of a write that may not be made at present; 0 where it may. */
static int refusal_of(const struct stat *file, off_t offset, size_t length) {
  char mode = *mode_byte;
  if (mode == WRITE_FAILS) return EIO;
  if (mode == FULL) return ENOSPC;
  return mode == CANNOT_GROW && offset + (off_t)length > file->st_size ? ENOSPC : 0;
}

static off_t place_of(int fd, const struct stat *file) {
  return (fcntl(fd, F_GETFL) & O_APPEND) != 0 ? file->st_size : lseek(fd, 0, SEEK_CUR);
}

static size_t length_of(const struct iovec *parts, int count) {
  size_t length = 0;
  for (int part = 0; part < count; part++) length += parts[part].iov_len;
  return length;
}

#define GUARDED(OFFSET, LENGTH, CALL)                             \
  struct stat file;                                               \
  if (!is_ours(fd, &file)) return CALL;                           \
  off_t offset = OFFSET;                                          \
  size_t length = LENGTH;                                         \
  int refusal = refusal_of(&file, offset, length);                \
  if (refusal != 0) {                                             \
    errno = refusal;                                              \
    return -1;                                                    \
  }                                                               \
  int kept = keep(fd, &file, offset, length);                     \
  ssize_t done = CALL;                                            \
  int problem = errno;                                            \
  if (kept >= 0) close(kept);                                     \
  errno = problem;                                                \
  return done;

ssize_t write(int fd, const void *bytes, size_t size) {
  if (real_write == NULL) real_write = dlsym(RTLD_NEXT, "write");
  GUARDED(place_of(fd, &file), size, real_write(fd, bytes, size))
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off_t at) { GUARDED(at, size, real_pwrite(fd, bytes, size, at)) }
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) { return pwrite64(fd, bytes, size, at); }
ssize_t writev(int fd, const struct iovec *parts, int count) {
  if (real_writev == NULL) real_writev = dlsym(RTLD_NEXT, "writev");
  GUARDED(place_of(fd, &file), length_of(parts, count), real_writev(fd, parts, count))
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t at) {
  GUARDED(at, length_of(parts, count), real_pwritev(fd, parts, count, at))
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) { return pwritev64(fd, parts, count, at); }

int ftruncate64(int fd, off_t size) {
  struct stat file;
  if (!is_ours(fd, &file)) return real_ftruncate(fd, size);
  int kept = keep(fd, &file, size, file.st_size > size ? file.st_size - size : 0);
  int done = real_ftruncate(fd, size);
  int problem = errno;
  if (kept >= 0) close(kept);
  errno = problem;
  return done;
}
int ftruncate(int fd, off_t size) { return ftruncate64(fd, size); }

static int sync_with(int fd, int (*real)(int)) {
  struct stat file;
  if (!is_ours(fd, &file)) return real(fd);
  char mode = *mode_byte;
  if (mode == SLOW) nanosleep(&(struct timespec){0, 700000000}, NULL);
  if (mode == SYNC_FAILS) {
    errno = EIO;
    return -1;
  }
  int kept = open_kept(fd);
  int done = real(fd);
  int problem = errno;
  if (kept >= 0) {
    if (done == 0) (void)!real_ftruncate(kept, 0);
    close(kept);
  }
  errno = problem;
  return done;
}
int fsync(int fd) { return sync_with(fd, real_fsync); }
int fdatasync(int fd) { return sync_with(fd, real_fdatasync); }
