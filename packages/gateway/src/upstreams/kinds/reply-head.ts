import type { Usage } from '@stickler/core'
import type { Price } from '@stickler/core/runners'
import type { Mutable } from '../../mutable.ts'
import { isRecord } from '../transport/json.ts'
import type { ReplyHead } from '../upstream.ts'
import { usageOf } from '../usage.ts'
import { otherFields } from './openai-choice.ts'

/** What is read elsewhere; texts beside the choices would be taken for the answer by some clients. */
const own = new Set(['id', 'object', 'created', 'model', 'choices', 'usage', 'error', 'content', 'message', 'delta', 'text'])

/** Collects what an answer says beside its choices. */
export class HeadAssembly {
  readonly #price: Price | undefined
  readonly #asked: string
  readonly #fields: Record<string, unknown> = {}
  #id: string | undefined
  #created: number | undefined
  #model: string | undefined
  #usage: Usage | undefined
  #rawUsage: Readonly<Record<string, unknown>> | undefined
  #received: number | undefined
  #headers: ReplyHead['headers']
  /** Asked for several times, and the same until more comes. */
  #head: ReplyHead | undefined

  constructor(price: Price | undefined, asked: string) {
    this.#price = price
    this.#asked = asked
  }

  /** Takes an answer, or one chunk of it. */
  take(reply: Readonly<Record<string, unknown>>): void {
    const { id, created, model, usage } = reply
    this.#received ??= 0
    if (typeof id === 'string' && id !== '') this.#id = id
    if (typeof created === 'number') this.#created = created
    if (typeof model === 'string' && model !== '') this.#model = model
    if (isRecord(usage)) {
      this.#rawUsage = usage
      this.#usage = usageOf(usage, this.#price) ?? this.#usage
    }
    const fields = otherFields(reply, own)
    if (fields !== undefined) Object.assign(this.#fields, fields)
    this.#head = undefined
  }

  /** Notes the headers that clients may see. */
  answered(headers: ReplyHead['headers']): void {
    this.#headers = headers
    this.#head = undefined
  }

  /** Notes bytes of an answer that no event tells of. */
  receive(bytes: number): void {
    this.#received = (this.#received ?? 0) + bytes
    this.#head = undefined
  }

  /** What is known so far. */
  head(): ReplyHead {
    if (this.#head !== undefined) return this.#head
    const head: Mutable<ReplyHead> = { asked: this.#asked, fields: this.#fields }
    if (this.#id !== undefined) head.id = this.#id
    if (this.#created !== undefined) head.created = this.#created
    if (this.#model !== undefined) head.model = this.#model
    if (this.#usage !== undefined) head.usage = this.#usage
    if (this.#rawUsage !== undefined) head.rawUsage = this.#rawUsage
    if (this.#received !== undefined) head.received = this.#received
    if (this.#headers !== undefined) head.headers = this.#headers
    this.#head = head
    return head
  }
}
