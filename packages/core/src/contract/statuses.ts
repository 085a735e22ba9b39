/** The statuses of an answer that is checked without a model to ask again, from the best to the worst. */
export const settledStatuses = ['valid', 'repaired', 'unresolved', 'unchecked'] as const

/** The statuses of a run with a model. */
const outcomeStatuses = [...settledStatuses, 'failed'] as const

/** The statuses of a request to a gateway, which may have no contract. */
export const runStatuses = [...outcomeStatuses, 'unenforced'] as const
