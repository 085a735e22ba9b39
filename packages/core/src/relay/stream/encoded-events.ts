import type { Fields } from '../../answer/tool-shapes/fields.ts'
import { bytesOf, isUnplaced, tokenEnd } from '../../apis/reply/tokens.ts'
import type { StreamEncoder } from '../../apis/shared/api.ts'
import type { ChoiceEvent } from '../../apis/shared/choice-event.ts'
import type { WireChanges, WireEvent } from '../../apis/shared/wire.ts'
import { isGuarded, type RelayTarget } from '../relayed-request.ts'
import { type ReasoningSecrets, reasoningSecrets } from '../reply/reasoning-secrets.ts'
import { passedFields } from '../reply/safe-links.ts'

/**
 * What an attempt has brought in another API than the client's, in the order in which it came. Events of the client's API are made of it when
 * it is shown; until then it waits like the events of a provider.
 */
export class MadeEvents {
  /** Texts as they are, and events with everything else. */
  readonly events: (WireEvent | string)[] = []
  readonly lengths: number[] = []
  isShown = false
  /** Absent once the text that is shown is not the model's own. */
  logprobs: LogprobQueue | undefined = new LogprobQueue()
  readonly #choices: readonly number[]
  readonly #isSearched: boolean
  readonly #isEager: boolean

  /** `isSearched` when fields are searched for what must not be shown, `isEager` when all of them are shown at once. */
  constructor(choice: number, isSearched: boolean, isEager: boolean) {
    this.#choices = [choice]
    this.#isSearched = isSearched
    this.#isEager = isEager
  }

  /** Takes what has come. */
  push(event: ChoiceEvent): void {
    if (event.type === 'logprobs') this.logprobs?.push(event.logprobs)
    else if (event.type === 'text') for (const text of event.parts ?? [event.text]) this.#add(text, text.length)
    else if (event.type === 'fields') this.#add(this.#fieldsEvent(event.fields))
    else this.#add({ ...nothing, choices: this.#choices, ends: this.#choices, place: 'close' })
  }

  forget(at: number): void {
    this.events[at] = ''
  }

  repeated(text: string): WireEvent {
    return { ...nothing, choices: this.#choices, parts: [{ choice: this.#choices[0] ?? 0, of: 'text', value: text }] }
  }

  #add(event: WireEvent | string, length = 0): void {
    if (event === '') return
    this.events.push(event)
    this.lengths.push(length)
  }

  #fieldsEvent(fields: Fields): FieldsEvent {
    const chunk = { choices: [{ index: this.#choices[0], delta: fields }] }
    const event = { ...nothing, choices: this.#choices, chunk, data: this.#isSearched ? JSON.stringify(chunk) : '' }
    // Audio and refusals cannot be checked while they arrive: whether they are passed on is decided at the end.
    return ('audio' in fields || (fields.refusal ?? '') !== '') && !this.#isEager ? { ...event, isUnread: true } : event
  }
}

/** Fields of a delta, in the chunk of chat completions that they would have come in. */
interface FieldsEvent extends WireEvent {
  readonly chunk: { readonly choices: readonly { readonly delta: Fields }[] }
}

/** Makes events of the client's API of what is shown. */
export class MadeWriter {
  readonly #target: RelayTarget
  readonly #secrets: ReasoningSecrets | undefined
  readonly #encoder: () => StreamEncoder
  /** Text that is written as one, and whose it is. */
  #text = ''
  #from: { readonly index: number; readonly events: MadeEvents } | undefined

  /** `encoder` begins the answer, unless it has begun. */
  constructor(target: RelayTarget, encoder: () => StreamEncoder) {
    this.#target = target
    this.#secrets = reasoningSecrets(target)
    this.#encoder = encoder
  }

  /** Makes what no provider has sent; it comes after the text that was shown before. */
  encoder(): StreamEncoder {
    this.settle()
    return this.#encoder()
  }

  /** Shows what an attempt of a choice has brought; text that is shown together is one event. */
  write(index: number, events: MadeEvents, event: WireEvent, { parts }: WireChanges): void {
    const fields = (event as Partial<FieldsEvent>).chunk?.choices[0]?.delta
    if (fields !== undefined) {
      this.encoder().fields(index, passedFields(fields, this.#target))
      return
    }
    if (this.#from?.events !== events || this.#text.length > mostText) this.settle()
    this.#from = { index, events }
    this.#text += parts?.[0] ?? event.parts[0]?.value ?? ''
  }

  /** Writes the text that was shown. */
  settle(): void {
    if (this.#text === '' || this.#from === undefined) return
    const { index, events } = this.#from
    const text = this.#text
    this.#text = ''
    const logprobs = events.logprobs?.take(text, isGuarded(this.#target))
    this.#encoder().text(index, text, logprobs && (this.#secrets?.without({ logprobs }).logprobs ?? logprobs))
  }
}

/** How much text is made into events at once. */
const mostText = 65_536

const nothing: WireEvent = { name: '', data: '', parts: [], place: 'body', weight: 0 }

/** How many bytes before a text its tokens may begin. */
const recent = 1000

/** Pairs log probabilities of tokens with their text. */
class LogprobQueue {
  readonly #waiting: { readonly entry: unknown; readonly length: number }[] = []
  /** The bytes that were said last. */
  #said = ''
  /** Where the last entry that was given ends in them: a token may begin in one text and end in the next. */
  #end = 0

  /** Takes what a provider sent: `{ content: [{ token, … }] }`. */
  push(logprobs: unknown): void {
    const { content } = (typeof logprobs === 'object' && logprobs !== null ? logprobs : {}) as { readonly content?: unknown }
    if (!Array.isArray(content)) return
    for (const entry of content as unknown[]) {
      const { token } = (typeof entry === 'object' && entry !== null ? entry : {}) as { readonly token?: unknown }
      this.#waiting.push({ entry, length: typeof token === 'string' ? bytesOf(token).length : 0 })
    }
  }

  /** The entries of the next text; undefined when there are none. Where only what was judged may be shown, entries of another text are never given, nor is what follows them. */
  take(text: string, isJudged: boolean): { readonly content: readonly unknown[] } | undefined {
    const dropped = Math.max(0, this.#said.length - recent)
    this.#said = this.#said.slice(dropped) + bytesOf(text)
    this.#end = Math.max(0, this.#end - dropped)
    let count = 0
    for (const { entry, length } of this.#waiting) {
      const left = this.#said.length - this.#end
      // White space comes with its text, and a part of a character with the rest of it.
      if (left === 0 && isUnplaced(entry)) break
      const found = tokenEnd(entry, this.#said, this.#end)
      const end = found < 0 && !isJudged && length <= left ? this.#end + length : found
      if (end < 0) break
      this.#end = end
      count++
    }
    if (count === 0) return undefined
    return { content: this.#waiting.splice(0, count).map(({ entry }) => entry) }
  }
}
