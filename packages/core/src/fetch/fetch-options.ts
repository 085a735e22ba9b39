import type { Fields } from '../answer/tool-shapes/fields.ts'
import type { Price } from '../apis/shared/usage.ts'
import type { RequestFacts } from '../contract/configuration/condition.ts'
import { checkNumbers } from '../contract/configuration-error.ts'
import type { Contract } from '../contract/contract.ts'
import type { Clock, Ports } from '../contract/ports.ts'
import type { CheckOptions } from '../engine/check/check-setting.ts'
import type { Executor } from '../engine/executor.ts'
import { type OptionNames, rejectUnknown, requireContract } from '../engine/option-names.ts'
import type { Outcome } from '../engine/outcome.ts'
import type { TraceListener } from '../engine/trace.ts'

/** A request to a model that is enforced. */
export interface FetchedRequest {
  /** The API of the provider: `chat`, `responses` or `messages`. */
  readonly api: string
  readonly url: string
  /** The JSON that the client sent. */
  readonly body: Fields
}

/** The contract of all requests, or what chooses that of each. */
export type FetchContract = Contract | ((request: FetchedRequest) => Contract | PromiseLike<Contract>)

/** How answers are enforced, and where requests go. */
export interface EnforcedFetchOptions {
  /** Sends the requests; the platform's own when absent. */
  readonly fetch?: typeof globalThis.fetch
  /** The name of the contract in replies, headers and errors; `contract` when absent. */
  readonly name?: string
  /** What checks are given besides the request, such as `sources`: the same for all requests, or made for each. */
  readonly context?: Fields | ((request: FetchedRequest) => Fields | PromiseLike<Fields>)
  /** Called with every event of a run. */
  readonly onEvent?: TraceListener
  /** Called with the outcome of every answer, also of those that are not delivered. */
  readonly onOutcome?: (outcome: Outcome, request: FetchedRequest) => void
  /** Names of the checks that are run; all of them when absent. */
  readonly only?: CheckOptions['only']
  /** Facts that checks with conditions depend on, such as `tags`. */
  readonly request?: RequestFacts
  readonly ports?: Ports
  readonly executor?: Executor
  readonly clock?: Clock
  /** Milliseconds since 1970. */
  readonly today?: () => number
  /** For budgets in money. */
  readonly price?: Price
  /** Whether the provider sends a finish reason with every answer, or not always; always. */
  readonly finishReasons?: 'always' | 'sometimes'
  /** Whether the provider takes a JSON Schema in the API's own field; true for OpenAI's and Anthropic's own addresses, otherwise the schema goes into the prompt. */
  readonly structuredOutput?: boolean
  /** Maximum bytes of a response; 64 MiB. */
  readonly maxResponseBytes?: number
}

const known: OptionNames<EnforcedFetchOptions> = {
  fetch: true,
  name: true,
  context: true,
  onEvent: true,
  onOutcome: true,
  only: true,
  request: true,
  ports: true,
  executor: true,
  clock: true,
  today: true,
  price: true,
  finishReasons: true,
  structuredOutput: true,
  maxResponseBytes: true,
}

/** Throws a ConfigurationError for what is not a contract, and for options that do not exist. */
export function checkFetchOptions(contract: FetchContract, options: EnforcedFetchOptions): void {
  if (typeof contract !== 'function') requireContract(contract)
  rejectUnknown(options, known)
  if (options.maxResponseBytes !== undefined) checkNumbers({ maxResponseBytes: options.maxResponseBytes })
}
