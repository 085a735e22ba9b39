import type { Message } from '@stickler/core'

/** The query as it can be looked up without the conversation. */
export function standalone(query: string, _history: readonly Message[]): string {
  return query
}
