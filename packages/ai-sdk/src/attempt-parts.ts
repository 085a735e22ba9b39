import { type Part, textOf } from './model.ts'
import { isClientCall } from './tool-calls.ts'

/** A call that is withheld until it is judged, and how its input began. */
export interface HeldCall {
  readonly call: Part
  readonly start?: Part
  /** Its input in the encoding in which it is streamed. */
  readonly streamed: string
}

/** What one call of the model has sent and was not passed on yet, in its order. */
export class AttemptParts {
  readonly waiting: Part[] = []
  /** All parts that say something about the answer beside its text. */
  readonly seen: Part[] = []
  readonly calls: HeldCall[] = []
  finish: Part | undefined
  hasText = false
  hasEnded = false
  refused = false
  readonly #inputs = new Map<string, { readonly start: Part; streamed: string }>()

  /** Takes a part; gives its text, which is to be judged. */
  take(part: Part): string {
    const { type } = part
    if (type === 'text-delta') return this.#takeText(part)
    if (type === 'finish') this.finish = part
    else if (!this.#holds(part)) this.waiting.push(part)
    if (type === 'tool-call' || type === 'tool-approval-request' || type === 'file') this.seen.push(part)
    return ''
  }

  #takeText(part: Part): string {
    const delta = textOf(part, 'delta')
    this.hasText ||= delta !== ''
    const last = this.waiting.at(-1)
    const isNext = last?.type === 'text-delta' && last.id === part.id && part.providerMetadata === undefined
    if (isNext) this.waiting[this.waiting.length - 1] = { ...last, delta: textOf(last, 'delta') + delta }
    else this.waiting.push(part)
    return delta
  }

  /** Keeps a call of a tool that the caller runs, from the first piece of its input on. */
  #holds(part: Part): boolean {
    if (part.type === 'tool-input-start' && part.providerExecuted !== true) {
      this.#inputs.set(textOf(part, 'id'), { start: part, streamed: '' })
      return true
    }
    if (isClientCall(part)) {
      this.calls.push({ call: part, streamed: '', ...this.#inputs.get(textOf(part, 'toolCallId')) })
      return true
    }
    const input = part.type.startsWith('tool-input-') ? this.#inputs.get(textOf(part, 'id')) : undefined
    if (input) input.streamed += textOf(part, 'delta')
    return input !== undefined
  }
}
