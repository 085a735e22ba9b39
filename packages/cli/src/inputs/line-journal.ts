import { writeSync } from 'node:fs'
import { openRegularFile } from '@stickler/node/internal/files'
import { isMissing } from '../files/why-not.ts'
import { readLines } from './lines.ts'

/** Hands over the lines of a journal in their order, if there is one; lines that are too long or not UTF-8 are left out. */
export async function readJournal(path: string, longestLine: number, take: (line: string) => void): Promise<void> {
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
