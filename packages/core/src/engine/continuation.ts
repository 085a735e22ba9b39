import { tailOf } from './feedback.ts'

/** A reply that shares this much with the delivered text, and then leaves it, contradicts it. */
const contradictingPrefix = 12

/** What has become of a reply that should go on from delivered text. */
export type ContinuationStep =
  | { readonly kind: 'pending' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'contradiction' }

/** Fits a reply to the text that has been delivered: a repetition is cut off, a contradiction is noticed. */
export class Continuation {
  readonly #delivered: string
  /** What the reply may repeat: all that was delivered, or the end that was quoted. */
  readonly #repeatable: string[]
  #reply = ''
  #decided = false

  constructor(delivered: string) {
    this.#delivered = delivered
    const tail = tailOf(delivered)
    this.#repeatable = tail.length >= contradictingPrefix && tail !== delivered ? [delivered, tail] : [delivered]
  }

  /** Takes the next piece of the reply and returns what follows the delivered text, as far as that is decided. */
  push(chunk: string): ContinuationStep {
    if (this.#decided) return { kind: 'text', text: chunk }
    const from = this.#reply.length
    this.#reply += chunk
    for (const whole of this.#repeatable) {
      if (this.#reply.length < whole.length || !chunk.startsWith(whole.slice(from))) continue
      this.#decided = true
      return { kind: 'text', text: chunk.slice(whole.length - from) }
    }
    const alive = this.#repeatable.filter((whole) => this.#reply.length < whole.length && whole.startsWith(chunk, from))
    if (alive.length === 0) return this.#judge()
    this.#repeatable.splice(0, this.#repeatable.length, ...alive)
    return { kind: 'pending' }
  }

  /** Ends the reply. */
  end(): ContinuationStep {
    return this.#decided || this.#reply === '' ? { kind: 'text', text: '' } : this.#judge()
  }

  #judge(): ContinuationStep {
    this.#decided = true
    const shared = commonPrefix(this.#reply, this.#delivered)
    if (shared >= contradictingPrefix || (shared > 0 && shared * 2 >= this.#delivered.length)) return { kind: 'contradiction' }
    return { kind: 'text', text: this.#reply }
  }
}

function commonPrefix(a: string, b: string): number {
  let length = 0
  while (length < a.length && length < b.length && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}
