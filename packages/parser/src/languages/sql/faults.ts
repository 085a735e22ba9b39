import type { SyntaxFault } from '@stickler/core/syntax'
import { faultAt } from '../fault-at.ts'
import { afterCodePoints } from '../offsets.ts'
import { allowClientSyntax } from './client-syntax.ts'
import { describe } from './describe.ts'
import { nextStatement } from './lexer.ts'

/** PostgreSQL's error for a text that it rejects; the position counts code points from 0. */
export interface SqlProblem {
  readonly message: string
  readonly codePoint: number
}

/** Further faults help a model less, and each costs another pass. */
const mostFaults = 20
/** Further placeholders and psql commands are reported: each costs another pass. */
const mostAllowances = 200

/** The first fault of each statement, in their order. */
export function sqlFaults(source: string, firstProblem: (text: string) => SqlProblem | undefined): readonly SyntaxFault[] {
  const nul = source.indexOf('\0')
  // PostgreSQL stops at it, so that the rest would pass unread.
  if (nul >= 0) return [faultAt(source, nul, nul + 1, 'Remove the NUL character: SQL text cannot hold it.')]
  const faults: SyntaxFault[] = []
  let text = source.startsWith('\ufeff') ? ` ${source.slice(1)}` : source
  let start = 0
  for (let allowances = 0; faults.length < mostFaults; ) {
    const rest = text.slice(start)
    const problem = firstProblem(rest)
    if (problem === undefined) break
    const at = start + afterCodePoints(rest, problem.codePoint)
    const allowed = allowances < mostAllowances ? allowClientSyntax(text, at) : undefined
    if (allowed !== undefined) {
      allowances++
      text = allowed
      continue
    }
    faults.push(describe(source, start, at, problem.message))
    const next = nextStatement(text, at)
    if (next === undefined) break
    start = next
  }
  return faults
}
