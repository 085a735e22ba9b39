import { type CancelScope, refusalIn } from '@stickler/core/internal'
import { endOf } from './answer.ts'
import type { AttemptParts } from './attempt-parts.ts'
import type { Model, Params, Part, Streamed } from './model.ts'

/** Parts that have nothing to do with the answer: they are passed on at once, which keeps connections alive while text is held. */
const passing: ReadonlySet<string> = new Set(['ping', 'stream-start'])

/** Reads what the model streams, attempt by attempt. */
export class ModelStreams {
  readonly #model: Model
  pass: (part: Part) => void = () => {}
  /** What the first call returned beside its stream. */
  readonly head: Promise<Omit<Streamed, 'stream'>>
  #onHead: (head: Omit<Streamed, 'stream'>) => void = () => {}
  /** Lets the model be read, which nothing is before somebody reads what is made of it. */
  read: () => void = () => {}
  readonly #isRead: Promise<void>
  #isStarted = false

  constructor(model: Model) {
    this.#model = model
    this.head = new Promise((resolve) => {
      this.#onHead = resolve
    })
    this.#isRead = new Promise((resolve) => {
      this.read = resolve
    })
  }

  readonly ask = async function* (this: ModelStreams, params: Params, scope: CancelScope, attempt: AttemptParts) {
    const { stream: parts, ...head } = await scope.hold(this.#model.doStream({ ...params, includeRawChunks: true }))
    const reader = parts.getReader()
    this.#onHead(head)
    try {
      await scope.hold(this.#isRead)
      for (;;) {
        const { done, value: part } = await scope.hold(reader.read())
        if (done) break
        if (part.type === 'error') throw part.error
        if (part.type === 'raw') {
          // Some clients drop refusals, and leave them only here.
          attempt.refused ||= refusalIn(part.rawValue) !== ''
          if (params.includeRawChunks === true) attempt.raw.push(part)
          continue
        }
        const text = passing.has(part.type) ? this.#pass(part) : attempt.take(part)
        if (text !== '') yield { type: 'text' as const, text }
      }
      const rest = attempt.end()
      if (rest !== '') yield { type: 'text' as const, text: rest }
      const { hasText, seen: parts, finish, refused, hasUnread } = attempt
      const { finishReason, usage }: Partial<Part> = finish ?? {}
      yield endOf({ provider: this.#model.provider, hasText, parts, finishReason, usage, refused, hasUnread })
    } finally {
      // Not awaited: a stream that hangs must not hold up the run that gives it up.
      void reader.cancel().catch(() => {})
    }
  }.bind(this)

  #pass(part: Part): '' {
    if (part.type === 'ping') this.pass({ type: 'ping' })
    else if (!this.#isStarted) this.pass(part)
    this.#isStarted ||= part.type === 'stream-start'
    return ''
  }
}
