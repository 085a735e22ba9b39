import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'

/** Thrown for something at a path that is not a regular file, or is too large. */
export class FileFault extends Error {
  override readonly name = 'FileFault'
  readonly kind: 'folder' | 'pipe' | 'other' | 'large'
  /** As errors of the system have it. */
  readonly syscall = 'open'

  constructor(kind: FileFault['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

/** Opens a regular file to be read; anything else is a FileFault, and a named pipe without a writer does not block. */
export async function openRegularFile(path: string): Promise<FileHandle> {
  // Windows has neither of these flags.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0))
  try {
    // Of what was opened, and not of the path, which may lead elsewhere by now.
    const fault = unlikeFile(await handle.stat())
    if (fault !== undefined) throw fault
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Reads a regular file of at most so many bytes as text. */
export async function readRegularFile(path: string, maxBytes: number): Promise<string> {
  const bytes = await readRegularBytes(path, maxBytes)
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

/** Reads a regular file of at most so many bytes. */
export async function readRegularBytes(path: string, maxBytes: number): Promise<Uint8Array> {
  const handle = await openRegularFile(path)
  try {
    const pieces: Uint8Array[] = []
    let size = 0
    for (;;) {
      // The size that it has now says little: it may grow, and files of the kernel have none.
      const piece = new Uint8Array(Math.min(maxBytes + 1 - size, 256 * 1024))
      const { bytesRead } = await handle.read(piece, 0, piece.length)
      if (bytesRead === 0) return Buffer.concat(pieces)
      size += bytesRead
      if (size > maxBytes) throw new FileFault('large', `it is larger than ${maxBytes} bytes`)
      pieces.push(piece.subarray(0, bytesRead))
    }
  } finally {
    await handle.close()
  }
}

/** Why this is not a regular file; nothing when it is one. */
export function unlikeFile(found: Stats): FileFault | undefined {
  if (found.isFile()) return undefined
  if (found.isDirectory()) return new FileFault('folder', 'it is a folder')
  if (found.isFIFO()) return new FileFault('pipe', 'it is a named pipe, not a regular file')
  const what = found.isSocket() ? 'a socket' : found.isSymbolicLink() ? 'a symbolic link' : 'a device'
  return new FileFault('other', `it is ${what}, not a regular file`)
}

/** Reads a file that a configuration names; throws what `wrong` makes of the reason why it cannot be read. */
export async function readNamedFile(file: string, maxBytes: number, wrong: (message: string) => Error): Promise<string> {
  try {
    return await readRegularFile(file, maxBytes)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    const because = error instanceof FileFault ? error.message : code === 'ENOENT' ? 'there is no such file' : code
    throw wrong(`cannot read ${file}: ${because}`)
  }
}

/** Whether a folder is at a path. */
export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
