import type { Fields } from '../../answer/tool-shapes/fields.ts'
import { bytesOf, exactBytes, isSilent } from '../reply/tokens.ts'
import { isNothing } from '../shared/unread-places.ts'

/** Gives each piece of a text the log probabilities of its own tokens: none of a piece that was edited, nor of a token that begins in one. */
export class PieceLogprobs {
  /** The event whose text came last, and from where on it was not edited. */
  #data: string | undefined
  #cleanFrom = 0
  #isEdited = false

  /** The log probabilities of the piece at an offset of the text of the event with that data. */
  of(data: string, logprobs: Fields, text: string, piece: string, offset: number): Fields | null {
    if (offset === 0 || this.#isEdited || this.#data !== data) this.#cleanFrom = offset
    this.#data = data
    this.#isEdited = !text.startsWith(piece, offset) || (piece === '' && offset < text.length)
    return this.#isEdited ? null : logprobsBetween(logprobs, text, offset, offset + piece.length, this.#cleanFrom)
  }
}

/** The log probabilities of the tokens that end between two offsets of their text; all of them stay with its last piece where they cannot be separated. */
function logprobsBetween(logprobs: Fields, text: string, from: number, to: number, cleanFrom: number): Fields | null {
  const { content } = logprobs
  if (!Array.isArray(content) || (from === 0 && to === text.length)) return logprobs
  const tokens = content.map(exactBytes)
  if (tokens.join('') !== bytesOf(text)) return to === text.length && cleanFrom === 0 ? logprobs : null
  const [first, last, clean] = [from, to, cleanFrom].map((at) => bytesOf(text.slice(0, at)).length) as [number, number, number]
  let end = 0
  const kept = content.filter((_, at) => {
    const start = end
    end += tokens[at]?.length ?? 0
    return end > first && end <= last && start >= clean
  })
  return kept.length === 0 ? null : { ...logprobs, content: kept }
}

/** Whether log probabilities are those of a text and of nothing before or after it. */
export function areExactly({ content, refusal, tokens }: Fields, text: string): boolean {
  if (!isNothing(refusal) || !isNothing(tokens)) return false
  if (isNothing(content)) return true
  if (!Array.isArray(content)) return false
  const said = content.map(exactBytes)
  // What has no bytes has no place, so that it may be about what was taken out.
  return said.every((one, at) => !isNothing(one) || isSilent(content[at])) && said.join('') === bytesOf(text)
}
