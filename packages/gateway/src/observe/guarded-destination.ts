import type { DestinationStream } from 'pino'

/** More bytes than these are not kept for a destination that does not take them. */
const mostWaiting = 8 * 1024 * 1024

/** A place for log lines that may break or fill up without harm to the process. */
export interface GuardedDestination extends DestinationStream {
  /** Lines that could not be written. */
  lost(): number
  /** Writes what waits for the end of this turn. */
  flush(): void
}

/** Guards a destination: what it throws, reports or cannot take is counted, and only the first loss raises the alert. */
export function guardDestination(destination: DestinationStream, alert: (message: string) => void): GuardedDestination {
  let lost = 0
  const lose = (why: string, lines = 1): void => {
    const isFirst = lost === 0
    lost += lines
    if (!isFirst) return
    try {
      alert(`log lines are being lost: ${why}; stickler_log_lost_total counts them`)
    } catch {
      // The alert may go where the log went.
    }
  }
  const emitter = destination as { on?: (event: string, listener: (thing: unknown) => void) => unknown; writableLength?: number }
  let written = 1
  emitter.on?.('error', (error) => lose(causeOf(error), written))
  // SonicBoom drops lines beyond its own limit.
  emitter.on?.('drop', () => lose('the destination is too slow'))
  let waiting = ''
  let count = 0
  const flush = (): void => {
    const lines = waiting
    const lineCount = count
    waiting = ''
    count = 0
    if (lines === '') return
    if ((emitter.writableLength ?? 0) > mostWaiting) {
      lose('the destination is too slow', lineCount)
      return
    }
    written = lineCount
    try {
      destination.write(lines)
    } catch (error) {
      lose(causeOf(error), lineCount)
    }
  }
  return {
    lost: () => lost,
    flush,
    write(line) {
      // All lines of one turn go out together: one write costs as much as a request's checks.
      if (waiting === '') setImmediate(flush)
      waiting += line
      count++
    },
  }
}

function causeOf(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : 'the destination failed'
}
