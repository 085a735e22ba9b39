/** The names of the gateway's own verdicts in errors; no provider may use them. */
export const verdictNames = { violated: 'contract_violation', unchecked: 'contract_unchecked', uncheckedCode: 'UNCHECKED' } as const

/** Whether the type of an error is one of them: no retry of the same request can help. */
export function isVerdict(type: string): boolean {
  return type === verdictNames.violated || type === verdictNames.unchecked
}
