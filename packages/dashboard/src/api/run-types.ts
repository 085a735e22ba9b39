import type { RunRow, Usage } from './types.ts'

/** A range of a text in UTF-16 units; the end is not in it. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** What a check found in an answer. */
export interface Issue {
  readonly code: string
  readonly severity: string
  readonly validator: string
  readonly message: string
  readonly hint?: string
  readonly span?: Span
  readonly path?: readonly (string | number)[]
  readonly suggestion?: string
}

/** One change that a repair made. */
export interface Certificate {
  readonly rule: string
  readonly class: string
  /** In the text as it was just before the repair that holds this change. */
  readonly span: Span
  readonly before: string
  readonly after: string
  readonly path?: readonly (string | number)[]
  /** The part of a tool call that was changed, in place of the text. */
  readonly in?: { readonly call: number; readonly part: string }
  /** Whether `before` was taken out for what it says, and is not shown. */
  readonly secret?: boolean
  readonly calls?: readonly { readonly name: string; readonly arguments: string }[]
}

/** A validator that could not run. */
export interface Unchecked {
  readonly validator: string
  readonly cause: string
  readonly message: string
  readonly circuit?: string
}

/** A tool call as it is kept. */
export interface ToolCall {
  readonly name: string
  readonly arguments: string
  /** Of a tool that takes free text, which is the argument `input`. */
  readonly kind?: 'custom'
  readonly namespace?: string
  /** Length of the arguments when not all of them are kept. */
  readonly cut?: number
  /** How many calls after it are not kept. */
  readonly more?: number
}

/** One call of a model. */
export interface Attempt {
  readonly number: number
  readonly call: string
  readonly ms: number
  readonly finishReason?: string
  readonly usage?: Usage
  readonly issues: readonly Issue[]
  readonly stoppedAt?: number
  readonly decision?: string
  readonly failure?: string
  readonly resumption?: string
  readonly stderr?: string
  readonly text?: string
  readonly feedback?: string
  readonly toolCalls?: readonly ToolCall[]
}

/** What one node of a pipeline did. */
export interface PipelineNode {
  readonly node: string
  readonly ms: number
  readonly type?: { readonly is: string; readonly by: string }
  readonly query?: string
  readonly chunks?: readonly { readonly urn: string; readonly score: number }[]
  readonly left_out?: number
  readonly relevance?: { readonly relevant: boolean; readonly strategy: string; readonly score?: number; readonly fallback?: string }
  readonly attempts?: number
  readonly verdict?: string
  readonly degraded?: string
}

/** What an operator said of a run. */
export interface RunLabel {
  readonly label: 'good' | 'bad'
  readonly note?: string
  readonly by?: string
  readonly at?: number
}

/** One message of a prompt. */
export interface PromptMessage {
  readonly role: string
  readonly text: string
}

/** The full record of a run. */
export interface Run
  extends Omit<RunRow, 'attempts' | 'issues' | 'fixed' | 'repairs' | 'label' | 'question' | 'answer' | 'codes' | 'classes'> {
  readonly attempts: readonly Attempt[]
  readonly issues: readonly Issue[]
  readonly fixed: readonly Issue[]
  readonly repairs: readonly Certificate[]
  readonly unchecked: readonly Unchecked[]
  readonly counts: { readonly attempts: number; readonly issues: number; readonly fixed: number; readonly repairs: number }
  readonly skipped?: string
  readonly facts?: Readonly<Record<string, string>>
  readonly request?: string
  readonly text?: string
  readonly toolCalls?: readonly ToolCall[]
  readonly pipeline?: readonly PipelineNode[]
  readonly label?: RunLabel
  readonly prompt?: readonly PromptMessage[]
  /** What checks knew of the request beside its messages, its tools as chat completions have them; its length if it was too long. */
  readonly context?: Readonly<Record<string, unknown>>
  readonly timeline?: string
  readonly addedMs?: number
}
