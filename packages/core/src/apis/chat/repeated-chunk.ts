import { type Fields, isFields } from '../../answer/tool-shapes/fields.ts'
import { parseJson } from '../../json/parse-json.ts'

/** How many chunks in a row are learned in vain: streams in which something else changes with every chunk are read as they are. */
const mostVain = 4

/** Recognizes chunks that repeat the previous one in everything but their text, so that only the text has to be read. */
export class RepeatedChunk {
  /** What comes before the text and after it, quotes included. */
  #before = ''
  #behind = ''
  #isKnown = false
  #vain = 0

  /** The text of a chunk that repeats the one before in everything else; undefined for every other chunk. */
  textOf(data: string): string | undefined {
    const start = this.#before.length
    const end = data.length - this.#behind.length
    if (!this.#isKnown || end < start) return undefined
    // Compared as slices, which is several times faster than `startsWith` and `endsWith`.
    if (data.slice(0, start) !== this.#before || data.slice(end) !== this.#behind) return undefined
    // One string, read as such: with anything else in it, the chunk is another one.
    const text = plainText(data, start, end) ?? parseJson(data.slice(start - 1, end + 1))
    if (typeof text !== 'string') return undefined
    this.#vain = 0
    return text
  }

  /** Takes the chunk that was read last. */
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
    // With another text in this place the chunk has to say that text, or the place is not the one that counts.
    const other = text === 'a' ? 'b' : 'a'
    const probe = parseJson(this.#before + other + this.#behind)
    this.#isKnown = isFields(probe) && contentOf(probe) === other
  }
}

/** The text of a chunk that brings nothing else which adds to what came before. */
function contentOf({ choices, usage }: Fields): string | undefined {
  const choice: unknown = Array.isArray(choices) && choices.length === 1 ? choices[0] : undefined
  if (!isFields(choice) || !isFields(choice.delta) || isFields(choice.logprobs)) return undefined
  // What may repeat the text is looked at by itself.
  if ((choice.text ?? '') !== '' || isFields(choice.message)) return undefined
  // The end of a choice and usage are handled separately.
  if ((choice.finish_reason ?? null) !== null || isFields(usage)) return undefined
  const { content, role: _ignored, ...others } = choice.delta
  return typeof content === 'string' && Object.values(others).every(isNothing) ? content : undefined
}

function isNothing(value: unknown): boolean {
  return value === null || value === ''
}

/** The most characters that V8 copies out of a text, which it keeps whole for a longer slice. */
const longestCopy = 12

/** What is written between quotes, when it says just that: parsing costs several times as much. */
function plainText(data: string, start: number, end: number): string | undefined {
  if (end - start > longestCopy) return undefined
  for (let at = start; at < end; at++) {
    const code = data.charCodeAt(at)
    if (code < 0x20 || code === 0x22 || code === 0x5c) return undefined
  }
  return data.slice(start, end)
}
