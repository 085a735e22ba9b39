import { type LogDestination, type Logger, type LogLevel, logLevels } from '../../front/log.ts'
import type { SecretList } from '../../records/masking/redact.ts'
import { createRedactor } from '../../records/masking/redact.ts'
import { guardDestination } from './guarded-destination.ts'
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
