import type { RuleRequest } from '@stickler/core'
import type { FaultKind, NoVerdict, OutsideRule } from '@stickler/core/internal'
import type { Job, JobResult } from '@stickler/core/internal/remote'
import type { ParserState } from '@stickler/core/internal/services'
import type { SyntaxVerdict } from '@stickler/core/validators'

/** Why the parser has no verdict, as plain data. */
export interface ParseFailure {
  readonly message: string
  readonly reason: NoVerdict
  readonly circuit?: ParserState | undefined
  readonly fault?: FaultKind | undefined
}

/** Why an external rule has no answer, as plain data. */
export interface RuleFailure {
  readonly message: string
  readonly reason?: NoVerdict | undefined
  readonly circuit?: ParserState | undefined
  readonly fault?: FaultKind | undefined
}

/** The answer of an external rule. */
export type RuleAnswer = { readonly value: unknown } | RuleFailure

/** The messages to a thread. */
export type ToThread =
  | { readonly id: number; readonly job: Job }
  | { readonly abort: number }
  | { readonly parsed: number; readonly verdict: SyntaxVerdict | ParseFailure }
  | { readonly answered: number; readonly answer: RuleAnswer }

/**
 * The messages of a thread: it has started, it has loaded what a job needs, how a job ended, or
 * that a check needs the parser or an external rule.
 */
export type FromThread =
  | { readonly ready: true }
  | { readonly loaded: number }
  /** `heavy` when so much memory outside the heap is used that the thread should be replaced. */
  | { readonly id: number; readonly result: JobResult; readonly heavy?: true }
  | { readonly id: number; readonly error: string }
  | { readonly parse: number; readonly language: string; readonly source: string }
  | { readonly ask: number; readonly asks: OutsideRule; readonly request: RuleRequest }
