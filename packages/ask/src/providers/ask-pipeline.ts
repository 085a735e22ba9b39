import type { Ports } from '@stickler/core'
import type { AskModel } from '@stickler/core/relevance'
import type { Executor } from '@stickler/core/remote'
import type { Prepared } from '../pipeline/prepared.ts'
import type { PipelineRequest } from '../pipeline/request.ts'
import type { AskProvider } from '../ports.ts'

/** Makes a model of a provider whose calls are guarded, counted and paid for like those that answer the question. */
export type ModelOf = (provider: AskProvider) => AskModel

/** What questions with a type, or without sources, go through before they are put to a provider. */
export interface AskPipeline {
  /** Classifies, retrieves and judges the context, as `preparePipeline` makes it; models that it asks are best made with `modelOf`. */
  prepare(request: PipelineRequest, modelOf: ModelOf): Promise<Prepared>
  /** What the contracts of the types need, such as the parser. */
  readonly ports?: Ports
  /** Checks large answers in another place, with the same ports. */
  readonly executor?: Executor
}
