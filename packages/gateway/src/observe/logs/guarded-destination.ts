import type { LogDestination } from '../../front/log.ts'

/** More bytes are not buffered for a blocked destination. */
const mostWaiting = 8 * 1024 * 1024

/**
 * Every write is a system call that delays requests, so lines are batched, for an unnoticeable
 * time.
 */
const waitMs = 10
const mostTogether = 64 * 1024

/** A destination for log lines that may break or fill up without harm to the process. */
export interface GuardedDestination extends LogDestination {
  /**
   * Takes a line, which is batched for a few milliseconds; an urgent one only until the end of this
   * turn.
   */
  write(line: string, isUrgent?: boolean): void
  /** Lines that could not be written. */
  lost(): number
  /** Writes buffered lines. */
  flush(): void
  /** Called by pino after a line about the exit. */
  flushSync(): void
}

/**
 * Guards a destination: its errors and lost lines are counted, and only the first loss raises the
 * alert.
 */
export function guardDestination(destination: LogDestination, alert: (message: string) => void): GuardedDestination {
  let lost = 0
  const lose = (why: string, lines = 1): void => {
    const isFirst = lost === 0
    lost += lines
    if (!isFirst) return
    try {
      alert(`log lines are being lost: ${why}; stickler_log_lost_total counts them`)
    } catch {
      // The alert may share the log's destination.
    }
  }
  const emitter = destination as { on?: (event: string, listener: (thing: unknown) => void) => unknown; writableLength?: number }
  let written = 1
  emitter.on?.('error', (error) => lose(causeOf(error), written))
  // SonicBoom drops lines beyond its own limit.
  emitter.on?.('drop', () => lose('the destination is too slow'))
  let waiting = ''
  let count = 0
  let timer: NodeJS.Timeout | undefined
  let isUrgent = false
  const flush = (): void => {
    const lines = waiting
    const lineCount = count
    if (lines === '') return
    waiting = ''
    count = 0
    isUrgent = false
    clearTimeout(timer)
    process.off('exit', flush)
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
    flushSync: flush,
    write(line, urgent = false) {
      if (waiting === '') {
        timer = setTimeout(flush, waitMs).unref()
        // The timer keeps no process alive, and none exits without its last lines.
        process.on('exit', flush)
      }
      waiting += line
      count++
      if (waiting.length > mostTogether) flush()
      else if (urgent && !isUrgent) {
        isUrgent = true
        setImmediate(flush)
      }
    },
  }
}

function causeOf(error: unknown): string {
  const code = error instanceof Error ? (error as { code?: unknown }).code : undefined
  return typeof code === 'string' ? code : 'the destination failed'
}
