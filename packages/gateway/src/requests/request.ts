import type { CallOptions, StopSignal, Usage } from '@stickler/core'
import type { MaybePromise } from '@stickler/core/internal'
import type { Continuation, Mutable, UpstreamCallOptions } from '@stickler/core/internal/relay'
import type { Exchange } from '../front/exchange.ts'
import type { RequestOutcome } from '../front/request-count.ts'
import { tracingHeaders } from '../front/request-id.ts'
import type { RequestTrace, RunFacts, Tracing } from '../records/run/run-facts.ts'
import type { ApiName, AttemptRecord, RunRecord } from '../records/run/run-record.ts'
import type { MostAsked } from './budgets/key-budgets.ts'
import type { Reservation } from './budgets/reservation.ts'
import type { RequestPorts } from './request-ports.ts'
import type { RunLog } from './run-log.ts'

/** Who asks, over any protocol. */
export interface Caller extends Pick<Exchange, 'requestId' | 'identity' | 'caller' | 'signal' | 'startedAt' | 'ending'> {
  /** For its trace. */
  readonly headers: RunFacts['headers']
}

/** One client request, whatever its route: who asks, what is set aside for it, and what is recorded of it. */
export class Request<Asking extends Caller = Caller, Ports extends RequestPorts = RequestPorts> {
  readonly caller: Asking
  /** The way in, as it is recorded. */
  readonly way: ApiName
  readonly ports: Ports
  /** Headers that are passed on to providers. */
  readonly headers: Readonly<Record<string, string>>
  /** When its answer was begun, in milliseconds since 1970. */
  at = 0
  /** The trace of the request, for spans. */
  trace: RequestTrace | undefined = undefined
  /** What it was for the client, as far as it is known. */
  outcome: RequestOutcome = 'ok'
  #reservation: Reservation | undefined = undefined
  #calls = 0
  #records: RunRecord[] = []

  constructor(caller: Asking, way: ApiName, ports: Ports) {
    this.caller = caller
    this.way = way
    this.ports = ports
    this.headers = tracingHeaders(caller.headers)
  }

  /** Admits the request, with a reservation where its key has a budget; throws an HttpError when that does not cover it. */
  admit(most: MostAsked): Promise<void> | undefined {
    const reservation = this.ports.admit(this.caller.identity.key, most)
    return reservation && this.#reserve(reservation)
  }

  /** Whether something is set aside for it. */
  get isReserved(): boolean {
    return this.#reservation !== undefined
  }

  /** Notes a call; all but the first add to what is at risk. */
  called(): void {
    if (++this.#calls > 1) this.#reservation?.again()
  }

  /** What every call of its answers tells an upstream. */
  protected callOptions(
    { timeLeftMs, format, onRepeat }: CallOptions,
    signal: StopSignal,
    choice: number,
    continuation: Continuation | undefined,
  ): Mutable<UpstreamCallOptions> {
    const { caller, trace, headers } = this
    const options: Mutable<UpstreamCallOptions> = {
      signal,
      requestId: caller.requestId,
      caller: caller.caller,
      headers: trace?.headers(choice) ?? headers,
    }
    if (timeLeftMs !== undefined) options.timeLeftMs = timeLeftMs
    if (format !== undefined) options.format = format
    if (onRepeat !== undefined) options.onRepeat = onRepeat
    if (continuation !== undefined) options.continuation = continuation
    return options
  }

  /** Notes the beginning of its answer; returns what traces it, where there is tracing. */
  begin(): Tracing | undefined {
    this.at = this.ports.today()
    return this.ports.trace?.()
  }

  /** Begins its answer, and the trace of its runs where there is tracing. */
  protected beginRuns(facts: () => Omit<RunFacts, 'api' | 'requestId' | 'headers'>): void {
    const { requestId, headers } = this.caller
    this.trace = this.begin()?.run({ ...facts(), api: this.way, requestId, headers })
  }

  /** Reports an attempt that failed, under the name of its run. */
  attemptFailed(attempt: AttemptRecord, log: RunLog, contract: string, model: string): void {
    const { newRunId, attemptFailed } = this.ports
    log.runId ??= newRunId()
    attemptFailed(attempt, { requestId: this.caller.requestId, run: log.runId, contract, model })
  }

  /** Milliseconds since it arrived. */
  get ms(): number {
    return this.ports.clock.now() - this.caller.startedAt
  }

  /** Records an answer; settles when that can no longer be lost. */
  record(record: RunRecord): MaybePromise<void> {
    this.#records.push(record)
    return this.ports.recorder.run(record)
  }

  /** Counts and logs what was recorded; the client need not wait for it. */
  tell(): void {
    for (const record of this.#records) this.ports.observe(record, this.caller, this.outcome)
    this.#records = []
  }

  /** Settles what was set aside, once: by usage, or by what was at risk when that is unknown. */
  settle(used: Usage | undefined): Promise<void> | undefined {
    return this.#reservation?.settle(used)
  }

  async #reserve(reservation: Promise<Reservation>): Promise<void> {
    this.#reservation = await reservation
  }
}
