import { clamp, unknownName } from '@stickler/core/internal'

/** The type of a request, which decides its path through the graph. */
export type QueryType = 'RETRIEVAL' | 'CODE_GENERATION' | 'CONVERSATIONAL' | 'PLATFORM'

/** Every type. */
export const queryTypes: readonly QueryType[] = ['RETRIEVAL', 'CODE_GENERATION', 'CONVERSATIONAL', 'PLATFORM']

const longestShown = 80

/** Why a client's value is not a type; undefined for a type. */
export function queryTypeProblem(type: unknown): string | undefined {
  if (typeof type !== 'string') return `must be one of ${queryTypes.join(', ')}`
  return queryTypes.some((one) => one === type) ? undefined : unknownName('type', clamp(type, longestShown), queryTypes)
}
