import type { Price } from '@stickler/core/runners'
import type { CalledPlace } from '../records/run/run-facts.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { HeldContract } from './preparing/held-contract.ts'
import type { PipelineTarget } from './preparing/pipeline-target.ts'

/** Where the answers to a model's name come from, and what they must keep. */
export interface Target extends HeldContract {
  /** The model as clients name it; `*` for any other. */
  readonly model: string
  /** What finds passages and chooses the contract of each request; absent where the contract is always the same. */
  readonly pipeline?: PipelineTarget
  readonly upstream: Upstream
  /** Where the upstream's calls go, in the order in which they are asked. */
  readonly places: readonly CalledPlace[]
  /** The dearest price of the upstreams that may answer, for what is reckoned before they tell. */
  readonly price: Price | undefined
  /** Whether every upstream speaks Anthropic's Messages, so that fields of theirs may travel along. */
  readonly isAnthropic: boolean
  /** Tasks of Open WebUI, such as titles, that the contract does not hold for. */
  readonly exemptTasks: ReadonlySet<string>
  /** APIs that pass answers unenforced although there is a contract. */
  readonly exemptApis: ReadonlySet<string>
  /** Whether an upstream of it keeps sessions, which further requests may resume. */
  readonly keepsSessions: boolean
  /** Whether no upstream of it reads anything but text. */
  readonly readsOnlyText: boolean
  /** The folder that commands work in, unless they have one of their own: where checks of files look. */
  readonly folder: string | undefined
  /** How a stream tells that it failed. */
  readonly errorsAs: 'frame' | 'text'
  /** Most messages of a request, and most characters of each. */
  readonly messages: { readonly count: number; readonly characters: number }
}
