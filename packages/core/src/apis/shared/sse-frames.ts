/** Takes the events of a stream in the client's API, from a provider or an encoder. */
export interface EventSink {
  /** Takes an event: its name, empty when it has none, and its data. */
  event(name: string, data: string): void
  /** The number of the last event, in an API that numbers them: events of providers and encoders share one sequence. */
  number?: number
}

/** Writes events as frames of server-sent events. */
export class Frames implements EventSink {
  #written = ''
  number = -1

  event(name: string, data: string): void {
    this.#written += frame(name, data)
  }

  /** Takes frames that are already written. */
  add(frames: string): void {
    this.#written += frames
  }

  /** The number of characters not yet taken. */
  get length(): number {
    return this.#written.length
  }

  /** Returns the frames written by a callback, which are not added to the others. */
  made(make: () => void): string {
    const before = this.#written
    this.#written = ''
    make()
    const made = this.#written
    this.#written = before
    return made
  }

  /** Takes the written frames. */
  take(): string {
    const written = this.#written
    this.#written = ''
    return written
  }
}

/** A comment, which every reader skips. */
export const heartbeatFrame = ': heartbeat\n\n'

/** The text before and after the data of an event without a name. */
export const frameStart = 'data: '
export const frameEnd = '\n\n'

/** One server-sent event with JSON data; line breaks in it are only white space and stay. */
export function frame(name: string, data: string): string {
  const head = name === '' ? frameStart : `event: ${name}\n${frameStart}`
  return `${head}${inLines(data)}${frameEnd}`
}

/** The data of an event, split into lines; some readers treat further characters as line ends. */
export function inLines(data: string): string {
  let json = data
  if (json.includes('\u2028')) json = json.replaceAll('\u2028', '\\u2028')
  if (json.includes('\u2029')) json = json.replaceAll('\u2029', '\\u2029')
  return json.includes('\n') || json.includes('\r') ? json.replace(/\r\n|\r|\n/g, '\ndata: ') : json
}
