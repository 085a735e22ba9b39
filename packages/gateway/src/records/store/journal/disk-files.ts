import {
  appendFileSync,
  closeSync,
  existsSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { codeOf } from '../store-unavailable.ts'
import type { JournalFile, JournalFiles, JournalLock } from './journal-files.ts'

const refusedLimit = 16 * 1024 * 1024

/** A file that can be locked. */
type LockFile = Pick<InstanceType<typeof Database>, 'exec' | 'close'>

/** Journals in a folder on a local disk; `open` opens the file of a lock. */
export function diskFiles(folder: string, open: (path: string) => LockFile = (path) => new Database(path)): JournalFiles {
  const at = (name: string) => join(folder, name)
  return {
    prepare: () => void mkdirSync(folder, { recursive: true, mode: 0o700 }),
    list: () => (existsSync(folder) ? readdirSync(folder) : []),
    // It may have answers of models: only the owner may read it.
    create: (name) => diskFile(openSync(at(name), 'wx+', 0o600)),
    open: (name) => diskFile(openSync(at(name), 'r+')),
    remove: (name) => removeIfPossible(at(name)),
    refuse: (line) => keepRefused(at('refused.jsonl'), line),
    lock: (name) => diskLock(at(name), open),
  }
}

function diskFile(descriptor: number): JournalFile {
  return {
    write(bytes, position) {
      for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done, bytes.length - done, position + done)
    },
    read: (into, position) => readSync(descriptor, into, 0, into.length, position),
    truncate: (size) => ftruncateSync(descriptor, size),
    size: () => fstatSync(descriptor).size,
    close: () => closeSync(descriptor),
  }
}

/** A file that cannot be removed is read again at the next start, which does no harm. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // The file stays.
  }
}

function keepRefused(path: string, line: string): boolean {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size + line.length > refusedLimit) return false
  appendFileSync(path, `${line}\n`, { mode: 0o600 })
  return true
}

/** Node has no file locks, SQLite does: the kernel releases this one when the process dies, whatever its pid or container. */
function diskLock(path: string, open: (path: string) => LockFile): JournalLock | undefined {
  createMissing(path)
  const before = identityOf(path)
  const database = open(path)
  try {
    database.exec('PRAGMA journal_mode = MEMORY')
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (/^SQLITE_(BUSY|LOCKED)/.test(codeOf(error) ?? '')) return undefined
    throw error
  }
  // The previous owner may have removed the file just before we locked it, and there may be a new one. A lock on a removed file does not exclude others.
  if (before === undefined || identityOf(path) !== before) {
    database.close()
    return undefined
  }
  return {
    release({ remove }) {
      if (remove) removeIfPossible(path)
      database.close()
    },
  }
}

/** An existing file is not opened: closing it would release a lock that this process has on it. */
function createMissing(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

/** Identifies the file at a path. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true })
  return found && `${found.dev}:${found.ino}`
}
