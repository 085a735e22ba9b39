/** The variable with the keys of clients, where none is named. */
export const usualKeys = 'STICKLER_KEYS'

/** The variable with the keys of operators, where none is named. */
export const usualOperatorKeys = 'STICKLER_OPERATOR_KEYS'
