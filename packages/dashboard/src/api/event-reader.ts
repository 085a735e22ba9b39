/** One event of a stream. */
interface StreamEvent {
  readonly name: string
  readonly data: string
}

/** Reads events out of pieces of text. */
export interface EventReader {
  /** Id of the last event that had one; a stream resumes after it. */
  readonly lastId: string
  /**
   * The events that this piece completes; throws when a line is longer than any that the gateway
   * writes.
   */
  push(piece: string): readonly StreamEvent[]
}

/** Makes a reader of server-sent events, because the browser's own cannot send a key. */
export function createEventReader(lastId = '', longestLine = 4_194_304): EventReader {
  let rest = ''
  let endedInCr = false
  let id = lastId
  let name = ''
  let data: string[] = []

  const take = (line: string, events: StreamEvent[]): void => {
    if (line === '') {
      if (data.length > 0) events.push({ name: name === '' ? 'message' : name, data: data.join('\n') })
      name = ''
      data = []
      return
    }
    const colon = line.indexOf(':')
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') data.push(value)
    else if (field === 'event') name = value
    else if (field === 'id') id = value
  }

  return {
    get lastId() {
      return id
    },
    push(piece) {
      const events: StreamEvent[] = []
      if (piece === '') return events
      // A line that ended in CR is complete; an LF that comes later still belongs to that end.
      const lines = (rest + (endedInCr && piece.startsWith('\n') ? piece.slice(1) : piece)).split(/\r\n|\r|\n/)
      endedInCr = piece.endsWith('\r')
      rest = lines.pop() ?? ''
      for (const line of lines) take(line, events)
      if (rest.length > longestLine) throw new RangeError('a line of the stream is too long')
      return events
    },
  }
}
