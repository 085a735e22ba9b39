import type { ModelEvent } from '../runner.ts'

/** The parts of a text event, each of which is judged by itself; those of a foreign runner that cannot make up its text are not used. */
export function eventParts(event: ModelEvent, text: string): readonly string[] {
  const parts: unknown = event.type === 'text' ? event.parts : undefined
  if (!Array.isArray(parts)) return [text]
  let length = 0
  for (const part of parts) {
    if (typeof part !== 'string' || !text.startsWith(part, length)) return [text]
    length += part.length
  }
  return length === text.length ? parts : [text]
}
