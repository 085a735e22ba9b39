import type { RuleRequest } from '@stickler/core'
import type { FaultKind, NoVerdict, OutsideRule } from '@stickler/core/internal'
import type { Job, JobResult } from '@stickler/core/internal/remote'
import type { ParserState } from '@stickler/core/internal/services'

/** A call of the parser or of an external rule, which only the process can reach. */
export type PortCall =
  | { readonly port: 'parser'; readonly language: string; readonly source: string }
  | (OutsideRule & { readonly request: RuleRequest })

/** The answer to such a call, or why there is none, as plain data. */
export type PortAnswer =
  | { readonly value: unknown }
  | {
      readonly message: string
      readonly reason?: NoVerdict | undefined
      readonly circuit?: ParserState | undefined
      readonly fault?: FaultKind | undefined
    }

/** The messages to a thread. */
export type ToThread =
  | { readonly id: number; readonly job: Job }
  | { readonly abort: number }
  | { readonly answered: number; readonly answer: PortAnswer }

/**
 * The messages of a thread: it has started, it has loaded what a job needs, how a job ended, or
 * that a check calls a port.
 */
export type FromThread =
  | { readonly ready: true }
  | { readonly loaded: number }
  /** `heavy` when so much memory outside the heap is used that the thread should be replaced. */
  | { readonly id: number; readonly result: JobResult; readonly heavy?: true }
  | { readonly id: number; readonly error: string }
  | { readonly call: number; readonly asks: PortCall }
