import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { parseJson } from '../../json/parse-json.ts'

/** After this many failed comparisons in a row, chunks are no longer compared: in some streams something else changes with every chunk. */
const mostVain = 4

/** Recognises chunks that repeat the previous one except for their text, so that only the text has to be parsed. */
export class RepeatedChunk {
  /** The JSON before and after the text, quotes included. */
  #before = ''
  #behind = ''
  #isKnown = false
  #vain = 0

  /** The text of a chunk that repeats the previous one in everything else; undefined for any other chunk. */
  textOf(data: string): string | undefined {
    const start = this.#before.length
    const end = data.length - this.#behind.length
    if (!this.#isKnown || end < start) return undefined
    // Compared as slices, which is several times faster than `startsWith` and `endsWith`.
    if (data.slice(0, start) !== this.#before || data.slice(end) !== this.#behind) return undefined
    // Parsed as one string: if there is anything else in it, the chunk is not a repetition.
    const text = plainText(data, start, end) ?? parseJson(data.slice(start - 1, end + 1))
    if (typeof text !== 'string') return undefined
    this.#vain = 0
    return text
  }

  /** Remembers the last parsed chunk. */
  learn(data: string, chunk: Fields): void {
    this.#isKnown = false
    if (this.#vain >= mostVain) return
    this.#vain++
    const text = contentOf(chunk)
    if (text === undefined) return
    const written = JSON.stringify(text)
    const at = data.indexOf(written)
    if (at < 0) return
    this.#before = data.slice(0, at + 1)
    this.#behind = data.slice(at + written.length - 1)
    // A chunk with another text at this position must parse to that text, or the position is wrong.
    const other = text === 'a' ? 'b' : 'a'
    const probe = parseJson(this.#before + other + this.#behind)
    this.#isKnown = isFields(probe) && contentOf(probe) === other
  }
}

/** The text of a chunk that adds nothing else. */
function contentOf({ choices, usage }: Fields): string | undefined {
  const choice: unknown = Array.isArray(choices) && choices.length === 1 ? choices[0] : undefined
  if (!isFields(choice) || !isFields(choice.delta) || isFields(choice.logprobs)) return undefined
  // Fields that may repeat the text are checked separately.
  if ((choice.text ?? '') !== '' || isFields(choice.message)) return undefined
  // The end of a choice and usage are handled separately.
  if ((choice.finish_reason ?? null) !== null || isFields(usage)) return undefined
  const { content, role: _ignored, ...others } = choice.delta
  return typeof content === 'string' && Object.values(others).every(isNothing) ? content : undefined
}

function isNothing(value: unknown): boolean {
  return value === null || value === ''
}

/** The longest slice that V8 copies; a longer one keeps the whole text in memory. */
const longestCopy = 12

/** The text between quotes if it has no escapes: parsing costs several times as much. */
function plainText(data: string, start: number, end: number): string | undefined {
  if (end - start > longestCopy) return undefined
  for (let at = start; at < end; at++) {
    const code = data.charCodeAt(at)
    if (code < 0x20 || code === 0x22 || code === 0x5c) return undefined
  }
  return data.slice(start, end)
}
