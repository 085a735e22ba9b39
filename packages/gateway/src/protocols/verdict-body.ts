import type { Fields } from './fields.ts'
import type { FinalChoice, Verdict } from './protocol.ts'

/** What the `stickler` member of a reply says about one answer. */
export function verdictBody({ status, contract, attempts, issues, fixed, repairs, unchecked, failure }: Verdict): Fields {
  return { status, contract, attempts, issues, fixed, repairs, unchecked, ...(failure === undefined ? {} : { failure }) }
}

/** The `stickler` member of a reply: one verdict, or with several choices a list that names them. */
export function verdictsBody(choices: readonly FinalChoice[]): Fields | readonly Fields[] {
  const [only, ...more] = choices
  if (only && more.length === 0) return verdictBody(only.verdict)
  return choices.map(({ index, verdict }) => ({ choice: index, ...verdictBody(verdict) }))
}
