import type { ToolCall } from '../answer/tool-calls.ts'
import type { Certificate } from '../contract/certificate.ts'
import type { Issue } from '../contract/issue.ts'
import type { Unchecked } from './check/report.ts'
import type { Decision } from './decide/decide.ts'
import type { Failure, Outcome } from './outcome.ts'
import type { Usage } from './runner.ts'

/** What happens in a run. */
export type TraceDetail =
  | {
      readonly type: 'run-started'
      readonly validators: readonly string[]
      readonly mode: string
      readonly maxAttempts: number
      readonly skipped?: readonly string[]
    }
  | { readonly type: 'attempt-started'; readonly attempt: number; readonly call: 'run' | 'continue' }
  | {
      readonly type: 'text-released'
      readonly attempt: number
      readonly length: number
      /** Set when the text was edited: its start in the shown text, and the number of characters of model output that it replaces. */
      readonly edited?: { readonly offset: number; readonly raw: number }
    }
  | { readonly type: 'attempt-stopped'; readonly attempt: number; readonly offset: number; readonly issues: readonly Issue[] }
  | {
      readonly type: 'attempt-received'
      readonly attempt: number
      readonly text: string
      readonly ms: number
      readonly usage?: Usage
      readonly finishReason?: string
      /** Absent without any; where checks look for secrets, their arguments are hidden. */
      readonly toolCalls?: readonly ToolCall[]
      /** Set when secrets were taken out of the text. */
      readonly masked?: true
    }
  /** A call failed before anything of an answer had come, and is made again within the same attempt. */
  | { readonly type: 'call-repeated'; readonly attempt: number; readonly failure: Failure }
  | { readonly type: 'runner-failed'; readonly attempt: number; readonly failure: Failure }
  | {
      readonly type: 'checked'
      readonly attempt: number
      readonly issues: readonly Issue[]
      readonly unchecked: readonly Unchecked[]
      readonly ms: number
    }
  | ({ readonly type: 'decided'; readonly attempt: number } & Decision)
  | {
      readonly type: 'repaired'
      readonly attempt: number
      readonly clean: boolean
      readonly repairs: readonly Certificate[]
      readonly fixed: readonly Issue[]
      /** The errors that the repairs could not correct. */
      readonly remaining: readonly Issue[]
    }
  /** The contract's fallback is delivered in place of an answer. */
  | { readonly type: 'fell-back'; readonly attempt: number }
  | { readonly type: 'feedback-sent'; readonly attempt: number; readonly feedback: string }
  | ({ readonly type: 'run-ended'; readonly ms: number } & Pick<Outcome, 'status' | 'reason' | 'attempts' | 'usage' | 'issues'>)

/** One typed event of a run; stores, metrics, dashboards and progress displays only listen to these. */
export type TraceEvent = TraceDetail & {
  /** The run that the event belongs to. */
  readonly run: string
  /** Milliseconds since the run began. */
  readonly at: number
}

/** Takes the events of a run; what it throws is ignored. */
export type TraceListener = (event: TraceEvent) => void
