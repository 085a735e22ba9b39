import { isFields } from '../../answer/tool-shapes/fields.ts'

/** The number of a choice, as clients read it; `otherwise` where it has none, and NaN where it is not a number. */
export function laneOf(choice: unknown, otherwise = 0): number {
  const index = isFields(choice) ? (choice.index ?? otherwise) : otherwise
  if (typeof index === 'number') return index
  // What names a property is the same as a number to most clients.
  return typeof index === 'string' && String(Number(index)) === index ? Number(index) : Number.NaN
}

/** Whether a choice was requested. */
export function isAsked(lane: number, count: number): boolean {
  return Number.isInteger(lane) && lane >= 0 && lane < count
}
