import type { ToolCall } from '@stickler/core'
import { distribute } from '@stickler/core/internal/apis'
import type { AttemptParts } from './attempt-parts.ts'
import { withoutOffsets } from './beside-text.ts'
import { type Part, textOf } from './model.ts'
import { writeCall } from './tool-calls.ts'

/**
 * Writes what is delivered in the order in which the model sent it.
 *
 * A part that is not text is written with the text that follows it, or at the end: it belongs to an attempt that may still be rejected. Text of a
 * further attempt goes on in the block that is open, because the SDK takes two blocks for two texts.
 */
export class PartWriter {
  readonly #write: (part: Part) => void
  /** The open block of text. */
  #open: { readonly id: string; changed: boolean } | undefined
  /** The start of a block that has no text yet. */
  #start: Part | undefined
  /** Whose text was written first: only its parts have a place in the text. */
  #first: AttemptParts | undefined

  constructor(write: (part: Part) => void) {
    this.#write = write
  }

  /** Writes text that may be shown, which `raw` characters of the model's text have become. */
  text(attempt: AttemptParts, text: string, raw: number): void {
    this.#first ??= attempt
    const isPlaced = this.#first === attempt
    const { waiting } = attempt
    // What is added after all of the model's text belongs to its last block.
    if (isPlaced && this.#open && !waiting.some(({ type }) => type === 'text-delta')) {
      this.#delta(text, true)
      return
    }
    const pieces: string[] = []
    const steps: (Part | number)[] = []
    let left = isPlaced ? raw : 0
    for (let part = waiting[0]; part && (left > 0 || (pieces.length === 0 && part.type !== 'text-delta')); part = waiting[0]) {
      waiting.shift()
      if (part.type !== 'text-delta') {
        steps.push(part)
        continue
      }
      const delta = textOf(part, 'delta')
      const piece = delta.slice(0, left)
      left -= piece.length
      steps.push(pieces.push(piece) - 1)
      if (piece !== delta) waiting.unshift({ ...part, delta: delta.slice(piece.length) })
    }
    const texts = pieces.length === 0 ? [] : distribute(pieces, text)
    for (const step of steps) {
      if (typeof step === 'number') this.#delta(texts[step] ?? '', texts[step] !== pieces[step])
      else this.#part(step)
    }
    if (pieces.length === 0) this.#delta(text, true)
  }

  /** Writes what is left of the attempt that is delivered, and its calls as they were judged. */
  end(attempt: AttemptParts, calls: readonly ToolCall[]): void {
    const isPlaced = this.#first === undefined || this.#first === attempt
    const last = attempt.waiting.findLast(({ type }) => type === 'text-end')
    for (const part of attempt.waiting) if (part.type !== 'text-delta' && (isPlaced || !part.type.startsWith('text-'))) this.#part(part)
    if (this.#open) this.#part(last ?? { type: 'text-end' })
    for (const [index, call] of calls.entries()) this.#call(attempt, index, call)
  }

  #call({ calls }: AttemptParts, index: number, call: ToolCall): void {
    const held = calls[index]
    const written = writeCall(call, held?.call)
    if (held?.start) {
      const { start, streamed } = held
      const id = written.toolCallId
      this.#write({ ...start, toolName: written.toolName })
      this.#write({ type: 'tool-input-delta', id, delta: isInput(streamed, written.input) ? streamed : written.input })
      this.#write({ type: 'tool-input-end', id })
    }
    this.#write(written)
  }

  #delta(text: string, changed: boolean): void {
    if (text === '') {
      if (this.#open) this.#open.changed ||= changed
      return
    }
    if (this.#open === undefined) {
      const start = this.#start ?? { type: 'text-start', id: 'stickler' }
      this.#open = { id: textOf(start, 'id'), changed: false }
      this.#write(start)
    }
    this.#open.changed ||= changed
    this.#write({ type: 'text-delta', id: this.#open.id, delta: text })
  }

  #part(part: Part): void {
    if (part.type === 'text-start') this.#start = part
    else if (part.type !== 'text-end') this.#write(part)
    else if (this.#open) {
      const { id, changed } = this.#open
      this.#write({ ...(changed ? withoutOffsets(part) : part), id })
      this.#open = undefined
      this.#start = undefined
    }
  }
}

/** Whether what was streamed is the input that was judged; free text is streamed as it is, and given as JSON. */
function isInput(streamed: string, input: unknown): boolean {
  return streamed !== '' && (streamed === input || JSON.stringify(streamed) === input)
}
