import { type Mistake, mistakeAt } from '../model-mistakes.ts'
import { foreignAt } from './foreign.ts'
import { wordings } from './wordings.ts'

/** Says what to do about a report of Ruff. */
export function describe(message: string, source: string, at: number): Mistake {
  const foreign = /^(?:Expected|Got unexpected|Simple statements|Compound|Invalid|Multiple exception)/.test(message)
    ? foreignAt(source, at)
    : undefined
  if (foreign !== undefined) return foreign
  const mistake = isAboutMeaning(message) ? undefined : mistakeAt(source, at, '#')
  if (mistake !== undefined) return mistake
  const token = tokenAt(source, at)
  for (const [pattern, word] of wordings) {
    const match = pattern.exec(message)
    if (match !== null) return word({ match, token })
  }
  return { message: /[.!?]$/.test(message) ? message : `${message}.` }
}

/** The token is code. */
function isAboutMeaning(message: string): boolean {
  return /outside|closing quote|Duplicate|indent|target|keyword|`(?:global|nonlocal)/.test(message)
}

/** The word or sign at an offset; empty at the end of a line. */
function tokenAt(source: string, at: number): string {
  return /^[ \t]*([\p{L}\p{N}_]+|[^\s])/u.exec(source.slice(at, at + 100))?.[1] ?? ''
}
