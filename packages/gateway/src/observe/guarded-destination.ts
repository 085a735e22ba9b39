import type { DestinationStream } from 'pino'

/** More bytes than these are not kept for a destination that does not take them. */
const mostWaiting = 8 * 1024 * 1024

/** A place for log lines that may break or fill up without harm to the process. */
export interface GuardedDestination extends DestinationStream {
  /** Lines that could not be written. */
  lost(): number
}

/** Guards a destination: what it throws, reports or cannot take is counted, and only the first loss raises the alert. */
export function guardDestination(destination: DestinationStream, alert: (message: string) => void): GuardedDestination {
  let lost = 0
  const lose = (why: string): void => {
    lost++
    if (lost > 1) return
    try {
      alert(`log lines are being lost: ${why}; stickler_log_lost_total counts them`)
    } catch {
      // The alert may go where the log went.
    }
  }
  const emitter = destination as { on?: (event: string, listener: (thing: unknown) => void) => unknown; writableLength?: number }
  emitter.on?.('error', (error) => lose(causeOf(error)))
  // SonicBoom drops lines beyond its own limit.
  emitter.on?.('drop', () => lose('the destination is too slow'))
  return {
    lost: () => lost,
    write(line) {
      if ((emitter.writableLength ?? 0) > mostWaiting) return lose('the destination is too slow')
      try {
        destination.write(line)
      } catch (error) {
        lose(causeOf(error))
      }
    },
  }
}

function causeOf(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : 'the destination failed'
}
