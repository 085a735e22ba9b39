import type { TextSpan } from '../answer/span.ts'
import type { ToolCall } from '../answer/tool-calls.ts'

/** What a repair may cost: nothing the model said, something it said, or a guess at what it meant. */
export const repairClasses = ['lossless', 'lossy', 'guess'] as const

/** One of `lossless`, `lossy`, `guess`. */
export type RepairClass = (typeof repairClasses)[number]

/** The part of a tool call that a change is made in. */
export interface ToolCallPart {
  /** Number of the call, from 0. */
  readonly call: number
  readonly part: 'name' | 'arguments'
}

/** The record of one change that a repair made; the certificate is the edit that is applied. */
export interface Certificate {
  /** Name of the rule that made the change. */
  readonly rule: string
  readonly class: RepairClass
  /** Offsets in the text, or in the part of a tool call, as it was just before the repair that holds this change. */
  readonly span: TextSpan
  readonly before: string
  readonly after: string
  /** Where in a structured value, as path segments. */
  readonly path?: readonly (string | number)[]
  /** The part of a tool call that is changed; the answer's text when absent. */
  readonly in?: ToolCallPart
  /** Set when `before` must not be shown, because it was taken out for what it says; outcomes and traces have a mark in its place. */
  readonly secret?: true
  /** Tool calls that were text at `span`, and are real ones now. */
  readonly calls?: readonly ToolCall[]
}

/** The placeholder for text that must not be shown. */
export const hidden = '[hidden]'
