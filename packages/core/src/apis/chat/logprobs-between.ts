import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'

/** The log probabilities of the tokens that end between two offsets of their text; all of them stay with its last piece where they cannot be separated. */
export function logprobsBetween(logprobs: Fields, text: string, from: number, to: number): Fields | null {
  const { content } = logprobs
  if (!Array.isArray(content) || (from === 0 && to === text.length)) return logprobs
  const lengths = content.map((entry) => (isFields(entry) && typeof entry.token === 'string' ? entry.token.length : 0))
  const total = lengths.reduce((sum, length) => sum + length, 0)
  if (total !== text.length) return to === text.length ? logprobs : null
  let end = 0
  const kept = content.filter((_, at) => {
    end += lengths[at] ?? 0
    return end > from && end <= to
  })
  return kept.length === 0 ? null : { ...logprobs, content: kept }
}
