/** The default variable for client keys. */
export const usualKeys = 'STICKLER_KEYS'

/** The default variable for operator keys. */
export const usualOperatorKeys = 'STICKLER_OPERATOR_KEYS'
