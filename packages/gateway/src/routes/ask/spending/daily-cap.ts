import type { Amount, BudgetLedger, DayState } from '../../../records/store/budgets/budget-ledger.ts'
import { holdOrReclaim, holdTimes } from '../../../requests/budgets/reservation.ts'

/** What the daily caps of questions need. */
interface DailyCapPorts {
  readonly ledger: BudgetLedger
  readonly newId: () => string
  /** Milliseconds after which a call is over at the latest. */
  readonly deadlineMs: () => number
}

/** What a call costs, in dollars. */
interface CallCost {
  /** In any case. */
  readonly leastUsd: number
  readonly mostUsd: number
}

/** Counts what the call cost, in place of what was set aside. */
export type SettleCall = (costUsd: number) => Promise<void>

/** The daily caps of questions, reserved in the store like the budgets of keys: all gateways on it spend from one cap. */
export class DailyCap {
  readonly #with: DailyCapPorts

  constructor(ports: DailyCapPorts) {
    this.#with = ports
  }

  /**
   * Sets aside what a call can cost at most, if that fits into the cap; a call that runs alone need
   * only fit with its least. Otherwise returns the dollars that are spent and reserved.
   */
  async hold(tenant: string, call: CallCost, capUsd: number, nowMs: number): Promise<SettleCall | number> {
    const { ledger, newId, deadlineMs } = this.#with
    const cap = nanoOf(capUsd)
    const id = newId()
    const times = holdTimes(nowMs, deadlineMs())
    // Names of keys have no colon.
    const key = `ask:${tenant}`
    const take = (nanoUsd: number): Promise<DayState | undefined> => {
      const most = { tokens: 0, nanoUsd }
      return holdOrReclaim(ledger, { id, key, most, atRisk: most, ...times }, { nanoUsd: cap })
    }
    try {
      // Something must be left, also for a call that may cost nothing.
      let state = await take(Math.max(1, nanoOf(call.mostUsd)))
      // Alone, a call may begin with what is left if that covers what it certainly costs; nobody else may, beside it.
      const left = state === undefined || state.held.nanoUsd > 0 ? 0 : cap - state.spent.nanoUsd
      if (state !== undefined && left > 0 && left >= nanoOf(call.leastUsd)) state = await take(left)
      if (state !== undefined) return (state.spent.nanoUsd + state.held.nanoUsd) / 1e9
    } catch (error) {
      // It may have been set aside anyway.
      void ledger.settle(id, none).catch(() => {})
      throw error
    }
    return (costUsd) => ledger.settle(id, { tokens: 0, nanoUsd: nanoOf(costUsd) })
  }
}

const none: Amount = { tokens: 0, nanoUsd: 0 }

function nanoOf(usd: number): number {
  return Math.min(Math.round(usd * 1e9), Number.MAX_SAFE_INTEGER)
}
