import type { ChatRequest } from '../upstream.ts'

/** How many choices are asked for. */
export function countOf({ n }: ChatRequest): number {
  return typeof n === 'number' && Number.isInteger(n) && n > 1 ? n : 1
}
