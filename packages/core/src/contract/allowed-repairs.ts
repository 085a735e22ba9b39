import type { RepairClass } from './certificate.ts'
import type { Policy } from './policy.ts'
import type { AllowedRepairs, PreparedValidator } from './validator.ts'

/** What the caller of a repair may say about classes. */
interface RepairWish {
  readonly allow?: readonly RepairClass[]
  readonly lastResort?: boolean
}

/** The classes that may be applied: a contract that says what it allows is the ceiling, for whatever a validator or the caller would allow. */
export function allowedRepairs(prepared: PreparedValidator, ceiling: Policy['allow'], wish: RepairWish = {}): AllowedRepairs {
  const below = (classes: readonly RepairClass[]): readonly RepairClass[] =>
    ceiling === undefined ? classes : classes.filter((one) => ceiling.includes(one))
  const usual = below(wish.allow ?? prepared.allow ?? ceiling ?? ['lossless'])
  const further = wish.lastResort && wish.allow === undefined ? below(prepared.lastResort ?? []) : []
  return { usual, now: [...usual, ...further] }
}
