import type { ChatRequest } from '../upstream.ts'

/** The number of requested choices. */
export function countOf({ n }: ChatRequest): number {
  return typeof n === 'number' && Number.isInteger(n) && n > 1 ? n : 1
}
