import type { Contract, Message, Ports } from '@stickler/core'
import type { Executor } from '@stickler/core/internal'
import type { AskMode, AskSource, AskWarning } from '@stickler/presets/internal'
import type { Prepared } from '../pipeline/prepared.ts'
import type { NodeTrace } from '../reply/node-trace.ts'

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

/** Everything about a question that does not depend on who answers it. */
export interface QuestionParts {
  /** Its sources, in marker order. */
  readonly sources: readonly AskSource[]
  readonly prompt: readonly Message[]
  readonly rules: AnswerRules
  /** What the pipeline made of it; absent for questions that bring their sources and name no type. */
  readonly prepared?: Prepared
  /** What failed in the pipeline, such as retrieval while the index was unavailable. */
  readonly warnings: readonly AskWarning[]
}

/** The nodes that ran, and those of the generation, when a question went through the pipeline. */
export function nodesOf({ prepared }: QuestionParts, generation: readonly NodeTrace[] = []): { readonly nodes?: readonly NodeTrace[] } {
  return prepared ? { nodes: [...prepared.trace, ...generation] } : {}
}

/** What answering a question yields: its sources, once known, and then released text. */
export type AskStep = string | { readonly sources: readonly AskSource[] }
