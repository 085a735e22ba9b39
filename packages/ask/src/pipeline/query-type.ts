import { unknownName } from '@stickler/core'
import { clamp } from '@stickler/core/runners'

/** What a request wants, which decides its way through the graph. */
export type QueryType = 'RETRIEVAL' | 'CODE_GENERATION' | 'CONVERSATIONAL' | 'PLATFORM'

/** Every type. */
export const queryTypes: readonly QueryType[] = ['RETRIEVAL', 'CODE_GENERATION', 'CONVERSATIONAL', 'PLATFORM']

const longestShown = 80

/** Why something that a client names is no type; nothing for a type. */
export function queryTypeProblem(type: unknown): string | undefined {
  if (typeof type !== 'string') return `must be one of ${queryTypes.join(', ')}`
  return queryTypes.some((one) => one === type) ? undefined : unknownName('type', clamp(type, longestShown), queryTypes)
}
