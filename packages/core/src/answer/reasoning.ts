const opening = /^<(think|thinking|reasoning)>/i
const openers = ['<think>', '<thinking>', '<reasoning>']
// Lower case may be longer than the text, so the text is not changed to find them.
const closers = [/<\/think>/i, /<\/thinking>/i, /<\/reasoning>/i]

/** Separates the reasoning at the start of an answer from its body, however the text is chunked. */
export class ReasoningSkipper {
  #state: 'undecided' | 'reasoning' | 'body' = 'undecided'
  #undecided = ''
  /** What is undecided, without the white space before it. */
  #start = ''
  #closer: RegExp | undefined
  #closerLength = 0
  #tail = ''
  #seen = 0

  /** Where the body starts, as far as is known. */
  bodyStart = 0

  /** Whether a block has begun and not ended. */
  get isOpen(): boolean {
    return this.#state === 'reasoning'
  }

  /** Takes the next piece of text and returns the part of the body that is now certain. */
  push(chunk: string): string {
    this.#seen += chunk.length
    if (this.#state === 'body') return chunk
    if (this.#state === 'reasoning') return this.#findCloser(chunk)
    this.#undecided += chunk
    this.#start = this.#start.length > 0 ? this.#start + chunk : chunk.trimStart()
    const start = this.#start
    if (start.length > 0 && start.charCodeAt(0) !== 60) return this.end()
    if (start.length === 0 || openers.some((tag) => start.length < tag.length && tag.startsWith(start.toLowerCase()))) return ''
    const tag = opening.exec(start)?.[0]
    if (tag === undefined) return this.end()
    this.#state = 'reasoning'
    this.#closerLength = tag.length + 1
    this.#closer = closers[openers.indexOf(tag.toLowerCase())]
    this.#undecided = ''
    this.bodyStart = this.#seen
    return this.#findCloser(start.slice(tag.length))
  }

  /** Ends the text: what was undecided is body. */
  end(): string {
    const body = this.#undecided
    if (this.#state === 'undecided') this.#state = 'body'
    this.#undecided = ''
    return body
  }

  #findCloser(piece: string): string {
    const window = this.#tail + piece
    const found = this.#closer === undefined ? -1 : window.search(this.#closer)
    if (found < 0) {
      this.#tail = window.slice(-(this.#closerLength - 1))
      this.bodyStart = this.#seen
      return ''
    }
    this.#state = 'body'
    const body = window.slice(found + this.#closerLength)
    this.bodyStart = this.#seen - body.length
    return body
  }
}
