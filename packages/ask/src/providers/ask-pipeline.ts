import type { Ports } from '@stickler/core'
import type { AskModel } from '@stickler/core/relevance'
import type { Executor } from '@stickler/core/remote'
import type { Prepared } from '../pipeline/prepared.ts'
import type { RelevanceJudge } from '../pipeline/relevance-judge.ts'
import type { PipelineRequest } from '../pipeline/request.ts'
import type { AskProvider } from '../ports.ts'

/** What questions with a type, or without sources, go through before they are put to a provider. */
export interface AskPipeline {
  /** Classifies, retrieves and judges the context, as `preparePipeline` makes it. */
  prepare(request: PipelineRequest): Promise<Prepared>
  /** Models in place of those that `prepare` has; their calls are guarded, counted and paid for like those that answer. */
  readonly classifier?: AskProvider
  readonly reformulation?: AskProvider
  readonly relevance?: { readonly provider: AskProvider; judge(model: AskModel): RelevanceJudge }
  /** What the contracts of the types need, such as the parser. */
  readonly ports?: Ports
  /** Checks large answers in another place, with the same ports. */
  readonly executor?: Executor
}
