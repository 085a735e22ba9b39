/** How the gateway names its own verdict in an error; no provider may use these names. */
export const verdictNames = { violated: 'contract_violation', unchecked: 'contract_unchecked', uncheckedCode: 'UNCHECKED' } as const
