import type { ModelEvent } from '@stickler/core'
import { isFields, parseJson } from '@stickler/core/internal'
import { UsageError } from '../../errors.ts'
import { whyNot } from '../../files/why-not.ts'
import { openLineJournal } from '../../inputs/line-journal.ts'

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
    const take = (line: string): void => {
      const entry = parse(line)
      if (entry !== undefined) calls.set(entry.key, entry.events)
    }
    const journal = await openLineJournal(path, longestLine, reuse ? take : undefined)
    return {
      find: (key) => calls.get(key),
      add(key, events) {
        journal.append(`${JSON.stringify({ key, events })}\n`)
        journal.sync()
        calls.set(key, events)
      },
      close: journal.close,
    }
  } catch (error) {
    throw new UsageError(`cannot keep calls in ${path}: ${whyNot(error)}`)
  }
}

function parse(text: string): { readonly key: string; readonly events: readonly ModelEvent[] } | undefined {
  const value = parseJson(text)
  if (!isFields(value) || typeof value.key !== 'string' || !Array.isArray(value.events)) return undefined
  const events = value.events as readonly unknown[]
  const areEvents = events.every(
    (event) => isFields(event) && (event.type === 'text' ? typeof event.text === 'string' : event.type === 'end'),
  )
  return areEvents ? { key: value.key, events: events as ModelEvent[] } : undefined
}
