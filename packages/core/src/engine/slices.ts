import type { ModelEvent } from './runner.ts'

/** Characters that are read at a time: a few milliseconds for the slowest set of checks. */
const sliceLength = 16_384

/** The slices of an event whose text is too long to be read at once; undefined for every other event. */
export function slicesOf(event: ModelEvent): readonly ModelEvent[] | undefined {
  // What a runner sends need not keep to its type.
  const text: unknown = event?.type === 'text' ? event.text : undefined
  if (typeof text !== 'string' || text.length <= sliceLength) return undefined
  const slices: ModelEvent[] = []
  for (let at = 0; at < text.length; at += sliceLength) slices.push({ type: 'text', text: text.slice(at, at + sliceLength) })
  return slices
}
