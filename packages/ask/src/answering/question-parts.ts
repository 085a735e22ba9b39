import type { Contract, Message, Ports } from '@stickler/core'
import type { Executor } from '@stickler/core/internal'
import type { AskMode, AskSource, AskWarning } from '@stickler/presets/internal'
import type { NodeTrace } from '../reply/node-trace.ts'
import type { QueryType } from '../reply/query-type.ts'

/** How answers to a question are checked against their contract. */
export interface AnswerRules {
  /** Whether answers cite sources, which some providers do not do reliably. */
  readonly cites: boolean
  readonly ports?: Ports
  /** Checks large answers elsewhere, with the same ports. */
  readonly executor?: Executor
  /** The contract for a mode; `live` when a stream shows text that is proven safe. */
  contract(mode: AskMode, live: boolean, deadlineMs: number): Contract
}

/** The data of a question that went through the pipeline, before a model answers it. */
export interface Preparation {
  readonly type: QueryType
  /** The contract of its type, with the retry that is left. */
  readonly contract: Contract
  /** The verdict on the retrieved context; null when it was not checked. */
  readonly contextRelevant: boolean | null
  /** How often the query was reformulated because its context was insufficient. */
  readonly reformulations: number
  /** What failed, such as retrieval while the index was unavailable. */
  readonly warnings: readonly AskWarning[]
  readonly nodes: readonly NodeTrace[]
}

/** Everything about a question that does not depend on who answers it. */
export interface QuestionParts {
  /** Its sources, in marker order. */
  readonly sources: readonly AskSource[]
  readonly prompt: readonly Message[]
  readonly rules: AnswerRules
  /** Absent for questions that bring their sources and name no type. */
  readonly preparation?: Preparation
}

/** What answering a question yields: its sources, once known, and then released text. */
export type AskStep = string | { readonly sources: readonly AskSource[] }
