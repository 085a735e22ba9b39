import type { RepairClass } from './certificate.ts'
import type { Policy } from './policy.ts'
import type { AllowedRepairs, PreparedValidator } from './validator.ts'

/** What the caller of a repair may say about classes. */
interface RepairWish {
  readonly allow?: readonly RepairClass[]
  readonly lastResort?: boolean
}

/** The classes that may be applied: what the contract allows is the ceiling, for whatever a validator or the caller would allow. */
export function allowedRepairs(
  prepared: PreparedValidator,
  { allow, lastResort }: Pick<Policy, 'allow' | 'lastResort'>,
  wish: RepairWish = {},
): AllowedRepairs {
  const ceiling = allow ?? (prepared.optedIn ? prepared.allow : undefined) ?? ['lossless']
  const usual = (wish.allow ?? prepared.allow ?? ceiling).filter((one) => ceiling.includes(one))
  const isLast = wish.lastResort && wish.allow === undefined
  const further = isLast ? (prepared.lastResort ?? []).filter((one) => ceiling.includes(one) || lastResort.includes(one)) : []
  return { usual, now: [...usual, ...further] }
}
