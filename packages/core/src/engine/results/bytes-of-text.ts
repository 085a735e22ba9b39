import { isHighSurrogate } from '../../answer/characters.ts'
import type { Outcome } from '../outcome.ts'
import { UndeliveredError } from './undelivered-error.ts'

/** Texts that came together, in turn. */
export type Batches = AsyncIterator<readonly string[], undefined>

/** Where bytes come from: the texts, and what the run has become at their end. */
export interface TextSource {
  readonly batches: Batches
  readonly outcome: () => Promise<Outcome>
  /** Texts that were taken from the batches already. */
  readonly first?: readonly string[]
}

/** The texts as UTF-8, each asked of the run only when the reader is ready for it; it ends with an error when the answer is not delivered. */
export function bytesOfText({ batches, outcome, first }: TextSource): ReadableStream<Uint8Array> {
  const encode = utf8Encoder()
  let waiting = first
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // A pull that brings nothing would not be repeated.
        for (;;) {
          const step = waiting ? { done: false as const, value: waiting } : await batches.next()
          waiting = undefined
          const bytes = encode(step.done ? '' : step.value.join(''), step.done === true)
          if (bytes.length > 0) controller.enqueue(bytes)
          if (step.done) return finish(controller, await outcome())
          if (bytes.length > 0) return
        }
      },
      async cancel() {
        await batches.return?.()
      },
    },
    // Nothing is read ahead: the model waits for the reader.
    { highWaterMark: 0 },
  )
}

function finish(controller: ReadableStreamDefaultController<Uint8Array>, outcome: Outcome): void {
  if (outcome.delivered) controller.close()
  else controller.error(new UndeliveredError(outcome))
}

/** Encodes pieces of a text; half a character waits for its other half. */
function utf8Encoder(): (piece: string, isLast: boolean) => Uint8Array {
  const encoder = new TextEncoder()
  let half = ''
  return (piece, isLast) => {
    const text = half + piece
    const splits = !isLast && isHighSurrogate(text.charCodeAt(text.length - 1))
    half = splits ? text.slice(-1) : ''
    return encoder.encode(splits ? text.slice(0, -1) : text)
  }
}
