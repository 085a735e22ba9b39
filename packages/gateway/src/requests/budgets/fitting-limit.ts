import type { Price } from '@stickler/core/internal/apis'
import type { Amount, AmountLimits } from '../../records/store/budgets/budget-ledger.ts'
import type { CostBound } from './cost-bound.ts'
import { amountsOf } from './reservation.ts'

/** Whether an amount is within bounds. */
export function fits({ tokens, nanoUsd }: Amount, bounds: AmountLimits): boolean {
  return tokens <= (bounds.tokens ?? tokens) && nanoUsd <= (bounds.nanoUsd ?? nanoUsd)
}

/** The largest completion limit, up to its own, with which a request is within bounds; 0 when there is none. */
export function fittingLimit({ shrinks }: CostBound, price: Price | undefined, bounds: AmountLimits): number {
  let fitting = 0
  let tooLarge = (shrinks.limit ?? 0) + 1
  // A larger limit never needs less.
  while (tooLarge - fitting > 1) {
    const middle = Math.floor((fitting + tooLarge) / 2)
    if (fits(amountsOf(shrinks.to(middle, 'same'), price).most, bounds)) fitting = middle
    else tooLarge = middle
  }
  return fitting
}
