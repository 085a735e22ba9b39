import { type Contract, instructions, selectValidators } from '../contract/contract.ts'
import { type Clock, systemClock } from '../contract/ports.ts'
import { addUsage, noUsage, type Spent } from './budget.ts'
import type { CheckOptions } from './check.ts'
import type { Message, Prompt, Runner, Usage } from './runner.ts'
import { RunnerFailure } from './runner-failure.ts'
import type { TraceDetail, TraceListener } from './trace.ts'

/** What a run needs. */
export interface EnforceOptions<Value = unknown> extends CheckOptions {
  readonly contract: Contract<Value>
  readonly runner: Runner
  readonly prompt: Prompt
  /** The session that the first call belongs to. */
  readonly session?: string
  readonly onEvent?: TraceListener
  /** Name of the run in its trace. */
  readonly runId?: string
}

/** Made once: an error with a stack for every run would cost more than ending it. */
const ended = new RunnerFailure('aborted', 'the run has ended')

/** The state of one run: what has been spent and shown, and when it must end. */
export class RunState {
  readonly contract: Contract
  readonly runner: Runner
  readonly prompt: Prompt
  readonly clock: Clock
  /** Fires when the caller gives up, when the deadline passes, and when the run ends. */
  readonly signal: AbortSignal
  /** The session that the caller passed in. */
  readonly firstSession: string | undefined
  session: string | undefined
  usage: Usage = noUsage
  attempts = 0
  /** Text that has been shown, and can only be continued. */
  released = ''
  #lastUsage: Usage | undefined
  readonly #ending = new AbortController()
  readonly #cancelDeadline: () => void
  readonly #startedAt: number
  readonly #name: string
  readonly #listen: TraceListener | undefined
  readonly #options: EnforceOptions
  #deadlinePassed = false
  /** By hand, because `AbortSignal.any` costs more than all the checks of a short answer. */
  readonly #giveUp = (): void => this.#ending.abort(this.#options.signal?.reason)

  constructor(options: EnforceOptions) {
    this.#options = options
    this.contract = selectValidators(options.contract, options.only)
    this.runner = options.runner
    this.firstSession = options.session
    this.session = options.session
    this.clock = options.clock ?? systemClock
    this.prompt = this.contract.policy.instruct ? withInstructions(options.prompt, instructions(this.contract)) : options.prompt
    this.signal = this.#ending.signal
    if (options.signal?.aborted) this.#giveUp()
    else options.signal?.addEventListener('abort', this.#giveUp)
    this.#name = options.runId ?? crypto.randomUUID()
    this.#listen = options.onEvent
    this.#startedAt = this.clock.now()
    const { deadlineMs } = this.contract.policy.budget
    this.#cancelDeadline = deadlineMs === undefined ? () => {} : this.clock.after(deadlineMs, () => this.#passDeadline(deadlineMs))
  }

  /** What checks of this run are given. */
  get checkOptions(): CheckOptions {
    const { context, ports } = this.#options
    return { clock: this.clock, signal: this.signal, ...(context ? { context } : {}), ...(ports ? { ports } : {}) }
  }

  /** What counts against the budget. */
  get spent(): Spent {
    return { attempts: this.attempts, total: this.usage, last: this.#lastUsage }
  }

  /** Milliseconds since the run began. */
  get elapsed(): number {
    return this.clock.now() - this.#startedAt
  }

  /** Milliseconds until the deadline, when there is one. */
  get timeLeft(): number | undefined {
    const { deadlineMs } = this.contract.policy.budget
    return deadlineMs === undefined ? undefined : Math.max(0, deadlineMs - this.elapsed)
  }

  /** Counts what an attempt cost. */
  spend(usage: Usage | undefined): void {
    this.usage = addUsage(this.usage, usage)
    this.#lastUsage = usage
  }

  /** Notes text that is shown: from now on it can only be continued. */
  release(text: string): void {
    this.released += text
    if (this.#listen) this.trace({ type: 'text-released', attempt: this.attempts, length: text.length })
  }

  /** Tells the listener; what it throws must not change the run. */
  trace(detail: TraceDetail): void {
    try {
      this.#listen?.({ run: this.#name, at: this.elapsed, ...detail })
    } catch {
      // A listener that crashes is its own problem.
    }
  }

  /** Ends the run: no timer, process or request outlives it. */
  close(): void {
    this.#cancelDeadline()
    this.#options.signal?.removeEventListener('abort', this.#giveUp)
    this.#ending.abort(ended)
  }

  /** The failure that an abort of this run is. */
  abortFailure(): RunnerFailure {
    if (this.#deadlinePassed) return new RunnerFailure('deadline', `the deadline of ${this.contract.policy.budget.deadlineMs} ms passed`)
    return new RunnerFailure('aborted', 'the run was aborted')
  }

  #passDeadline(deadlineMs: number): void {
    this.#deadlinePassed = true
    this.#ending.abort(new RunnerFailure('deadline', `the deadline of ${deadlineMs} ms passed`))
  }
}

function withInstructions(prompt: Prompt, rules: string): Prompt {
  if (rules === '') return prompt
  if (typeof prompt === 'string') return `${prompt}\n\n${rules}`
  const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer'
  const at = prompt.findIndex((message) => !isSystem(message))
  const before = at < 0 ? prompt.length : at
  return [...prompt.slice(0, before), { role: 'system', content: rules }, ...prompt.slice(before)]
}
