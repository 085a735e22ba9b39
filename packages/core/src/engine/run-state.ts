import { readTranscript, withoutSaid } from '../answer/transcript.ts'
import type { Certificate } from '../contract/certificate.ts'
import { type AnswerFormat, answerFormat } from '../contract/configuration/answer-format.ts'
import { applicable, type Contract, instructions, selectValidators } from '../contract/contract.ts'
import { type Clock, notify, type Ports, systemClock } from '../contract/ports.ts'
import type { JsonObject } from '../json/json-value.ts'
import { hasSchema, isSameSchema, withFormat, withInstructions } from './attempt/instructed-prompt.ts'
import type { CheckOptions, CheckSetting } from './check/check-setting.ts'
import { addUsage, noUsage, Tally } from './decide/budget.ts'
import type { Executor } from './executor.ts'
import { checkOptions, type OptionNames, rejectUnknown, requireRun } from './option-names.ts'
import type { Prompt, Runner, Usage } from './runner.ts'
import { RunnerFailure } from './runner-failure.ts'
import { Stop, type StopSignal } from './stop.ts'
import type { TraceEvent, TraceListener } from './trace.ts'

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
  /** What it spends together with other runs that share its first call; it has a budget of its own when absent. */
  readonly tally?: Tally
}

const enforceOptions: OptionNames<EnforceOptions> = {
  contract: true,
  runner: true,
  prompt: true,
  ...checkOptions,
  session: true,
  onEvent: true,
  runId: true,
  tally: true,
}

const none: readonly Certificate[] = []

/** Made once: an error with a stack for every run would cost more than ending it. */
const ended = new RunnerFailure('aborted', 'the run has ended')

const noRunner: Runner = {
  run() {
    throw ended
  },
  continue() {
    throw ended
  },
}

/** The state of one run: what has been spent and shown, and when it must end. */
export class RunState implements CheckSetting {
  readonly contract: Contract
  runner: Runner
  readonly prompt: Prompt
  /** What the runner is given of the contract's schema; absent when the prompt has it. */
  readonly format: AnswerFormat | undefined
  readonly context: Readonly<Record<string, unknown>>
  readonly ports: Ports
  readonly clock: Clock
  readonly executor: Executor | undefined
  /** The session that the caller passed in. */
  readonly firstSession: string | undefined
  session: string | undefined
  usage: Usage = noUsage
  attempts = 0
  /** Whether an attempt has said something. */
  hasAnswer = false
  readonly tally: Tally
  /** Whether the budget needs the cost of calls, even if it is not reported. */
  readonly counts: boolean
  /** Text that has been shown, and can only be continued. */
  released = ''
  /** The same as the models wrote it, before changes on the way; of attempts that have ended. */
  written = ''
  /** Changes in that text, and how many of them earlier attempts have shown. */
  readonly #shownRepairs: Certificate[] = []
  #earlierRepairs = 0
  /** Says that the caller has given up, the deadline has passed, or the run has ended. */
  readonly stop = new Stop()
  /** Ends the wait for the model that is going on, when the run is aborted. */
  onAbort: ((reason: unknown) => void) | undefined
  /** Called when there is more of the value, which is built on demand; absent without consumers. */
  onValue: ((attempt: number, take: () => unknown) => void) | undefined
  #cancelDeadline: (() => void) | undefined
  #giveUp: (() => void) | undefined
  #name: string | undefined
  #memory: Map<unknown, unknown> | undefined
  /** The schema that the model has been told, or that its request has. */
  #told: Readonly<Record<string, unknown>> | undefined
  readonly #startedAt: number
  readonly #listen: TraceListener | undefined
  readonly #outer: StopSignal | undefined
  #deadlinePassed = false

  constructor(options: EnforceOptions) {
    rejectUnknown(options, enforceOptions)
    requireRun(options)
    this.contract = applicable(selectValidators(options.contract, options.only), options.request)
    this.runner = options.runner
    this.context = withPrompt(this.contract, withTranscript(options.context ?? {}, options.prompt), options.prompt)
    this.ports = options.ports ?? {}
    this.firstSession = options.session
    this.session = options.session
    this.clock = options.clock ?? systemClock
    this.executor = options.executor
    const rules = this.contract.policy.instruct === true ? instructions(this.contract) : ''
    const { takesSchema, ownSchema } = this.runner
    const format = ownSchema === undefined ? answerFormat(this.contract, rules) : undefined
    this.format = takesSchema ? format : undefined
    const isMissing = format !== undefined && !takesSchema && !hasSchema(options.prompt, format)
    this.prompt = isMissing ? withFormat(options.prompt, format) : withInstructions(options.prompt, rules)
    this.#told = format?.schema ?? ownSchema
    this.#name = options.runId
    this.#listen = options.onEvent
    this.#startedAt = this.clock.now()
    this.#outer = options.signal
    if (this.#outer) this.#follow(this.#outer)
    this.tally = options.tally ?? new Tally()
    const { deadlineMs, tokens, money } = this.contract.policy.budget
    this.counts = tokens !== undefined || money !== undefined
    if (deadlineMs !== undefined) this.#cancelDeadline = this.clock.after(deadlineMs, () => this.#passDeadline(deadlineMs))
  }

  get aborted(): boolean {
    return this.stop.aborted
  }

  get reason(): unknown {
    return this.stop.reason
  }

  /** What the caller gives up with; the deadline has no part in it. */
  get caller(): StopSignal | undefined {
    return this.#outer
  }

  get signal(): AbortSignal {
    return this.stop.signal
  }

  get memory(): Map<unknown, unknown> {
    this.#memory ??= new Map()
    return this.#memory
  }

  /** Name of the run in its trace. */
  get name(): string {
    this.#name ??= crypto.randomUUID()
    return this.#name
  }

  /** Whether the trace has a listener. */
  get traced(): boolean {
    return this.#listen !== undefined
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

  /** Whether the model knows a schema: it was told, its request has it, or its prompt has it. */
  knowsSchema(schema: JsonObject): boolean {
    return (this.#told !== undefined && isSameSchema(this.#told, schema)) || hasSchema(this.prompt, { schema })
  }

  /** Notes that the model was told a schema, in a session that the next call goes on with. */
  addKnownSchema(schema: JsonObject): void {
    if (this.session !== undefined) this.#told = schema
  }

  /** Counts the cost of an attempt: as reported, or estimated for the budget. */
  spend(told: Usage | null | undefined, estimate: () => Usage): void {
    this.usage = addUsage(this.usage, told)
    if (this.counts) this.tally.spend(this, addUsage(noUsage, told ?? estimate()))
  }

  /** Changes in text that earlier attempts have shown. */
  get earlierRepairs(): readonly Certificate[] {
    return this.#shownRepairs.slice(0, this.#earlierRepairs)
  }

  /** Changes in text that this attempt has shown. */
  get shownRepairs(): readonly Certificate[] {
    return this.#shownRepairs.slice(this.#earlierRepairs)
  }

  /** Notes that another attempt begins. */
  beginAttempt(): void {
    this.#earlierRepairs = this.#shownRepairs.length
  }

  /** Records shown text: from now on it can only be continued. `raw` is the number of characters of model output that it replaces. */
  release(text: string, raw?: number, certificates: readonly Certificate[] = none): void {
    if (this.traced) {
      const { name: run, elapsed: at, attempts: attempt } = this
      const edited = raw === undefined ? undefined : { offset: this.released.length, raw }
      this.trace({ run, at, type: 'text-released', attempt, length: text.length, ...(edited && { edited }) })
    }
    this.released += text
    for (const certificate of certificates) this.#shownRepairs.push(certificate)
  }

  /** Notifies the listener; exceptions must not change the run. */
  trace(event: TraceEvent): void {
    notify(this.#listen, event)
  }

  /** Ends the run: no timer, process or request outlives it. */
  close(): void {
    this.#cancelDeadline?.()
    if (this.#giveUp) this.#outer?.removeEventListener('abort', this.#giveUp)
    this.#abort(ended)
    // What refers to the run for longer must not keep the replies alive, which the runner has.
    this.runner = noRunner
  }

  /** The failure that an abort of this run is. */
  abortFailure(): RunnerFailure {
    if (this.#deadlinePassed) return new RunnerFailure('deadline', `the deadline of ${this.contract.policy.budget.deadlineMs} ms passed`)
    return new RunnerFailure('aborted', 'the run was aborted')
  }

  /** By hand, because `AbortSignal.any` costs more than all the checks of a short answer. */
  #follow(outer: StopSignal): void {
    if (outer.aborted) {
      this.#abort(outer.reason)
      return
    }
    const giveUp = (): void => this.#abort(outer.reason)
    this.#giveUp = giveUp
    outer.addEventListener('abort', giveUp)
  }

  #passDeadline(deadlineMs: number): void {
    this.#deadlinePassed = true
    this.#abort(new RunnerFailure('deadline', `the deadline of ${deadlineMs} ms passed`))
  }

  #abort(reason: unknown): void {
    if (this.stop.aborted) return
    this.stop.abort(reason)
    this.onAbort?.(reason)
  }
}

/** Validators see which tools a conversation has called, without the conversation itself. */
function withTranscript(context: RunState['context'], prompt: Prompt): RunState['context'] {
  if (typeof prompt === 'string' || context.transcript !== undefined) return context
  const { calls, gap, unread } = readTranscript(prompt)
  if (gap !== undefined || unread !== undefined) return { ...context, transcript: withoutSaid(prompt) }
  return calls.length === 0 ? context : { ...context, transcript: calls }
}

/** Validators that say so see what the model is asked. */
function withPrompt({ validators }: Contract, context: RunState['context'], prompt: Prompt): RunState['context'] {
  if (context.prompt !== undefined || !validators.some(({ prepared }) => prepared.readsPrompt)) return context
  return { ...context, prompt }
}
