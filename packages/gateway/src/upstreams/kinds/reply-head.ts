import type { Usage } from '@stickler/core'
import type { Price } from '@stickler/core/runners'
import type { WireHead } from '@stickler/core/wire'
import type { Mutable } from '../../mutable.ts'
import type { ReplyHead } from '../upstream.ts'

/** What an answer says, in the words of chat completions and in its own. */
type Told = WireHead & Pick<ReplyHead, 'nativeUsage'>

/** Collects what an answer says beside its choices. */
export class HeadAssembly {
  readonly #price: Price | undefined
  readonly #asked: string
  readonly #fields: Record<string, unknown> = {}
  #told: Told = {}
  #received: number | undefined
  #headers: ReplyHead['headers']
  #dropped: ReplyHead['dropped']
  /** Asked for several times, and the same until more comes. */
  #head: ReplyHead | undefined

  constructor(price: Price | undefined, asked: string) {
    this.#price = price
    this.#asked = asked
  }

  /** Takes what an answer, or one event of it, says. */
  take({ fields, ...told }: Told): void {
    this.#received ??= 0
    this.#told = { ...this.#told, ...told }
    if (fields !== undefined) Object.assign(this.#fields, fields)
    this.#head = undefined
  }

  /** Notes the headers that clients may see. */
  answered(headers: ReplyHead['headers']): void {
    this.#headers = headers
    this.#head = undefined
  }

  /** Notes fields of the request that were left out. */
  leftOut(names: readonly string[]): void {
    this.#dropped = names
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
    const { usage, ...told } = this.#told
    const head: Mutable<ReplyHead> = { asked: this.#asked, fields: this.#fields, ...told }
    if (usage !== undefined) head.usage = this.#priced(usage)
    if (this.#received !== undefined) head.received = this.#received
    if (this.#headers !== undefined) head.headers = this.#headers
    if (this.#dropped !== undefined) head.dropped = this.#dropped
    this.#head = head
    return head
  }

  #priced(usage: Usage): Usage {
    if (this.#price === undefined) return usage
    const { promptTokens, completionTokens } = usage
    const { promptPerMillion, completionPerMillion } = this.#price
    return { ...usage, cost: (promptTokens * promptPerMillion + completionTokens * completionPerMillion) / 1_000_000 }
  }
}
