import {
  type AskKnobs,
  type AskProvider,
  type AskRefused,
  type AskReply,
  type AskRequest,
  type AskService,
  type AskSettings,
  openAsk,
} from '@stickler/ask'
import type { TraceEvent, Usage } from '@stickler/core'
import { dearest } from '../../enforcement/budgets/dearest.ts'
import type { Reservation } from '../../enforcement/budgets/reservation.ts'
import { sumOf } from '../../enforcement/budgets/usage-of.ts'
import type { RouteDependencies } from '../../enforcement/dependencies.ts'
import { forCaller } from '../../enforcement/for-caller.ts'
import { contractNameOf } from '../../enforcement/preparing/pipeline-contracts.ts'
import { RunLog } from '../../enforcement/run-log.ts'
import type { UpstreamRunner } from '../../enforcement/upstream-runner.ts'
import { goingDown, isCutOff } from '../../front/replies/going-down.ts'
import { tracingHeaders } from '../../front/request-id.ts'
import type { RequestTrace } from '../../records/run/run-facts.ts'
import type { AttemptRecord, RunRecord } from '../../records/run/run-record.ts'
import type { AskCaller } from './ask-caller.ts'
import { askRecord } from './ask-record.ts'
import { askRunner } from './ask-runner.ts'
import { type AskTarget, type AskTargets, helperTarget, pricesOf } from './ask-settings.ts'

/** The reply when the gateway shuts down before the answer is complete. */
export const cutOffReply: AskRefused = {
  ok: false,
  status: goingDown.status,
  error: goingDown.message,
  failure: { kind: 'aborted', message: goingDown.message },
}

/** Whether a reply is lost because the gateway shuts down. */
export function isLost(reply: AskReply): boolean {
  return !reply.ok && reply.failure === cutOffReply.failure
}

/** One question being answered; its run is recorded before the end of the reply is sent. */
export class AskTurn {
  readonly #caller: AskCaller
  readonly #request: AskRequest
  readonly #settings: AskTargets
  readonly #with: RouteDependencies
  readonly #log: RunLog
  readonly #at: number
  readonly #runners: UpstreamRunner[] = []
  readonly #reservation: Reservation | undefined
  readonly #service: AskService
  readonly #trace: RequestTrace | undefined
  #calls = 0
  #end: Extract<TraceEvent, { type: 'run-ended' }> | undefined
  #unchecked: RunRecord['unchecked'] = []

  constructor(
    caller: AskCaller,
    request: AskRequest,
    settings: AskTargets,
    dependencies: RouteDependencies,
    reservation: Reservation | undefined,
  ) {
    const { identity, user, signal } = caller
    this.#caller = caller
    this.#request = { ...request, tenant: identity.key, ...(user === undefined ? {} : { user }), signal }
    this.#settings = settings
    this.#with = dependencies
    this.#reservation = reservation
    this.#log = new RunLog(dependencies.current().keepText, { failed: (attempt, log) => this.#failed(attempt, log) })
    this.#at = dependencies.today()
    this.#trace = this.#startTrace()
    this.#service = openAsk(this.#askSettings())
  }

  /** What all calls have used, reported or estimated. */
  get used(): Usage {
    return sumOf(this.#runners.flatMap(({ attempts }) => attempts))
  }

  /** Whether no provider is called. */
  get isRefused(): boolean {
    return this.#service.refusal(this.#request) !== undefined
  }

  /** The answer as a whole. */
  async whole(): Promise<AskReply> {
    const reply = await this.#service.ask(this.#request)
    return await this.#recorded(reply, false, isCutOff(this.#caller.signal) && !reply.ok)
  }

  /** The released text, as it arrives. */
  async *text(): AsyncGenerator<string, AskReply> {
    const stream = this.#service.stream(this.#request)
    let isRead = false
    try {
      yield* stream
      isRead = true
      return await this.#recorded(await stream.reply, true, isCutOff(this.#caller.signal))
    } finally {
      if (!isRead) await this.#recorded(await stream.reply, true, isCutOff(this.#caller.signal))
    }
  }

  /**
   * The frames of a stream; the last one waits until the run is recorded, and is left out when the
   * gateway shuts down first.
   */
  async *frames(): AsyncGenerator<string, AskReply> {
    const frames = this.#service.frames(this.#request)
    let last = ''
    for (;;) {
      const step = await frames.next()
      if (step.done) {
        const reply = await this.#recorded(step.value, true, isCutOff(this.#caller.signal))
        if (!isLost(reply)) yield last
        return reply
      }
      if (step.value.startsWith('event: sources') || step.value.startsWith('event: answer_token')) yield step.value
      else last = step.value
    }
  }

  /** Settles the reservation. */
  async settle(): Promise<void> {
    await this.#reservation?.settle(this.used)
  }

  #startTrace(): RequestTrace | undefined {
    const tracing = this.#with.trace?.()
    if (tracing === undefined) return undefined
    const { api = 'ask', requestId, session, headers = {} } = this.#caller
    const { targets, places = [] } = this.#settings
    const { model = targets[0]?.model ?? '', temperature } = this.#request
    return tracing.run({ api, contract: 'ask', model, places, requestId, session, body: { temperature }, headers })
  }

  #askSettings(): AskSettings {
    const { targets, places: _places, pipeline, begin: _begin, ...settings } = this.#settings
    const { caller } = this.#caller
    const spans = this.#trace?.listen(0, () => this.#runners.at(-1)?.attempts.at(-1)?.call)
    return {
      ...settings,
      ...(settings.executor && { executor: settings.executor.for?.(caller) ?? settings.executor }),
      providers: targets.map((target) => this.#providerOf(target)),
      ...(pipeline === undefined
        ? {}
        : {
            pipeline: {
              ...forCaller({ ports: pipeline.ports ?? {}, executor: pipeline.executor }, caller),
              prepare: (request, modelOf) =>
                pipeline.prepare(request, {
                  of: (helper) => helper && modelOf(this.#providerOf(helperTarget(helper), () => this.#called())),
                }),
            },
          }),
      onEvent: (event) => {
        this.#log.listen(event)
        spans?.(event)
        if (event.type === 'run-ended') this.#end = event
        if (event.type === 'checked') this.#unchecked = event.unchecked
        if (event.type === 'attempt-started') this.#called()
      },
    }
  }

  #failed(attempt: AttemptRecord, log: RunLog): void {
    log.runId ??= this.#with.newRunId()
    const { model = this.#settings.targets[0]?.model ?? '' } = this.#request
    this.#with.attemptFailed(attempt, { requestId: this.#caller.requestId, run: log.runId, contract: 'ask', model })
  }

  /** Each provider's first call is one more too, unless it is the first of all. */
  #called(): void {
    if (++this.#calls > 1) this.#reservation?.again()
  }

  #providerOf({ upstream, ...provider }: AskTarget, onRunner = (): void => {}): AskProvider {
    const price = dearest(pricesOf(provider))
    const runner = (knobs: AskKnobs): UpstreamRunner => {
      onRunner()
      const { requestId, caller, headers = {} } = this.#caller
      const made = askRunner(upstream, knobs, { requestId, caller }, () => this.#trace?.headers(0) ?? tracingHeaders(headers), price)
      this.#runners.push(made)
      return made
    }
    return { ...provider, runner }
  }

  async #recorded(given: AskReply, stream: boolean, isCut: boolean): Promise<AskReply> {
    const reply = isCut ? { ...cutOffReply, ...(given.nodes ? { nodes: given.nodes } : {}) } : given
    const { observe, recorder, clock, newRunId } = this.#with
    const record = askRecord(reply, this.#caller, {
      id: this.#log.runId ?? newRunId(),
      at: this.#at,
      ms: clock.now() - this.#caller.startedAt,
      stream,
      contract: nameOfContract(reply, this.#settings),
      log: this.#log,
      end: this.#end,
      unchecked: this.#unchecked,
      used: this.used,
    })
    observe(record, this.#caller.ends, reply.ok ? 'ok' : reply.verdict === 'unresolved' ? 'invalid' : 'error')
    await recorder.run(record)
    return reply
  }
}

/** The name of the contract that a reply was checked against. */
export function nameOfContract({ nodes }: AskReply, { pipeline }: Pick<AskTargets, 'pipeline'>): string {
  const type = nodes?.find((node) => node.type !== undefined)?.type?.is
  return type === undefined || pipeline === undefined ? 'ask' : contractNameOf(pipeline.name, type)
}
