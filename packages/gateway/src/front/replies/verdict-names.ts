/** The names of the gateway's own verdicts in errors; no provider may use them. */
export const verdictNames = { violated: 'contract_violation', unchecked: 'contract_unchecked', uncheckedCode: 'UNCHECKED' } as const
