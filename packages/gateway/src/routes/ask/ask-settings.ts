import type { AskProvider, AskSettings, AuditLog } from '@stickler/ask'
import type { AskPipeline } from '@stickler/ask/internal'
import type { Price } from '@stickler/core/internal/apis'
import type { CalledPlace } from '../../records/run/run-facts.ts'
import type { HelperModel } from '../../requests/pipeline/helper-calls.ts'
import type { PipelineTarget } from '../../requests/pipeline/pipeline-target.ts'
import type { Upstream } from '../../upstreams/upstream.ts'

/** An upstream that may answer questions. */
export interface AskTarget extends Omit<AskProvider, 'runner'> {
  readonly upstream: Upstream
}

/** The pipeline of questions. */
export interface AskTargetPipeline
  extends Pick<PipelineTarget, 'name' | 'chunks' | 'helpers' | 'dearest' | 'prepare'>,
    Pick<AskPipeline, 'ports' | 'executor'> {}

/** The current settings for questions. */
export interface AskTargets extends Omit<AskSettings, 'providers' | 'onEvent' | 'pipeline'> {
  readonly targets: readonly AskTarget[]
  readonly pipeline?: AskTargetPipeline
  /** Where calls go, in the order of the targets. */
  readonly places?: readonly CalledPlace[]
  readonly audit: AuditLog
  /** Notes a question that uses these settings; the function returned is called when it is over. */
  begin?(): () => void
}

/** A callable model that helps to prepare questions. */
export function helperTarget({ upstream, model, price }: HelperModel): AskTarget {
  return {
    name: upstream.name,
    model,
    upstream,
    capabilities: { seed: false },
    ...(price === undefined ? {} : { price }),
  }
}

/** The price of each model that a target may use. */
export function pricesOf({ price, models }: Pick<AskTarget, 'price' | 'models'>): Price[] {
  return [...(price === undefined ? [] : [price]), ...(models?.values() ?? [])]
}
