/** One event of a server-sent stream. */
export interface SseEvent {
  readonly event: string
  readonly data: string
}

/** Reads server-sent events from bytes that are cut anywhere; each byte is looked at once. */
export class SseParser {
  readonly #decoder = new Utf8Decoder()
  #line: string[] = []
  #endedInCr = false
  #event = ''
  #data: string[] = []

  /** Takes the next bytes; returns the events that they complete. */
  push(bytes: Uint8Array): SseEvent[] {
    return this.#read(this.#decoder.push(bytes))
  }

  /** Takes the end of the stream; returns what no blank line had closed yet. */
  end(): SseEvent[] {
    return [...this.#read(this.#decoder.end()), ...this.#read('\n'), ...this.#read('\n')]
  }

  #read(text: string): SseEvent[] {
    if (text === '') return []
    const events: SseEvent[] = []
    // A line that ended in CR is complete; when LF comes with the next bytes it still belongs to that end.
    let start = this.#endedInCr && text.startsWith('\n') ? 1 : 0
    this.#endedInCr = text.endsWith('\r')
    let cr = text.indexOf('\r', start)
    let lf = text.indexOf('\n', start)
    while (cr !== -1 || lf !== -1) {
      const end = cr === -1 || (lf !== -1 && lf < cr) ? lf : cr
      // Nearly always: an event of one line, as a whole.
      if (end === lf && text.charCodeAt(end + 1) === 10 && this.#isBetween && text.startsWith('data: ', start)) {
        events.push({ event: '', data: text.slice(start + 6, end) })
        start = end + 2
        lf = text.indexOf('\n', start)
        continue
      }
      this.#endLine(text.slice(start, end), events)
      start = end === cr && lf === cr + 1 ? end + 2 : end + 1
      if (cr !== -1 && cr < start) cr = text.indexOf('\r', start)
      if (lf !== -1 && lf < start) lf = text.indexOf('\n', start)
    }
    if (start < text.length) this.#line.push(text.slice(start))
    return events
  }

  /** Whether nothing of the next event has come. */
  get #isBetween(): boolean {
    return this.#data.length === 0 && this.#line.length === 0 && this.#event === ''
  }

  #endLine(rest: string, events: SseEvent[]): void {
    let line = rest
    if (this.#line.length > 0) {
      line = this.#line.join('') + rest
      this.#line = []
    }
    if (line === '') this.#dispatch(events)
    else this.#field(line)
  }

  #field(line: string): void {
    if (line.startsWith('data: ')) {
      this.#data.push(line.slice(6))
      return
    }
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const rest = colon === -1 ? '' : line.slice(colon + 1)
    const value = rest.startsWith(' ') ? rest.slice(1) : rest
    if (name === 'data') this.#data.push(value)
    else if (name === 'event') this.#event = value
  }

  #dispatch(events: SseEvent[]): void {
    if (this.#data.length > 0)
      events.push({ event: this.#event, data: this.#data.length === 1 ? (this.#data[0] ?? '') : this.#data.join('\n') })
    this.#event = ''
    this.#data = []
  }
}

/** Decodes UTF-8 that is cut anywhere, as a `TextDecoder` with `stream` does, but several times faster: only whole characters are given to one without. */
export class Utf8Decoder {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  /** The beginning of a character whose end has not come. */
  #open: Uint8Array = nothing
  #hasBegun = false

  /** Takes the next bytes. */
  push(bytes: Uint8Array): string {
    const all = this.#open.length === 0 ? bytes : joined(this.#open, bytes)
    const end = endOfWhole(all)
    // A copy, since the bytes are not ours to keep.
    this.#open = end === all.length ? nothing : all.slice(end)
    return this.#decode(end === all.length ? all : all.subarray(0, end))
  }

  /** Takes the end: a character that was cut is replaced. */
  end(): string {
    const rest = this.#open
    this.#open = nothing
    return this.#decode(rest)
  }

  #decode(bytes: Uint8Array): string {
    if (bytes.length === 0) return ''
    const text = this.#decoder.decode(bytes)
    const isMarked = !this.#hasBegun && text.charCodeAt(0) === 0xfeff
    this.#hasBegun = true
    return isMarked ? text.slice(1) : text
  }
}

const nothing = new Uint8Array(0)

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

/** Where the last character begins that goes on behind the end; the end when there is none. */
function endOfWhole(bytes: Uint8Array): number {
  const { length } = bytes
  for (let back = 1; back <= Math.min(3, length); back++) {
    const byte = bytes[length - back] as number
    if (byte < 0x80) break
    if (byte < 0xc0) continue
    const size = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4
    return size > back ? length - back : length
  }
  return length
}
