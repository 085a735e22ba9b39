/** Up to this length every prefix is looked at, of longer texts only those that have grown by a part, so that time stays linear. */
const alwaysLookedAt = 64
const growth = 1.25
/** More than what readers look ahead. */
const keptOfGap = 3

/**
 * Decides for a text that arrives in pieces whether it may still turn out to be nothing but calls in JSON or Python.
 *
 * Only prefixes of fixed lengths are read, however the text is cut: the result must not depend on the chunks.
 */
export class CallText {
  /** Whether it may. */
  isOpen = true
  readonly #mayBe: (text: string) => boolean
  #text = ''
  #lookAt = 1
  #hasWord = false
  #hasBracket = false
  /** The length of the gap at the end, and whether it ends in a comment that is kept. */
  #gap = 0
  #inComment = false
  #isCommentKept = false

  constructor(mayBe: (text: string) => boolean) {
    this.#mayBe = mayBe
  }

  /** Takes the next piece, and returns whether the text may still be calls. */
  push(piece: string): boolean {
    let at = 0
    for (; at < piece.length && this.isOpen && !this.#hasBracket; at += alwaysLookedAt)
      this.#take(this.#withShortGaps(piece.slice(at, at + alwaysLookedAt)))
    if (at < piece.length && this.isOpen) this.#take(piece.slice(at))
    return this.isOpen
  }

  #take(piece: string): void {
    this.#text += piece
    const { length } = this.#text
    if (length < this.#lookAt) return
    let at = Math.max(this.#lookAt, Math.min(length, alwaysLookedAt))
    for (let next = lengthAfter(at); next <= length; next = lengthAfter(at)) at = next
    this.#lookAt = lengthAfter(at)
    // Text that cannot be calls cannot become calls either, so that the longest prefix says enough.
    this.isOpen = this.#mayBe(wholePrefix(this.#text, at))
  }

  /** Shortens white space and comments before the first bracket, which may be long and say nothing: words after them would wait for the next look. */
  #withShortGaps(piece: string): string {
    let kept = ''
    for (let at = 0; at < piece.length; at++) {
      const char = piece.charAt(at)
      const isStart = char === '#' && this.#hasWord && !this.#inComment
      if (!isStart && !this.#inComment && char.trim() !== '') {
        this.#gap = 0
        this.#hasWord = true
        kept += char
        this.#hasBracket = '[{('.includes(char)
        if (this.#hasBracket) return kept + piece.slice(at + 1)
        continue
      }
      const isShort = this.#gap++ < keptOfGap
      if (isStart) this.#isCommentKept = isShort
      const isEnd = this.#inComment && char === '\n'
      this.#inComment = isStart || (this.#inComment && !isEnd)
      if (isShort || (isEnd && this.#isCommentKept)) kept += char
    }
    return kept
  }
}

function lengthAfter(length: number): number {
  return length < alwaysLookedAt ? length + 1 : Math.ceil(length * growth)
}

/** A prefix that does not end within a surrogate pair, whose half is not a letter. */
function wholePrefix(text: string, length: number): string {
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}
