/** One event of a server-sent stream. */
export interface SseEvent {
  readonly event: string
  readonly data: string
}

/** Reads server-sent events from bytes that are cut anywhere; each byte is looked at once. */
export class SseParser {
  readonly #decoder = new TextDecoder()
  #line: string[] = []
  #endedInCr = false
  #event = ''
  #data: string[] = []

  /** Takes the next bytes; returns the events that they complete. */
  push(bytes: Uint8Array): SseEvent[] {
    return this.#read(this.#decoder.decode(bytes, { stream: true }))
  }

  /** Takes the end of the stream; returns what no blank line had closed yet. */
  end(): SseEvent[] {
    return [...this.#read(this.#decoder.decode()), ...this.#read('\n'), ...this.#read('\n')]
  }

  #read(text: string): SseEvent[] {
    if (text === '') return []
    const events: SseEvent[] = []
    const lineEnd = /\r\n|\r|\n/g
    // A line that ended in CR is complete; when LF comes with the next bytes it still belongs to that end.
    let start = this.#endedInCr && text.startsWith('\n') ? 1 : 0
    this.#endedInCr = text.endsWith('\r')
    lineEnd.lastIndex = start
    for (let match = lineEnd.exec(text); match !== null; match = lineEnd.exec(text)) {
      this.#line.push(text.slice(start, match.index))
      start = lineEnd.lastIndex
      const line = this.#line.join('')
      this.#line = []
      if (line === '') this.#dispatch(events)
      else this.#field(line)
    }
    if (start < text.length) this.#line.push(text.slice(start))
    return events
  }

  #field(line: string): void {
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const rest = colon === -1 ? '' : line.slice(colon + 1)
    const value = rest.startsWith(' ') ? rest.slice(1) : rest
    if (name === 'data') this.#data.push(value)
    else if (name === 'event') this.#event = value
  }

  #dispatch(events: SseEvent[]): void {
    if (this.#data.length > 0) events.push({ event: this.#event, data: this.#data.join('\n') })
    this.#event = ''
    this.#data = []
  }
}
