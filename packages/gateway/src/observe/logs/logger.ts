import { systemCode } from '@stickler/core/internal'
import { type LogDestination, type Logger, type LogLevel, logLevels } from '../../front/log.ts'
import { createRedactor, type SecretList } from '../../records/masking/redact.ts'
import { isHarmless, type LogMembers, noMembers, shortText, writeAllowed } from './log-fields.ts'

/** What a terminal would act on and JSON does not escape, and lone surrogates. */
const unsafe = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

const urgent: ReadonlySet<LogLevel> = new Set(['warn', 'error'])

/** The dependencies of a logger. */
export interface LoggingOptions {
  readonly level: LogLevel
  /** Where the lines go. */
  readonly destination: LogDestination
  /** The current values that must never appear, such as the keys of upstreams. */
  readonly secrets?: SecretList
  /** Called once, when the first line is lost. */
  readonly alert?: (message: string) => void
}

/** A logger, and the counts of its lines. */
export interface Logging {
  readonly logger: Logger
  /** Lines that could not be written. */
  lost(): number
  /**
   * Writes buffered lines; lines are batched for a few milliseconds, or until the process exits.
   */
  flush(): void
}

/** Makes a logger that writes one JSON line per event and lets only harmless fields through, those of children included. */
export function createLogger({ level, destination, secrets, alert = () => {} }: LoggingOptions): Logging {
  const guarded = guardDestination(destination, alert)
  const redact = createRedactor(secrets)
  const write = (given: LogMembers, name: LogLevel, first: unknown, second: unknown): void => {
    const members = typeof first === 'object' && first !== null ? writeAllowed(first instanceof Error ? { err: first } : first) : noMembers
    // Neither the message of an error nor placeholder values may become the message of a line.
    const msg = messageOf(typeof first === 'string' ? first : typeof second === 'string' ? second : '')
    const line = `{"level":"${name}","time":${Date.now()}${given.text}${members.text}${msg.text}}\n`
    const harmless = given.isHarmless && members.isHarmless && msg.isHarmless
    guarded.write(harmless ? redact(line, true) : redact(withHalves(line)).replace(unsafe, escapeCharacter), urgent.has(name))
  }
  return {
    logger: new LineLogger({ threshold: rankOf(level), write }, noMembers),
    lost: () => guarded.lost(),
    flush: () => guarded.flush(),
  }
}

/** What a logger and its children share. */
interface Lines {
  threshold: number
  readonly write: (given: LogMembers, name: LogLevel, first: unknown, second: unknown) => void
}

class LineLogger implements Logger {
  readonly #lines: Lines
  /** The fields of a child are filtered and written when it is made. */
  readonly #given: LogMembers

  constructor(lines: Lines, given: LogMembers) {
    this.#lines = lines
    this.#given = given
  }

  get level(): string {
    return logLevels[this.#lines.threshold] ?? 'silent'
  }

  set level(level: string) {
    this.#lines.threshold = rankOf(level)
  }

  debug(first: unknown, ...more: unknown[]): void {
    this.#log(0, first, more[0])
  }

  info(first: unknown, ...more: unknown[]): void {
    this.#log(1, first, more[0])
  }

  warn(first: unknown, ...more: unknown[]): void {
    this.#log(2, first, more[0])
  }

  error(first: unknown, ...more: unknown[]): void {
    this.#log(3, first, more[0])
  }

  isLevelEnabled(level: string): boolean {
    return rankOf(level) >= this.#lines.threshold
  }

  child(bindings: Record<string, unknown>): Logger {
    const more = writeAllowed(bindings)
    const { text, isHarmless } = this.#given
    return new LineLogger(this.#lines, { text: text + more.text, isHarmless: isHarmless && more.isHarmless })
  }

  #log(rank: number, first: unknown, message: unknown): void {
    const { threshold, write } = this.#lines
    if (rank >= threshold) write(this.#given, logLevels[rank] ?? 'error', first, message)
  }
}

function rankOf(level: string): number {
  const rank = (logLevels as readonly string[]).indexOf(level)
  return rank < 0 ? logLevels.length - 1 : rank
}

function messageOf(message: string): LogMembers {
  const short = shortText(message)
  const harmless = isHarmless(short)
  return { text: harmless ? `,"msg":"${short}"` : `,"msg":${JSON.stringify(short)}`, isHarmless: harmless }
}

/** JSON escapes lone surrogates, and no escape may hide a secret from the pattern that finds it. */
function withHalves(line: string): string {
  if (!line.includes('\\ud')) return line
  return line.replace(/\\(?:u(d[89a-f]..)|.)/g, (escaped, half?: string) =>
    half === undefined ? escaped : String.fromCharCode(Number.parseInt(half, 16)),
  )
}

function escapeCharacter(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')
}

/** More bytes are not buffered for a blocked destination. */
const mostWaiting = 8 * 1024 * 1024

/**
 * Every write is a system call that delays requests, so lines are batched, for an unnoticeable
 * time.
 */
const waitMs = 10
const mostTogether = 64 * 1024

/** A destination for log lines that may break or fill up without harm to the process. */
interface GuardedDestination extends LogDestination {
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
  return systemCode(error) ?? 'the destination failed'
}
