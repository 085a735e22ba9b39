import type { Clock } from '@stickler/core'
import type { Exchange } from '../front/exchange.ts'
import type { RequestOutcome } from '../front/request-count.ts'
import type { Records } from '../records/open-records.ts'
import type { Tracing } from '../records/run/run-facts.ts'
import type { AttemptRecord, RunNames, RunRecord } from '../records/run/run-record.ts'
import type { KeyBudgets, MostAsked } from './budgets/key-budgets.ts'
import type { Reservation } from './budgets/reservation.ts'
import type { SessionKeeper } from './conversation.ts'
import type { SessionState } from './session-states.ts'
import type { ShadowJob } from './shadow/shadow-verdict.ts'
import type { Target } from './target.ts'

/** What the model routes need, fixed when a request starts. */
export interface RouteSettings {
  /** Resolves a model to its route. */
  find(model: string): Target | undefined
  /** The models that clients may name. */
  readonly models: readonly string[]
  /** The contract of an exempt request. */
  readonly unenforced: Target['contract']
  readonly keepText: boolean
  readonly heartbeatMs: number
  /** Notes a request that uses these settings; the function returned is called when it is over. */
  begin(): () => void
}

/** What every request needs, whatever its route. */
export interface RequestPorts {
  readonly recorder: Pick<Records['recorder'], 'run'>
  /** Called with every finished run, and its outcome for the client. */
  observe(record: RunRecord, caller: Pick<Exchange, 'ending'>, outcome: RequestOutcome): void
  /** Called with every attempt that failed, when it does. */
  attemptFailed(attempt: AttemptRecord, run: RunNames): void
  /** Tracing of requests; returns undefined when tracing is off. */
  trace?(): Tracing | undefined
  readonly clock: Clock
  /** Milliseconds since 1970. */
  today(): number
  /** A new name for a run, which sorts by time. */
  newRunId(): string
  /**
   * Admits a request, with a reservation where its key has a budget; throws an HttpError when that
   * does not cover it.
   */
  admit(key: string, most: MostAsked): Promise<Reservation> | undefined
}

/** What the routes of models are made with. */
export interface RouteDependencies extends RequestPorts {
  /** The current settings: a request keeps those it started with. */
  current(): RouteSettings
  /** Where sessions of commands are stored between requests. */
  readonly sessions: SessionKeeper
  /**
   * The state of the client's session, for the checks of a contract; absent where no check needs
   * it.
   */
  sessionState(session: string | undefined, key: string, contract: Target['contract']): Promise<SessionState | undefined> | undefined
  /** Takes answers for shadow contracts, once their replies are over. */
  readonly shadows: { add(job: ShadowJob): void }
  /** Sets aside what one call can cost, within a daily cap. */
  readonly holdCall: KeyBudgets['holdCall']
  /** Throws an HttpError when answers cannot be recorded and must not be sent without a record. */
  mayServe(): void
}
