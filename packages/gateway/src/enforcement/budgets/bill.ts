import type { Usage } from '@stickler/core'
import type { Price } from '@stickler/core/runners'
import { estimateTokensOfBytes } from '@stickler/core/runners'
import type { ChoiceEnd } from '@stickler/core/wire'
import type { UpstreamCall } from '../../upstreams/upstream.ts'
import { noUsage } from '../run-log.ts'

/** The share of a call of one choice. */
export interface PaidShare {
  readonly call: UpstreamCall
  readonly bill: Bill
  readonly choice: number
  /** Tokens of the request, for an estimate where the provider reports none. */
  asked(): number
  /** UTF-8 bytes that were received. */
  received: number
}

/**
 * Assigns the usage of a call: reported usage counts once, no matter how many choices share the
 * call.
 */
export class Bill {
  /** For estimates; absent where nothing is known. */
  readonly price: Price | undefined
  #payer: number | undefined

  constructor(price: Price | undefined) {
    this.price = price
  }

  /** Notes that a choice ended; the first one to end gets the usage of all. */
  end(share: PaidShare, { toolCalls }: ChoiceEnd): void {
    this.#payer ??= share.choice
    // Unless they were counted as they arrived.
    if (toolCalls.length === 0 || (share.call.head().received ?? 0) > 0) return
    for (const call of toolCalls) share.received += Buffer.byteLength(call.name) + Buffer.byteLength(call.arguments)
  }

  /** The reported usage, for the choice that pays. */
  toldTo({ call, choice }: PaidShare): Usage | undefined {
    return this.#payer === choice ? call.head().usage : undefined
  }

  /** The usage of a share: as reported, else an estimate, marked as such. */
  shareOf(share: PaidShare): Usage {
    const { call, choice, received } = share
    const { usage: told, received: silent } = call.head()
    if (told !== undefined && this.#payer !== undefined) return choice === this.#payer ? told : noUsage
    // A call without a result was rejected, and costs nothing.
    if (told === undefined && received === 0 && silent === undefined && this.#payer === undefined) return noUsage
    const isPayer = choice === (this.#payer ?? 0)
    const promptTokens = isPayer ? (told?.promptTokens ?? share.asked()) : 0
    // A stopped stream may have reported usage of its beginning.
    const completionTokens = Math.max(
      isPayer ? (told?.completionTokens ?? 0) : 0,
      estimateTokensOfBytes(received + (isPayer ? (silent ?? 0) : 0)),
    )
    return priced({ promptTokens, completionTokens, estimated: true }, this.price)
  }
}

/** Adds what tokens cost by a price. */
export function priced(usage: Usage, price: Price | undefined): Usage {
  if (price === undefined) return usage
  return { ...usage, cost: (usage.promptTokens * price.promptPerMillion + usage.completionTokens * price.completionPerMillion) / 1_000_000 }
}
