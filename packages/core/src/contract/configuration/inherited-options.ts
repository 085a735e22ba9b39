import * as z from 'zod'
import type { WrittenCheck } from './read-checks.ts'

type Options = Readonly<Record<string, unknown>>

/** Lays the options of a check over those that the preset has for it; `null` takes one of them away. */
export function fromPreset(check: WrittenCheck, presetChecks: readonly WrittenCheck[]): WrittenCheck {
  const { options, ...rest } = check
  const base = presetChecks.find(({ definition }) => definition === check.definition)?.options
  if (!isOptions(base) || (options !== undefined && !isOptions(options))) return check
  const merged = Object.entries({ ...base, ...options }).filter(([name, value]) => value !== null || !Object.hasOwn(base, name))
  return { ...rest, options: Object.fromEntries(merged) }
}

/** Whether a check can be made stricter as a whole. */
export function hasStrict({ definition: { options } }: WrittenCheck): boolean {
  return options instanceof z.ZodObject && Object.hasOwn(options.shape, 'strict')
}

/** Gives a check the contract's `strict`, unless it has its own. */
export function inheritStrict(check: WrittenCheck, strict: boolean | undefined): WrittenCheck {
  const { options = {} } = check
  if (strict === undefined || !hasStrict(check) || !isOptions(options)) return check
  return { ...check, options: { strict, ...options } }
}

function isOptions(options: unknown): options is Options {
  return typeof options === 'object' && options !== null && !Array.isArray(options)
}
