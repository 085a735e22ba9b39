import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino'
import { guardDestination } from './guarded-destination.ts'
import { keepAllowed, shortText } from './log-fields.ts'
import { createRedactor } from './redact.ts'

/** What a terminal would act on and JSON leaves as it is. */
const unsafe = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}]/gu

/** How much is logged. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** What a logger is made of. */
export interface LoggingOptions {
  readonly level: LogLevel
  /** Where the lines go. */
  readonly destination: DestinationStream
  /** Values that must never appear, such as the keys of upstreams. */
  readonly secrets?: Iterable<string>
  /** Told once, when the first line is lost. */
  readonly alert?: (message: string) => void
}

/** A logger, and what became of its lines. */
export interface Logging {
  readonly logger: Logger
  /** Lines that could not be written. */
  lost(): number
  /** Writes what waits for the end of this turn of the event loop. */
  flush(): void
}

/** Makes a logger that writes one JSON line per event and lets only harmless fields through, those of children included. */
export function createLogger({ level, destination, secrets, alert = () => {} }: LoggingOptions): Logging {
  const guarded = guardDestination(destination, alert)
  const redact = createRedactor(secrets)
  const options: LoggerOptions = {
    level,
    base: null,
    formatters: { level: (label) => ({ level: label }) },
    // What is told of an error has been chosen before, so pino must not look for more.
    serializers: { err: (fields: unknown) => fields },
    hooks: {
      logMethod(args, method) {
        const [first, second] = args as readonly unknown[]
        const [fields, message] = typeof first === 'string' ? [{}, first] : [fieldsOf(first), second]
        // Neither the message of an error nor values for placeholders may become the message of a line.
        method.call(this, fields, typeof message === 'string' ? shortText(message) : '')
      },
      streamWrite: (line) => `${redact(line.slice(0, -1)).replace(unsafe, escapeCharacter)}\n`,
    },
  }
  return { logger: guardChildren(pino(options, guarded)), lost: () => guarded.lost(), flush: () => guarded.flush() }
}

function fieldsOf(first: unknown): Record<string, unknown> {
  if (typeof first !== 'object' || first === null) return {}
  return keepAllowed(first instanceof Error ? { err: first } : first)
}

/** Children write their bindings past the hook, so these are chosen when a child is made. */
function guardChildren(logger: Logger): Logger {
  const { child, setBindings } = logger
  return Object.assign(logger, {
    child(this: Logger, bindings: object) {
      return child.call(this, keepAllowed(bindings))
    },
    setBindings(this: Logger, bindings: object) {
      setBindings.call(this, keepAllowed(bindings))
    },
  })
}

function escapeCharacter(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')
}
