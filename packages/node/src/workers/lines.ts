/** How much a process may write. */
export interface OutputLimits {
  /** Most bytes altogether. */
  readonly bytes: number
  /** Most bytes of one line. */
  readonly lineBytes: number
  readonly lines: number
}

const lineBreak = 0x0a
const firstSize = 64 * 1024

/** Cuts bytes into lines as they come and stops reading at the first limit that is exceeded. */
export class LineReader {
  readonly #limits: OutputLimits
  readonly #take: (line: string) => void
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  #open = new Uint8Array(firstSize)
  #length = 0
  #bytes = 0
  #lines = 0
  /** What was too much; nothing is read any more once it is set. */
  excess: string | undefined

  constructor(limits: OutputLimits, take: (line: string) => void) {
    this.#limits = limits
    this.#take = take
  }

  /** Reads the next bytes; empty lines are counted but not passed on. */
  push(bytes: Uint8Array): void {
    if (this.excess !== undefined) return
    this.#bytes += bytes.length
    if (this.#bytes > this.#limits.bytes) this.#stop(`more than ${this.#limits.bytes} bytes`)
    else this.#split(bytes)
  }

  /** Reads the end; the last line need not be closed. */
  end(): void {
    if (this.#length > 0) this.#end()
  }

  #split(bytes: Uint8Array): void {
    let from = 0
    for (let end = bytes.indexOf(lineBreak); end !== -1; end = bytes.indexOf(lineBreak, from)) {
      this.#add(bytes.subarray(from, end))
      this.#end()
      if (this.excess !== undefined) return
      from = end + 1
    }
    this.#add(bytes.subarray(from))
  }

  #add(bytes: Uint8Array): void {
    const length = this.#length + bytes.length
    if (length > this.#limits.lineBytes) {
      this.#stop(`a line of more than ${this.#limits.lineBytes} bytes`)
      return
    }
    // Doubled and not joined from pieces: a process that writes single bytes would leave millions of them.
    if (length > this.#open.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#open.length))
      larger.set(this.#open.subarray(0, this.#length))
      this.#open = larger
    }
    this.#open.set(bytes, this.#length)
    this.#length = length
  }

  #end(): void {
    if (this.excess !== undefined) return
    if (++this.#lines > this.#limits.lines) {
      this.#stop(`more than ${this.#limits.lines} lines`)
      return
    }
    const line = this.#length === 0 ? '' : this.#decoder.decode(this.#open.subarray(0, this.#length))
    this.#length = 0
    if (line !== '') this.#take(line)
  }

  #stop(excess: string): void {
    this.excess = excess
    this.#open = new Uint8Array(0)
    this.#length = 0
  }
}
