import type { AskModel, Embedder } from './embedder.ts'
import type { CommandRule, RemoteRule, RulePort } from './rules/rule-port.ts'
import type { SyntaxParser } from './syntax.ts'

/** Variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** What is at a path below the root. */
export type FileKind = 'file' | 'directory' | 'other' | 'missing' | 'outside'

/** Read-only view of the files below one root; paths are relative, with forward slashes. */
export interface FilePort {
  /** Returns what is at a path without opening it; `outside` when a link leaves the root. */
  kind(path: string, signal?: AbortSignal): Promise<FileKind>
  /** Lists files below the root for suggestions, up to `limit`. */
  list(limit: number, signal?: AbortSignal): Promise<readonly string[]>
}

/** The ports to files and services that validators may declare. */
export interface Ports {
  readonly files?: FilePort
  readonly parser?: SyntaxParser
  readonly embedder?: Embedder
  /** A model that judges for a validator. */
  readonly model?: AskModel
  /** Services that judge answers. */
  readonly remote?: RulePort<RemoteRule>
  /** Programs that judge answers. */
  readonly command?: RulePort<CommandRule>
}

/** Time, passed in so that nothing reads it by itself. */
export interface Clock {
  /** Milliseconds on a clock that never goes back. */
  now(): number
  /** Runs `task` after `ms`; the returned function cancels it. */
  after(ms: number, task: () => void): () => void
}

/** Calls a listener; no run depends on who listens, so what it throws is ignored. */
export function notify<Event>(listener: ((event: Event) => void) | undefined, event: Event): void {
  try {
    listener?.(event)
  } catch {
    // A listener that crashes is its own problem.
  }
}

/** Timers of the platform end at once when they are asked to wait longer. */
const longestWait = 2 ** 31 - 1

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, Math.min(ms, longestWait))
    return () => clearTimeout(timer)
  },
}
