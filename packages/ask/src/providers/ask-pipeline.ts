import type { Ports } from '@stickler/core'
import type { Executor } from '@stickler/core/internal'
import type { AskModel } from '@stickler/core/validators'
import type { Prepared } from '../pipeline/prepared.ts'
import type { PipelineRequest } from '../pipeline/request.ts'
import type { AskProvider } from '../ports.ts'

/**
 * Makes a model of a provider whose calls are limited, counted and billed like those that answer
 * the question.
 */
export type ModelOf = (provider: AskProvider) => AskModel

/** The pipeline for questions with a type, or without sources, before they reach a provider. */
export interface AskPipeline {
  /**
   * Classifies, retrieves and judges the context, as `preparePipeline` makes it; models that it
   * calls are best made with `modelOf`.
   */
  prepare(request: PipelineRequest, modelOf: ModelOf): Promise<Prepared>
  /** What the contracts of the types need, such as the parser. */
  readonly ports?: Ports
  /** Checks large answers elsewhere, with the same ports. */
  readonly executor?: Executor | undefined
}
