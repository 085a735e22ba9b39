import { type Price, priced } from '../../apis/shared/usage.ts'
import type { WireHead } from '../../apis/shared/wire.ts'
import type { Mutable } from '../mutable.ts'
import type { ReplyHead } from './upstream-call.ts'

/** An answer's fields, as in chat completions and in its own format. */
type Told = WireHead & Pick<ReplyHead, 'nativeUsage'>

/** Collects the fields of an answer besides its choices. */
export class HeadAssembly {
  readonly #price: Price | undefined
  readonly #asked: string
  readonly #fields: Record<string, unknown> = {}
  readonly #told: Mutable<Told> = {}
  #received: number | undefined
  #headers: ReplyHead['headers']
  #dropped: ReplyHead['dropped']
  /** Cached until more arrives. */
  #head: ReplyHead | undefined

  constructor(price: Price | undefined, asked: string) {
    this.#price = price
    this.#asked = asked
  }

  /** Takes the fields of an answer, or of one event of it. */
  take({ id, created, model, usage, rawUsage, nativeUsage, fields }: Told): void {
    const told = this.#told
    this.#received ??= 0
    if (id !== undefined) told.id = id
    if (created !== undefined) told.created = created
    if (model !== undefined) told.model = model
    if (usage !== undefined) told.usage = usage
    if (rawUsage !== undefined) told.rawUsage = rawUsage
    if (nativeUsage !== undefined) told.nativeUsage = nativeUsage
    if (fields !== undefined) Object.assign(this.#fields, fields)
    this.#head = undefined
  }

  /** Notes the headers that clients may see. */
  answered(headers: ReplyHead['headers']): void {
    this.#headers = headers
    this.#head = undefined
  }

  /** Notes dropped fields of the request. */
  leftOut(names: readonly string[]): void {
    this.#dropped = names
    this.#head = undefined
  }

  /** Notes bytes of an answer that are in no event. */
  receive(bytes: number): void {
    this.#received = (this.#received ?? 0) + bytes
    this.#head = undefined
  }

  /** What is known so far. */
  head(): ReplyHead {
    if (this.#head !== undefined) return this.#head
    const { id, created, model, usage, rawUsage, nativeUsage } = this.#told
    const head: Mutable<ReplyHead> = { asked: this.#asked, fields: this.#fields }
    if (id !== undefined) head.id = id
    if (created !== undefined) head.created = created
    if (model !== undefined) head.model = model
    if (usage !== undefined) head.usage = priced(usage, this.#price)
    if (rawUsage !== undefined) head.rawUsage = rawUsage
    if (nativeUsage !== undefined) head.nativeUsage = nativeUsage
    if (this.#received !== undefined) head.received = this.#received
    if (this.#headers !== undefined) head.headers = this.#headers
    if (this.#dropped !== undefined) head.dropped = this.#dropped
    this.#head = head
    return head
  }
}
