import type { AskPipeline, AskProvider, AskRequest, AskSettings, AuditLog } from '@stickler/ask'
import type { PipelineRequest, Prepared } from '@stickler/ask/pipeline'
import type { Contract } from '@stickler/core'
import type { AskModel } from '@stickler/core/relevance'
import type { Price } from '@stickler/core/runners'
import type { Upstream } from '../upstreams/upstream.ts'

/** An upstream that questions may be put to. */
export interface AskTarget extends Omit<AskProvider, 'runner'> {
  readonly upstream: Upstream
}

/** The pipeline of `/ask`. */
export interface AskTargetPipeline extends Omit<AskPipeline, 'prepare'> {
  /** Its name in the configuration. */
  readonly name: string
  /** Prepares a request; `modelOf` makes the models that it asks. */
  prepare(request: PipelineRequest, modelOf: (target: AskTarget) => AskModel): Promise<Prepared>
  /** The models that it may ask, for what they may cost. */
  readonly helpers: readonly AskTarget[]
  /** How often it may ask them for one request. */
  callsFor(request: Pick<AskRequest, 'type' | 'sources'>): number
  /** Of the contracts of its types, the one that allows the most. */
  readonly dearest: Contract
  /** What the contract of a type is called in headers, records and metrics. */
  contractName(type: Prepared['type']): string
}

/** How questions are answered now. */
export interface AskTargets extends Omit<AskSettings, 'providers' | 'onEvent' | 'pipeline'> {
  readonly targets: readonly AskTarget[]
  readonly pipeline?: AskTargetPipeline
  readonly audit: AuditLog
}

/** What a million tokens cost, for each model that a target may be asked for. */
export function pricesOf({ price, models }: AskTarget): Price[] {
  const all = [...(price === undefined ? [] : [price]), ...(models?.values() ?? [])]
  return all.map(({ prompt, completion }) => ({ promptPerMillion: prompt * 1e6, completionPerMillion: completion * 1e6 }))
}
