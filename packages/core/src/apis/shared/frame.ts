/** Takes the events of a stream in the client's API, those of a provider and those that are made. */
export interface EventSink {
  /** Takes an event: its name, empty when it has none, and its data. */
  event(name: string, data: string): void
  /** The number of the last event, in an API that numbers them: those of a provider and those that are made rise together. */
  number?: number
}

/** Writes events as frames of server-sent events. */
export class Frames implements EventSink {
  #written = ''
  number = -1

  event(name: string, data: string): void {
    this.#written += frame(name, data)
  }

  /** Takes frames that are written already. */
  add(frames: string): void {
    this.#written += frames
  }

  /** The number of characters that nobody has taken. */
  get length(): number {
    return this.#written.length
  }

  /** The frames of what is made meanwhile, which are not among those that are taken. */
  made(make: () => void): string {
    const before = this.#written
    this.#written = ''
    make()
    const made = this.#written
    this.#written = before
    return made
  }

  /** Takes what was written. */
  take(): string {
    const written = this.#written
    this.#written = ''
    return written
  }
}

/** A comment, which every reader skips. */
export const heartbeatFrame = ': heartbeat\n\n'

/** What stands before the data of an event without a name, and behind it. */
export const frameStart = 'data: '
export const frameEnd = '\n\n'

/** One server-sent event with data that is JSON; line breaks in it, which only white space can be, stay. */
export function frame(name: string, data: string): string {
  const head = name === '' ? frameStart : `event: ${name}\n${frameStart}`
  return `${head}${inLines(data)}${frameEnd}`
}

/** The data of an event, cut into its lines; some readers take further characters for the end of one. */
export function inLines(data: string): string {
  let json = data
  if (json.includes('\u2028')) json = json.replaceAll('\u2028', '\\u2028')
  if (json.includes('\u2029')) json = json.replaceAll('\u2029', '\\u2029')
  return json.includes('\n') || json.includes('\r') ? json.replace(/\r\n|\r|\n/g, '\ndata: ') : json
}
