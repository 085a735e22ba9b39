import type { Api, Price } from '@stickler/core/internal/apis'
import type { CalledPlace } from '../records/run/run-facts.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { HeldContract } from './pipeline/bound-contract.ts'
import type { PipelineTarget } from './pipeline/pipeline-target.ts'

/** Where the answers of a model name come from, and their contract. */
export interface Target extends HeldContract {
  /** The model as clients name it; `*` for any other. */
  readonly model: string
  /**
   * What retrieves passages and chooses the contract of each request; absent where the contract is
   * fixed.
   */
  readonly pipeline?: PipelineTarget
  /** The contracts among which clients choose, by name; absent where there is only one. */
  readonly contracts?: ReadonlyMap<string, HeldContract>
  /** The contract that judges first answers after the reply. */
  readonly shadow?: HeldContract
  readonly upstream: Upstream
  /** Where the upstream's calls go, in order. */
  readonly places: readonly CalledPlace[]
  /** The highest price of the upstreams that may answer, for estimates before they report usage. */
  readonly price: Price | undefined
  /** Whether an upstream that may answer has a price in the configuration, which a client must not exceed. */
  readonly hasOwnPrice: boolean
  /** Whether every upstream has Anthropic's Messages API, so that its fields may be passed on. */
  readonly isAnthropic: boolean
  /** Open WebUI tasks, such as titles, that are exempt from the contract. */
  readonly exemptTasks: ReadonlySet<string>
  /** APIs whose answers pass unenforced although there is a contract. */
  readonly exemptApis: ReadonlySet<string>
  /** Tags of its requests, and those that clients may add. */
  readonly tags: readonly string[]
  readonly clientTags: readonly string[]
  /** Whether one of its upstreams stores sessions that later requests may resume. */
  readonly keepsSessions: boolean
  /** Whether all of its upstreams are text-only. */
  readonly readsOnlyText: boolean
  /**
   * The working folder of commands, unless they have their own: the folder for checks that read
   * files.
   */
  readonly folder: string | undefined
  /** How a stream reports a failure. */
  readonly errorsAs: 'frame' | 'text'
  /** The status of a withheld answer, in place of 422 and 424. */
  readonly refusalStatus?: number | undefined
  /** Most messages of a request, and most characters of each. */
  readonly messages: { readonly count: number; readonly characters: number }
}

/**
 * Whether requests of an API reach the upstream as sent: pipelines and stored sessions write their
 * own.
 */
export function isNative({ upstream, pipeline, keepsSessions }: Target, { wire }: Pick<Api, 'wire'>): boolean {
  return wire !== undefined && upstream.speaks?.has(wire.api) === true && pipeline === undefined && !keepsSessions
}
