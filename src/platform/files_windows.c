// Files on Windows; see files.h. Paths, and the functions that begin with an underscore, are those of the C library.
#include "platform/files.h"

#include <direct.h>
#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <limits.h>
#include <process.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utime.h>

// clang-format off: the order is required
#include <aclapi.h>
#include <windows.h>
// clang-format on

int clr_os_open(const char *path) {
  return _open(path, _O_RDONLY | _O_BINARY | _O_NOINHERIT);
}

int clr_os_create(const char *path, bool is_private) {
  // A new file has the rights of its directory. Directories of a user's profile are private.
  (void)is_private;
  return _open(path, _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE);
}

// ---------------------------------------------------------------- Rights

union clr_sid {
  SID sid;
  BYTE bytes[SECURITY_MAX_SID_SIZE];
};

// The user of this process, then the administrators and the system.
struct trusted {
  union clr_sid sids[3];
};

static bool read_user(union clr_sid *user) {
  union {
    TOKEN_USER user;
    BYTE bytes[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
  } held;
  HANDLE token;
  DWORD size;
  if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token))
    return false;
  bool done = GetTokenInformation(token, TokenUser, &held, sizeof held, &size) &&
              CopySid(sizeof *user, &user->sid, held.user.User.Sid);
  CloseHandle(token);
  return done;
}

static bool read_trusted(struct trusted *trusted) {
  DWORD size = sizeof trusted->sids[1], again = sizeof trusted->sids[2];
  return read_user(&trusted->sids[0]) &&
         CreateWellKnownSid(WinBuiltinAdministratorsSid, NULL, &trusted->sids[1].sid, &size) &&
         CreateWellKnownSid(WinLocalSystemSid, NULL, &trusted->sids[2].sid, &again);
}

static bool is_trusted(struct trusted *trusted, PSID sid) {
  for (size_t i = 0; i < sizeof trusted->sids / sizeof *trusted->sids; i++)
    if (EqualSid(&trusted->sids[i].sid, sid))
      return true;
  return false;
}

// True if an entry lets a user who is not trusted write the file, replace it or change its rights.
static bool gives_away(struct trusted *trusted, ACE_HEADER *entry) {
  const ACCESS_MASK writes =
    FILE_WRITE_DATA | FILE_APPEND_DATA | DELETE | WRITE_DAC | WRITE_OWNER | GENERIC_WRITE | GENERIC_ALL;
  ACCESS_ALLOWED_ACE *allowed = (ACCESS_ALLOWED_ACE *)entry;
  if (entry->AceType == ACCESS_DENIED_ACE_TYPE || entry->AceFlags & INHERIT_ONLY_ACE)
    return false;
  // Entries of other types may have conditions, which we do not evaluate: the file counts as not private.
  if (entry->AceType != ACCESS_ALLOWED_ACE_TYPE)
    return true;
  return (allowed->Mask & writes) && !is_trusted(trusted, (PSID)&allowed->SidStart);
}

static bool is_private_list(struct trusted *trusted, ACL *list) {
  void *entry;
  if (!list)
    return false;  // no list: everyone may do everything
  for (DWORD i = 0; i < list->AceCount; i++)
    if (!GetAce(list, i, &entry) || gives_away(trusted, entry))
      return false;
  return true;
}

static bool is_private(int file) {
  struct trusted trusted;
  PSID owner = NULL;
  ACL *list = NULL;
  PSECURITY_DESCRIPTOR held = NULL;
  if (!read_trusted(&trusted) ||
      GetSecurityInfo((HANDLE)_get_osfhandle(file), SE_FILE_OBJECT,
                      OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION, &owner, NULL, &list, NULL, &held))
    return false;
  bool found = owner && is_trusted(&trusted, owner) && is_private_list(&trusted, list);
  LocalFree(held);
  return found;
}

bool clr_os_facts(int file, struct clr_os_facts *facts) {
  struct _stat64 found;
  if (_fstat64(file, &found))
    return false;
  *facts = (struct clr_os_facts){.size = found.st_size < 0 ? UINT64_MAX : (uint64_t)found.st_size,
                                 .changed = (time_t)found.st_mtime,
                                 .is_regular = (found.st_mode & _S_IFMT) == _S_IFREG,
                                 .is_private = is_private(file)};
  return true;
}

// ---------------------------------------------------------------- Bytes

static unsigned some_of(size_t size) {
  return size < INT_MAX ? (unsigned)size : INT_MAX;
}

bool clr_os_read(int file, void *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    int got = _read(file, (char *)bytes + done, some_of(size - done));
    if (got == 0)
      errno = EIO;
    if (got <= 0)
      return false;
    done += (size_t)got;
  }
  return true;
}

bool clr_os_write(int file, const void *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    int put = _write(file, (const char *)bytes + done, some_of(size - done));
    if (put < 0)
      return false;
    done += (size_t)put;
  }
  return true;
}

void clr_os_touch(int file) {
  (void)_futime64(file, NULL);
}

bool clr_os_close(int file) {
  return _close(file) == 0;
}

bool clr_os_may_write(uint64_t size) {
  (void)size;  // Windows has no such limit
  return true;
}

// ---------------------------------------------------------------- Paths

bool clr_os_replace(const char *from, const char *to) {
  if (MoveFileExA(from, to, MOVEFILE_REPLACE_EXISTING))
    return true;
  errno = GetLastError() == ERROR_FILE_NOT_FOUND ? ENOENT : EACCES;
  return false;
}

bool clr_os_remove(const char *path) {
  return remove(path) == 0;
}

bool clr_os_make_directory(const char *path) {
  return _mkdir(path) == 0 || errno == EEXIST;
}

static bool pattern_of(const char *path, char *pattern, size_t size) {
  int length = snprintf(pattern, size, "%s/*", path);
  return length > 0 && (size_t)length < size;
}

void clr_os_visit_directory(const char *path,
                            bool (*visit)(void *self, const char *name, const struct clr_os_facts *facts), void *self) {
  char pattern[MAX_PATH];
  struct __finddata64_t found;
  if (!pattern_of(path, pattern, sizeof pattern))
    return;
  intptr_t directory = _findfirst64(pattern, &found);
  bool goes_on = directory != -1;
  while (goes_on) {
    const struct clr_os_facts facts = {
      .size = (uint64_t)found.size, .changed = (time_t)found.time_write, .is_regular = !(found.attrib & _A_SUBDIR)};
    goes_on = (!facts.is_regular || visit(self, found.name, &facts)) && _findnext64(directory, &found) == 0;
  }
  if (directory != -1)
    _findclose(directory);
}

void clr_os_error_words(int code, char *words, size_t size) {
  snprintf(words, size, "%s", strerror(code));
}

long clr_os_process_number(void) {
  return (long)_getpid();
}

bool clr_os_process_runs(long number) {
  (void)number;
  return true;
}

void clr_os_machine_name(char *name, size_t size) {
  DWORD length = (DWORD)size;
  if (!GetComputerNameA(name, &length))
    *name = 0;
}
