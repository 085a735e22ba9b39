import { closeSync, fdatasyncSync, fstatSync, mkdirSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { openRegularFile } from '@stickler/node/internal/files'
import { isMissing } from '../files/why-not.ts'
import { openToAppend } from '../files/write-file.ts'
import { readLines } from './lines.ts'

/** A file of lines that is appended to, and read when it is opened again. */
interface LineJournal {
  /** Writes lines, each with its end. */
  append(lines: string): void
  /** Returns once the end of the machine cannot lose what was written. */
  sync(): void
  close(): void
}

/** Opens a journal, which is created, and hands over its lines in their order; lines that are too long or not UTF-8 are left out. */
export async function openLineJournal(path: string, longestLine: number, take?: (line: string) => void): Promise<LineJournal> {
  if (take !== undefined) await readJournal(path, longestLine, take)
  mkdirSync(dirname(path), { recursive: true })
  const descriptor = openToAppend(path)
  // A line that was torn by a kill must not take the next one with it.
  let lead = fstatSync(descriptor).size > 0 ? '\n' : ''
  return {
    append(lines) {
      writeAll(descriptor, lead + lines)
      lead = ''
    },
    sync: () => fdatasyncSync(descriptor),
    close: () => closeSync(descriptor),
  }
}

async function readJournal(path: string, longestLine: number, take: (line: string) => void): Promise<void> {
  const handle = await openRegularFile(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
  if (handle === undefined) return
  const stream = handle.createReadStream({ highWaterMark: 256 * 1024 })
  try {
    for await (const line of readLines(stream as AsyncIterable<Uint8Array>, longestLine)) if ('text' in line) take(line.text)
  } finally {
    stream.destroy()
  }
}

/** Writes all of a text; a disk that is full throws. */
export function writeAll(descriptor: number, text: string): void {
  const bytes = Buffer.from(text)
  for (let from = 0; from < bytes.length; ) from += writeSync(descriptor, bytes, from)
}
