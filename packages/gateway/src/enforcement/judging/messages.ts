import type { Job, JobResult } from '@stickler/core/remote'
import type { NoVerdict, ParserState, SyntaxVerdict } from '@stickler/core/syntax'

/** Why the parser has no verdict, as plain data. */
export interface ParseFailure {
  readonly message: string
  readonly reason: NoVerdict
  readonly circuit?: ParserState | undefined
}

/** What a thread is told. */
export type ToThread =
  | { readonly id: number; readonly job: Job }
  | { readonly abort: number }
  | { readonly parsed: number; readonly verdict: SyntaxVerdict | ParseFailure }

/** What a thread says: that it has started, how a job ended, or that a check needs the parser. */
export type FromThread =
  | { readonly ready: true }
  | { readonly id: number; readonly result: JobResult }
  | { readonly id: number; readonly error: string }
  | { readonly parse: number; readonly language: string; readonly source: string }
