import type { Fields } from '../answer/tool-shapes/fields.ts'
import type { PipelineVerdict } from '../apis/reply/pipeline-verdict.ts'
import type { Api, ClientRequest } from '../apis/shared/api.ts'
import type { HttpError } from '../apis/shared/http-error.ts'
import type { Contract } from '../contract/contract.ts'
import type { StopSignal } from '../engine/check/check.ts'
import type { Outcome } from '../engine/outcome.ts'
import type { EnforceOptions } from '../engine/run-state.ts'
import type { RunnerFailure } from '../engine/runner-failure.ts'
import type { MaybePromise } from '../engine/waiting/deferred.ts'
import type { ArrivalListener, Attempt } from './attempts/attempt.ts'

/** The contract of a request, and how it is applied to replies. */
export interface RelayTarget {
  /** Empty when answers pass unenforced. */
  readonly contractName: string
  readonly contract: Contract
  /** How a stream reports a failure; a frame when absent. */
  readonly errorsAs?: 'frame' | 'text'
  /** The status of a withheld answer, in place of 422 and 424. */
  readonly refusalStatus?: number | undefined
}

/** Whether a contract holds for the answers of a target: what was not judged is not passed on then. */
export function isGuarded({ contractName, contract }: Pick<RelayTarget, 'contractName' | 'contract'>): boolean {
  return contractName !== '' && contract.policy.mode !== 'shadow'
}

/** One choice of a request: its attempts, and what the engine is given. */
export interface RelayedChoice {
  readonly index: number
  readonly options: EnforceOptions
  readonly attempts: readonly Attempt[]
  /** Calls before the first attempt, which are billed with it. */
  readonly before: readonly Attempt[]
  /** The attempt that the client gets: the last one, or an earlier one if the engine went back to it. */
  readonly answering: Attempt | undefined
  /** Why the model is not called. */
  readonly ended: RunnerFailure | undefined
}

/** Where the events of a choice go. */
export interface ChoiceListeners {
  /** Receives what a model sends. */
  readonly onArrival?: (choice: number) => ArrivalListener
  readonly onEvent?: NonNullable<EnforceOptions['onEvent']>
}

/** What a host adds to the error of an answer that is not delivered. */
export interface ErrorTerms {
  /** Whether a check is built in, so that its messages are safe to show. */
  isBuiltIn?(validator: string): boolean
  /** Fields that the preset adds beside the error. */
  membersBeside?(outcome: Outcome): Fields
}

/** A request whose answers are delivered in the client's API. */
export interface RelayedRequest {
  readonly api: Api
  /** What the client sent, read and translated. */
  readonly sent: ClientRequest
  readonly target: RelayTarget
  readonly caller: {
    readonly requestId: string
    readonly signal: StopSignal
    readonly log: { error(fields: { readonly err: unknown }, message: string): void }
  }
  readonly client: { /** Whether to report progress while text is held back. */ readonly wantsProgress: boolean }
  /** When its answer was begun, in milliseconds since 1970. */
  readonly at: number
  readonly choices: readonly RelayedChoice[]
  /** The result of the pipeline. */
  readonly pipeline: { readonly verdict: PipelineVerdict } | undefined
  /** The model's name in replies; as the provider wrote it when absent. */
  readonly shownModel?: string
  /** Whether requests reach the provider as sent. */
  readonly isNative: boolean
  readonly errorTerms?: ErrorTerms
  /** Called when provider events have arrived; set by a writer that shows them at once. */
  onEvents: (() => void) | undefined
  /** Begins its answer: makes the choices; nothing is sent before one of them is run. */
  open(listeners?: ChoiceListeners): readonly RelayedChoice[]
  /** The error when the host itself ended the work, and the client may still be connected. */
  cutOff(): HttpError | undefined
  /** Lets other work run before a large piece of this one. */
  pause(): Promise<void>
  /** Records the outcomes; gives an error where an answer must not be sent without its record. */
  keep(outcomes: readonly Outcome[], httpStatus: number, error?: HttpError): MaybePromise<HttpError | undefined>
  /** Counts and logs what was recorded; the client need not wait for it. */
  tell(): void
}
