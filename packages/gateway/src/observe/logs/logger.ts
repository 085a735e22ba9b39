import { type DestinationStream, type Logger, type LoggerOptions, levels, pino } from 'pino'
import type { SecretList } from '../../records/masking/live-mask.ts'
import { createRedactor } from '../../records/masking/redact.ts'
import { guardDestination } from './guarded-destination.ts'
import { isHarmless } from './harmless.ts'
import { keepAllowed, type LogMembers, noMembers, shortText, writeAllowed } from './log-fields.ts'

/** What a terminal would act on and JSON leaves as it is, and halves of characters. */
const unsafe = /[\u007f-\u009f\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

const urgent = levels.values.warn ?? 40

/** How much is logged. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent'

/** What a logger is made of. */
export interface LoggingOptions {
  readonly level: LogLevel
  /** Where the lines go. */
  readonly destination: DestinationStream
  /** Values that must never appear, such as the keys of upstreams, as they are now. */
  readonly secrets?: SecretList
  /** Told once, when the first line is lost. */
  readonly alert?: (message: string) => void
}

/** A logger, and what became of its lines. */
export interface Logging {
  readonly logger: Logger
  /** Lines that could not be written. */
  lost(): number
  /** Writes what waits; lines wait a few milliseconds for others, or until the process ends. */
  flush(): void
}

/** Makes a logger that writes one JSON line per event and lets only harmless fields through, those of children included. */
export function createLogger({ level, destination, secrets, alert = () => {} }: LoggingOptions): Logging {
  const guarded = guardDestination(destination, alert)
  const redact = createRedactor(secrets)
  const bound = new WeakMap<object, LogMembers>()
  const options: LoggerOptions = {
    level,
    base: null,
    hooks: {
      // Lines are written here and not by pino, which would look at every field once more.
      logMethod(args, _method, number) {
        const [first, second] = args as readonly unknown[]
        const given = bound.get(this) ?? noMembers
        const members =
          typeof first === 'object' && first !== null ? writeAllowed(first instanceof Error ? { err: first } : first) : noMembers
        // Neither the message of an error nor values for placeholders may become the message of a line.
        const message = typeof first === 'string' ? first : typeof second === 'string' ? second : ''
        const msg = messageOf(message)
        const line = `{"level":"${levels.labels[number]}","time":${Date.now()}${given.text}${members.text}${msg.text}}\n`
        const harmless = given.isHarmless && members.isHarmless && msg.isHarmless
        guarded.write(harmless ? redact(line, true) : redact(withHalves(line)).replace(unsafe, escapeCharacter), number >= urgent)
      },
    },
  }
  return { logger: guardChildren(pino(options, guarded), bound), lost: () => guarded.lost(), flush: () => guarded.flush() }
}

function messageOf(message: string): LogMembers {
  const short = shortText(message)
  const harmless = isHarmless(short)
  return { text: harmless ? `,"msg":"${short}"` : `,"msg":${JSON.stringify(short)}`, isHarmless: harmless }
}

/** Bindings of children are chosen when a child is made, and written then. */
function guardChildren(logger: Logger, bound: WeakMap<object, LogMembers>): Logger {
  const { child, setBindings } = logger
  const bind = (of: object, before: LogMembers, bindings: object): void => {
    const more = writeAllowed(bindings)
    bound.set(of, { text: before.text + more.text, isHarmless: before.isHarmless && more.isHarmless })
  }
  return Object.assign(logger, {
    child(this: Logger, bindings: object) {
      const made = child.call(this, keepAllowed(bindings))
      bind(made, bound.get(this) ?? noMembers, bindings)
      return made
    },
    setBindings(this: Logger, bindings: object) {
      setBindings.call(this, keepAllowed(bindings))
      bind(this, bound.get(this) ?? noMembers, bindings)
    },
  })
}

/** Halves of characters are escaped by JSON, and no escape may stand between a secret and the pattern that finds it. */
function withHalves(line: string): string {
  if (!line.includes('\\ud')) return line
  return line.replace(/\\(?:u(d[89a-f]..)|.)/g, (escaped, half?: string) =>
    half === undefined ? escaped : String.fromCharCode(Number.parseInt(half, 16)),
  )
}

function escapeCharacter(character: string): string {
  return Array.from({ length: character.length }, (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`).join('')
}
