/** What a request wants, which decides its way through the graph. */
export type QueryType = 'RETRIEVAL' | 'CODE_GENERATION' | 'CONVERSATIONAL' | 'PLATFORM'

/** Every type. */
export const queryTypes: readonly QueryType[] = ['RETRIEVAL', 'CODE_GENERATION', 'CONVERSATIONAL', 'PLATFORM']
