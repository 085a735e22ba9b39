import { seenEvent } from '@stickler/node/internal/hook-events'
import type { Cli } from '../cli.ts'
import { largestText } from '../inputs/limits.ts'

/** An event as it was read. */
export interface ReadEvent {
  readonly input: Readonly<Record<string, unknown>>
  /** Why the event cannot be judged; `input` then has only its name, where that can be seen. */
  readonly fault?: string
}

/** Reads the event from standard input. */
export async function readEvent({ io, signal }: Cli): Promise<ReadEvent> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const chunk of io.stdin as AsyncIterable<Uint8Array | string>) {
    signal.throwIfAborted()
    const piece = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    pieces.push(piece)
    size += piece.length
    if (size > largestText) break
  }
  return parseEvent(Buffer.concat(pieces))
}

function parseEvent(bytes: Uint8Array): ReadEvent {
  const faulty = (fault: string): ReadEvent => ({ input: { hook_event_name: seenEvent(bytes) }, fault })
  if (bytes.length > largestText) return faulty(`it is larger than ${largestText} bytes`)
  try {
    const input: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return faulty('it is not a JSON object')
    const event = input as ReadEvent['input']
    return typeof event.hook_event_name === 'string' ? { input: event } : { input: {}, fault: 'it has no hook_event_name' }
  } catch (error) {
    return faulty(error instanceof SyntaxError ? 'it is not JSON' : 'it is not UTF-8')
  }
}
