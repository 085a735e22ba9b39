import { readdirSync, readFileSync } from 'node:fs'
import type { Fields } from '@stickler/core/internal'

/** A record of a format, written by hand from its published schema, and what is read from it. */
interface RecordingFixture {
  readonly format: string
  readonly what: string
  readonly record: Fields
  /** One for each answer or its absence; `text`, `finish` and `calls` are what the answer reads as. */
  readonly reads: readonly Fields[]
}

const folder = new URL('recordings/', import.meta.url)

/** The fixtures of every format, from the file with its name. */
export const recordingFixtures: readonly RecordingFixture[] = readdirSync(folder)
  .sort()
  .flatMap((file) =>
    readFileSync(new URL(file, folder), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => ({ format: file.replace('.jsonl', ''), ...(JSON.parse(line) as Omit<RecordingFixture, 'format'>) })),
  )
