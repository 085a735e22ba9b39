import type * as z from 'zod/mini'
import { isPlainObject, said } from './plain-object.ts'
import type { WrittenCheck } from './read-checks.ts'

/** Lays the options of a check over those that the preset has for it; `null` takes one of them away, `undefined` does nothing. */
export function fromPreset(check: WrittenCheck, presetChecks: readonly WrittenCheck[]): WrittenCheck {
  const { options, ...rest } = check
  const base = presetChecks.find(({ definition }) => definition === check.definition)?.options
  if (!isPlainObject(base) || (options !== undefined && !isPlainObject(options))) return check
  const merged = Object.entries({ ...base, ...said(options ?? {}) }).filter(([name, value]) => value !== null || !Object.hasOwn(base, name))
  return { ...rest, options: Object.fromEntries(merged) }
}

/** Whether a check can be made stricter as a whole. */
export function hasStrict({ definition: { options } }: WrittenCheck): boolean {
  const { type, shape } = ('_zod' in options ? (options as unknown as z.core.$ZodType)._zod.def : {}) as { type?: string; shape?: object }
  return type === 'object' && Object.hasOwn(shape ?? {}, 'strict')
}

/** Gives a check the contract's `strict`, unless it has its own. */
export function inheritStrict(check: WrittenCheck, strict: boolean | undefined): WrittenCheck {
  const { options = {} } = check
  if (strict === undefined || !hasStrict(check) || !isPlainObject(options)) return check
  return { ...check, options: { strict, ...said(options) } }
}
