/** The log levels, most verbose first. */
export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/** A log level. */
export type LogLevel = (typeof logLevels)[number]

/** Writes one line: fields with a message, or a message alone; anything else is dropped. */
type LogMethod = (first: unknown, ...more: unknown[]) => void

/** The gateway's log, one line per event. */
export interface Logger {
  level: string
  readonly debug: LogMethod
  readonly info: LogMethod
  readonly warn: LogMethod
  readonly error: LogMethod
  isLevelEnabled(level: string): boolean
  /** A logger whose lines have these fields too. */
  child(bindings: Record<string, unknown>): Logger
}

/** Where log lines go. */
export interface LogDestination {
  write(line: string): void
}
