import type { OxcError } from 'oxc-parser'

/**
 * Complaints of TypeScript's type checker about types and modifiers, which are erased: such code parses, and runs.
 * Codes from 2000 on are the checker's own; the others are these.
 */
const erased: ReadonlySet<number> = new Set([
  1015, // optional parameter with an initializer
  1016, // required parameter after an optional one
  1093, // return type on a constructor
  1095, // return type on a setter
  1101, // `with`
  1243, // modifiers that exclude each other
  1263, // `x!: T = value`
  1264, // `x!` without a type
  1338, // `infer` outside of a conditional type
])

/** The checker's codes for what JavaScript itself does not allow. */
const real: ReadonlySet<number> = new Set([
  2337, // super() outside of a constructor
  2528, // two default exports
])

/** Tells whether an error is for TypeScript's checker to report; `memberKeys` are the offsets of the names of class members. */
export function isForChecker({ message, codeframe, labels }: OxcError, memberKeys: ReadonlySet<number>): boolean {
  const code = Number(/TS\((\d+)\):/.exec(codeframe ?? '')?.[1] ?? 0)
  if (real.has(code)) return false
  if (code >= 2000 && code < 8000) return true
  if (erased.has(code)) return true
  if (message.startsWith('Multiple constructor implementations')) return true
  return message.endsWith('has already been declared') && memberKeys.has(labels[0]?.start ?? -1)
}
