import type { Clock } from '@stickler/core'
import type { MostAsked } from '../enforcement/budgets/key-budgets.ts'
import type { Reservation } from '../enforcement/budgets/reservation.ts'
import type { SessionKeeper } from '../enforcement/conversation.ts'
import type { SessionState } from '../enforcement/session-states.ts'
import type { Target } from '../enforcement/target.ts'
import type { Exchange } from '../front/exchange.ts'
import type { RequestOutcome } from '../front/request-count.ts'
import type { Tracing } from '../records/run/run-facts.ts'
import type { Recorder, RunRecord } from '../records/run/run-record.ts'

/** What the routes of models need, as it is when a request begins. */
export interface RouteSettings {
  /** Finds where a model's answers come from. */
  find(model: string): Target | undefined
  /** The models that clients may name. */
  readonly models: readonly string[]
  /** What a request is given as its contract when it is exempt. */
  readonly unenforced: Target['contract']
  readonly keepText: boolean
  readonly heartbeatMs: number
}

/** What the routes of models are made with. */
export interface RouteDependencies {
  /** The settings now: a request keeps those that it began with. */
  current(): RouteSettings
  readonly recorder: Recorder
  /** Where sessions of commands are kept between requests. */
  readonly sessions: SessionKeeper
  /** The state of the session that a client names, for the checks of a contract; absent where no check has to do with it. */
  sessionState(session: string | undefined, key: string, contract: Target['contract']): Promise<SessionState | undefined> | undefined
  /** Throws an HttpError when answers cannot be recorded and are not to be given without. */
  mayServe(): void
  /** Hears of every run that is over, and how it ends for the client of the exchange. */
  observe(record: RunRecord, exchange: Pick<Exchange, 'ending'>, outcome: RequestOutcome): void
  /** What follows requests, for spans; gives nothing when nobody does. */
  trace?(): Tracing | undefined
  readonly clock: Clock
  /** Milliseconds since 1970. */
  today(): number
  /** A new name for a run, which sorts by time. */
  newRunId(): string
  /** Lets a request in, with what is set aside for it where its key has a budget; throws an HttpError when that does not cover it. */
  admit(key: string, most: MostAsked): Promise<Reservation> | undefined
}
