import { type Part, textOf } from './model.ts'
import { isClientCall } from './tool-calls.ts'
import { isUnread } from './unread.ts'

/** A call that is withheld until it is judged, and how its input began. */
interface HeldCall {
  readonly call: Part
  readonly start?: Part
  /** Its input in the encoding in which it is streamed. */
  readonly streamed: string
}

interface StreamedInput {
  readonly start?: Part
  readonly parts: Part[]
  streamed: string
}

/** What one call of the model has sent and was not passed on yet, in its order. */
export class AttemptParts {
  readonly waiting: Part[] = []
  /** All parts that say something about the answer beside its text. */
  readonly seen: Part[] = []
  readonly calls: HeldCall[] = []
  /** What the provider sent, with text that may still be repaired or rejected: it is passed on after everything else, if at all. */
  readonly raw: Part[] = []
  finish: Part | undefined
  hasText = false
  hasEnded = false
  refused = false
  /** Whether a part holds text or a call where none is read. */
  hasUnread = false
  /** Inputs that are streamed before their call says who runs it. */
  readonly #inputs = new Map<string, StreamedInput>()
  /** Reasoning that has begun, which a retry after calls shows to the model again. */
  readonly #reasoning = new Map<string, Part>()
  /** Parts that nothing judges: they come after everything else, if at all. */
  readonly #unread: Part[] = []
  /** The block of text that has begun and not ended. */
  #block: string | undefined
  /** Parts of blocks that have begun before that one has ended: the SDK joins the texts block by block, so they are judged in that order. */
  readonly #later = new Map<string, Part[]>()

  /** Takes a part; gives its text, which is to be judged. */
  take(part: Part): string {
    const { type } = part
    const unread = isUnread(part, 'text-delta')
    this.hasUnread ||= unread
    if (type.startsWith('text-')) return this.#takeOfBlock(part)
    if (type.startsWith('reasoning-')) this.#seeReasoning(part)
    if (type === 'finish') this.finish = part
    else if (type === 'reasoning-delta') this.#waitJoined(part)
    else if (!this.#holds(part)) (unread ? this.#unread : this.waiting).push(part)
    if (type === 'tool-call' || type === 'tool-approval-request' || type === 'file') this.seen.push(part)
    return ''
  }

  /** Takes the parts of blocks that wait for one that never ended; gives their text. */
  end(): string {
    this.hasEnded = true
    const text = this.#takeLater()
    for (const { start, parts } of this.#inputs.values()) if (start?.providerExecuted === true) this.#wait(parts)
    this.#wait(this.#unread)
    return text
  }

  #seeReasoning(part: Part): void {
    const id = textOf(part, 'id')
    const { text = '', providerMetadata }: Partial<Part> = this.#reasoning.get(id) ?? {}
    const metadata = part.providerMetadata ?? providerMetadata
    const seen: Part = {
      type: 'reasoning',
      text: `${String(text)}${textOf(part, 'delta')}`,
      ...(metadata !== undefined && { providerMetadata: metadata }),
    }
    this.#reasoning.set(id, seen)
    if (part.type === 'reasoning-end') this.seen.push(seen)
  }

  #wait(parts: readonly Part[]): void {
    for (const part of parts) this.waiting.push(part)
  }

  #takeOfBlock(part: Part): string {
    const id = textOf(part, 'id')
    if (this.#block !== undefined && this.#block !== id) {
      const parts = this.#later.get(id) ?? []
      parts.push(part)
      this.#later.set(id, parts)
      return ''
    }
    if (part.type === 'text-delta') return this.#takeText(part)
    this.waiting.push(part)
    if (part.type === 'text-start') this.#block = id
    return part.type === 'text-end' ? this.#takeLater() : ''
  }

  #takeLater(): string {
    this.#block = undefined
    const texts: string[] = []
    for (const [id, parts] of this.#later) {
      // Until the stream is over, a block that goes on comes before the others.
      if (this.#block !== undefined && !this.hasEnded) break
      this.#later.delete(id)
      for (const part of parts) {
        if (part.type === 'text-delta') texts.push(this.#takeText(part))
        else this.waiting.push(part)
        if (part.type !== 'text-delta') this.#block = part.type === 'text-start' ? id : undefined
      }
    }
    return texts.join('')
  }

  #takeText(part: Part): string {
    const delta = textOf(part, 'delta')
    this.hasText ||= delta !== ''
    this.#waitJoined(part)
    return delta
  }

  /** Keeps a delta together with the one that it continues: what is searched in reasoning may be split between two. */
  #waitJoined(part: Part): void {
    const last = this.waiting.at(-1)
    const isNext = last?.type === part.type && last.id === part.id && part.providerMetadata === undefined
    if (isNext) this.waiting[this.waiting.length - 1] = { ...last, delta: textOf(last, 'delta') + textOf(part, 'delta') }
    else this.waiting.push(part)
  }

  /** Keeps a call of a tool that the caller runs, and all inputs until they are called; pieces of no input are dropped. */
  #holds(part: Part): boolean {
    const { type } = part
    if (type === 'tool-call') {
      const id = textOf(part, 'toolCallId')
      const { start, parts, streamed }: StreamedInput = this.#inputs.get(id) ?? { parts: [], streamed: '' }
      if (isClientCall(part)) this.calls.push({ call: part, streamed, ...(start && { start: ofCaller(start) }) })
      else this.#wait(parts)
      this.#inputs.delete(id)
      return isClientCall(part)
    }
    if (!type.startsWith('tool-input-')) return false
    const id = textOf(part, 'id')
    if (type === 'tool-input-start') this.#inputs.set(id, { start: part, parts: [part], streamed: '' })
    const input = type === 'tool-input-start' ? undefined : this.#inputs.get(id)
    if (input) input.streamed += textOf(part, 'delta')
    input?.parts.push(part)
    return true
  }
}

function ofCaller({ providerExecuted: _, ...start }: Part): Part {
  return start as Part
}
