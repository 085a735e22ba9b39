import { closeSync, fdatasyncSync, fstatSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ModelEvent } from '@stickler/core'
import { isFields } from '@stickler/core/internal'
import { openRegularFile } from '@stickler/node/internal/files'
import { UsageError } from '../../errors.ts'
import { isMissing, whyNot } from '../../files/why-not.ts'
import { openToAppend } from '../../files/write-file.ts'
import { readLines } from '../../inputs/lines.ts'
import { writeAll } from '../judging/verdict-journal.ts'

/** Calls of models that were paid for, by the hash of what was asked: no call is made twice, however often an evaluation is stopped. */
export interface CallJournal {
  find(key: string): readonly ModelEvent[] | undefined
  /** Returns once the end of this process, or of the machine, cannot lose the call. */
  add(key: string, events: readonly ModelEvent[]): void
  close(): void
}

const longestLine = 64 * 1024 * 1024

/** Opens a journal of calls; a line that was torn is ignored, and its call is made again. With `reuse: false` all are made again. */
export async function openCallJournal(path: string, { reuse = true }: { readonly reuse?: boolean } = {}): Promise<CallJournal> {
  const calls = new Map<string, readonly ModelEvent[]>()
  try {
    if (reuse) await readJournal(path, calls)
    mkdirSync(dirname(path), { recursive: true })
    const descriptor = openToAppend(path)
    let lead = fstatSync(descriptor).size > 0 ? '\n' : ''
    return {
      find: (key) => calls.get(key),
      add(key, events) {
        writeAll(descriptor, `${lead}${JSON.stringify({ key, events })}\n`)
        fdatasyncSync(descriptor)
        lead = ''
        calls.set(key, events)
      },
      close: () => closeSync(descriptor),
    }
  } catch (error) {
    throw new UsageError(`cannot keep calls in ${path}: ${whyNot(error)}`)
  }
}

async function readJournal(path: string, calls: Map<string, readonly ModelEvent[]>): Promise<void> {
  const handle = await openRegularFile(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
  if (handle === undefined) return
  const stream = handle.createReadStream({ highWaterMark: 256 * 1024 })
  try {
    for await (const line of readLines(stream as AsyncIterable<Uint8Array>, longestLine)) {
      const entry = 'text' in line ? parse(line.text) : undefined
      if (entry !== undefined) calls.set(entry.key, entry.events)
    }
  } finally {
    stream.destroy()
  }
}

function parse(text: string): { readonly key: string; readonly events: readonly ModelEvent[] } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isFields(value) || typeof value.key !== 'string' || !Array.isArray(value.events)) return undefined
    const events = value.events as readonly unknown[]
    const areEvents = events.every(
      (event) => isFields(event) && (event.type === 'text' ? typeof event.text === 'string' : event.type === 'end'),
    )
    return areEvents ? { key: value.key, events: events as ModelEvent[] } : undefined
  } catch {
    return undefined
  }
}
