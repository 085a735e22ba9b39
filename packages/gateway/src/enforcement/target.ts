import type { Contract, Ports } from '@stickler/core'
import type { Executor } from '@stickler/core/remote'
import type { Price } from '@stickler/core/runners'
import type { Upstream } from '../upstreams/upstream.ts'

/** Where the answers to a model's name come from, and what they must keep. */
export interface Target {
  /** The model as clients name it; `*` for any other. */
  readonly model: string
  /** Name of the contract; empty when answers are passed on unenforced. */
  readonly contractName: string
  readonly contract: Contract
  readonly upstream: Upstream
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
  readonly ports: Ports
  /** Judges large answers in another thread. */
  readonly executor: Executor
  /** Most messages of a request, and most characters of each. */
  readonly messages: { readonly count: number; readonly characters: number }
}
