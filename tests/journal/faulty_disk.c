/* A disk that fails on demand, laid between the real program and the C library (LD_PRELOAD).
 *
 * Every call that touches a file below FAULTY_FOLDER is counted. Which calls fail, and how, stands in the file
 * FAULTY_CONTROL, which the test changes while the program runs. What has truly become durable is noted in
 * FAULTY_LEDGER, so that the test can tell what a power cut would leave: a file is durable up to its size at its last
 * sync that succeeded, a name as of the last sync of the folder, and what stood before a sync that failed is gone. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { NONE, DEVICE, FULL, INTERRUPTED, SHORT, READ_ONLY, STALL };

/* Shared with the test, which writes all but `calls` and `failed`. */
struct control {
    _Atomic uint32_t from, count, failure, stall_ms;
    _Atomic uint32_t calls, failed;
};

static struct control *control;
static char folder[512];
static int ledger = -1;
static _Atomic char ours[4096];

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv("FAULTY_CONTROL"), *below = getenv("FAULTY_FOLDER"), *notes = getenv("FAULTY_LEDGER");
    if (!path || !below || !notes || strlen(below) >= sizeof folder)
        return;
    int fd = REAL(open64)(path, O_RDWR);
    if (fd < 0)
        return;
    void *map = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    REAL(close)(fd);
    ledger = REAL(open64)(notes, O_WRONLY | O_APPEND);
    if (map == MAP_FAILED || ledger < 0)
        return;
    strcpy(folder, below);
    control = map;
}

static int below(const char *path)
{
    return control && strncmp(path, folder, strlen(folder)) == 0;
}

static int is_ours(int fd)
{
    return control && fd >= 0 && fd < (int)sizeof ours && ours[fd];
}

static void note(const char *text)
{
    if (REAL(write)(ledger, text, strlen(text)) < 0)
        abort();
}

static void note_file(char what, int fd)
{
    struct stat found;
    char text[64];
    if (fstat(fd, &found) == 0) {
        snprintf(text, sizeof text, "%c %lu %lld\n", what, (unsigned long)found.st_ino, (long long)found.st_size);
        note(text);
    }
}

/* The names as they are now have become durable. */
static void note_names(void)
{
    char text[16384] = "N";
    size_t length = 1;
    DIR *open = REAL(opendir)(folder);
    for (struct dirent *entry; open && (entry = readdir(open));)
        length += snprintf(text + length, sizeof text - length, " %s=%lu", entry->d_name, (unsigned long)entry->d_ino);
    if (open)
        closedir(open);
    if (length + 2 > sizeof text)
        abort();
    strcpy(text + length, "\n");
    note(text);
}

/* Counts a call and tells how it fails. */
static int fails(void)
{
    uint32_t number = atomic_fetch_add(&control->calls, 1) + 1, from = control->from;
    if (from == 0 || number < from || number - from >= control->count)
        return NONE;
    atomic_fetch_add(&control->failed, 1);
    return (int)control->failure;
}

/* Whether the call fails wholly; errno is set. A stall is waited out and a short write is for writes alone. */
static int refused(int failure)
{
    struct timespec stall = {control->stall_ms / 1000, control->stall_ms % 1000 * 1000000L};
    switch (failure) {
    case DEVICE: errno = EIO; return 1;
    case FULL: errno = ENOSPC; return 1;
    case INTERRUPTED: errno = EINTR; return 1;
    case READ_ONLY: errno = EROFS; return 1;
    case STALL: nanosleep(&stall, NULL); return 0;
    default: return 0;
    }
}

int open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = flags & O_CREAT ? va_arg(arguments, mode_t) : 0;
    va_end(arguments);
    if (below(path) && refused(fails()))
        return -1;
    int fd = REAL(open64)(path, flags, mode);
    if (below(path) && fd >= 0 && fd < (int)sizeof ours) {
        ours[fd] = 1;
        if (flags & O_CREAT)
            note_file('C', fd);
    }
    return fd;
}

int close(int fd)
{
    if (fd >= 0 && fd < (int)sizeof ours)
        ours[fd] = 0;
    return REAL(close)(fd);
}

ssize_t write(int fd, const void *bytes, size_t length)
{
    if (!is_ours(fd))
        return REAL(write)(fd, bytes, length);
    int failure = fails();
    if (failure == SHORT)
        return REAL(write)(fd, bytes, (length + 1) / 2);
    /* A disk that becomes full takes what there is room for. */
    if (failure == FULL && length > 1 && REAL(write)(fd, bytes, length / 2) < 0)
        return -1;
    return refused(failure) ? -1 : REAL(write)(fd, bytes, length);
}

static int sync_with(int (*real)(int), int fd)
{
    if (!is_ours(fd))
        return real(fd);
    struct stat found;
    int is_folder = fstat(fd, &found) == 0 && S_ISDIR(found.st_mode);
    if (refused(fails())) {
        int error = errno;
        if (!is_folder && error != EINTR)
            note_file('L', fd);
        errno = error;
        return -1;
    }
    int result = real(fd);
    if (result == 0 && is_folder)
        note_names();
    else if (result == 0)
        note_file('S', fd);
    return result;
}

int fdatasync(int fd) { return sync_with(REAL(fdatasync), fd); }
int fsync(int fd) { return sync_with(REAL(fsync), fd); }

int rename(const char *from, const char *to)
{
    return below(from) && refused(fails()) ? -1 : REAL(rename)(from, to);
}

int unlink(const char *path)
{
    return below(path) && refused(fails()) ? -1 : REAL(unlink)(path);
}

int mkdir(const char *path, mode_t mode)
{
    return below(path) && refused(fails()) ? -1 : REAL(mkdir)(path, mode);
}

DIR *opendir(const char *path)
{
    return below(path) && refused(fails()) ? NULL : REAL(opendir)(path);
}
