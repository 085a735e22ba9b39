import { isDeepStrictEqual } from 'node:util'
import { type Contract, type RepairOptions, type Settled, settle } from '@stickler/core'
import { requestContract, requireAnswer } from '@stickler/core/internal'
import type { WrittenCase } from './case-file.ts'

/** What is not as a case expects it. */
export interface Difference {
  readonly what: 'status' | 'codes' | 'text' | 'value'
  readonly expected: unknown
  readonly actual: unknown
}

/** The result of a case: passed when nothing differs. */
export interface CaseResult {
  readonly settled: Settled
  readonly differences: readonly Difference[]
}

/** Checks the answer of a case, and compares its outcome with what is expected. */
export async function runCase(
  contract: Contract,
  { request, expect }: WrittenCase,
  options: Pick<RepairOptions, 'ports' | 'executor' | 'signal'>,
): Promise<CaseResult> {
  requireAnswer(request, contract)
  const settled = await settle(requestContract(contract, request.asked), request.answer, { ...options, context: request.context })
  const actual = {
    status: settled.status,
    codes: codesOf(settled),
    text: settled.text,
    value: 'value' in settled ? settled.value : undefined,
  }
  const wanted: readonly (readonly [Difference['what'], unknown])[] = [
    // What could not be checked passes no case that does not ask for it.
    ...('status' in expect || settled.status !== 'unchecked' ? [] : [['status', 'checked'] as const]),
    ...(['status', 'text', 'value'] as const).flatMap((what) => (Object.hasOwn(expect, what) ? [[what, expect[what]] as const] : [])),
    ...(expect.codes === undefined ? [] : [['codes', [...new Set(expect.codes)].sort()] as const]),
  ]
  const differences = wanted.flatMap(([what, expected]) =>
    isDeepStrictEqual(plain(expected), plain(actual[what])) ? [] : [{ what, expected, actual: actual[what] }],
  )
  return { settled, differences }
}

/** The codes of all issues that were found, and of those that repairs brought to light. */
function codesOf({ found, issues }: Settled): readonly string[] {
  return [...new Set([...found.issues, ...issues].map(({ code }) => code))].sort()
}

/** Values of JSON, without prototypes and `undefined`. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value) ?? 'null') as unknown)
}

/** What differs, one line for each. */
export function describeDifferences(differences: readonly Difference[]): string {
  return differences.map(({ what, expected, actual }) => `${what}: expected ${shown(expected)}, got ${shown(actual)}`).join('\n')
}

const longest = 500

function shown(value: unknown): string {
  const text = value === undefined ? 'none' : (JSON.stringify(value) ?? String(value))
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
