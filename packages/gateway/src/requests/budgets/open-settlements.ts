import type { Clock } from '@stickler/core'
import type { Amount, BudgetLedger } from '../../records/store/budgets/budget-ledger.ts'

const againMs = 1000
/** More do not wait: their reservations count at the amount at risk, once expired. */
const mostWaiting = 10_000

/** Settles reservations, with retries where the store fails: an answer must not fail for that. */
export class OpenSettlements {
  readonly #ledger: BudgetLedger
  readonly #clock: Clock
  readonly #waiting = new Map<string, Amount>()
  #cancel: (() => void) | undefined

  constructor(ledger: BudgetLedger, clock: Clock) {
    this.#ledger = ledger
    this.#clock = clock
  }

  async settle(id: string, used: Amount): Promise<void> {
    try {
      await this.#ledger.settle(id, used)
    } catch {
      if (this.#waiting.size < mostWaiting) this.#waiting.set(id, used)
      this.#wait()
    }
  }

  /** Retries once, and then leaves the rest to expire. */
  async close(): Promise<void> {
    this.#cancel?.()
    await this.#settleAll()
    this.#cancel?.()
  }

  #wait(): void {
    this.#cancel ??= this.#clock.after(againMs, () => {
      this.#cancel = undefined
      void this.#settleAll()
    })
  }

  async #settleAll(): Promise<void> {
    for (const [id, used] of this.#waiting) {
      try {
        await this.#ledger.settle(id, used)
        this.#waiting.delete(id)
      } catch {
        this.#wait()
        return
      }
    }
  }
}
