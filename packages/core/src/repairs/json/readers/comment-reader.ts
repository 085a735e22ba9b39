import type { TextWindow } from './text-window.ts'

/** Reads comments; their text is kept for the record of the change. */
export class CommentReader {
  /** The comment so far. */
  text = ''
  /** Offset of the comment. */
  start = 0
  #closer: '\n' | '*/' = '\n'
  readonly #window: TextWindow

  constructor(window: TextWindow) {
    this.#window = window
  }

  /** Starts a comment whose first `length` characters determine its kind. */
  open(length: number): void {
    const window = this.#window
    this.start = window.offset
    this.text = window.text.slice(window.at, window.at + length)
    this.#closer = this.text === '/*' ? '*/' : '\n'
    window.at += length
  }

  /** Reads on; false when the comment has not ended. */
  read(): boolean {
    const window = this.#window
    const { text, at } = window
    const found = text.indexOf(this.#closer, at)
    const line = this.#closer === '\n'
    // The last character may be the first half of the closer.
    const open = line || window.ended || !text.endsWith('*') ? text.length : text.length - 1
    const end = found < 0 ? Math.max(at, open) : found + (line ? 0 : 2)
    this.text += text.slice(at, end)
    window.at = end
    return found >= 0
  }
}
