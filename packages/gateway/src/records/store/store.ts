import type { Recorder, ShadowRecorder } from '../run/run-record.ts'
import type { KeptRun } from '../run/stored-record.ts'
import type { BudgetLedger, DayState } from './budgets/budget-ledger.ts'
import type { AnswerCache, RunnerSessions } from './keyed-entries.ts'
import type { RunLabels, StoredLabel } from './labels.ts'
import type { Purged } from './purge.ts'
import type { AuditPage } from './queries/list-audit.ts'
import type { RunFeed } from './queries/list-runs.ts'
import type { RunPage } from './queries/listed-run.ts'
import type { RunFilter, RunMatch } from './queries/run-filter.ts'
import type { RunTexts } from './queries/run-texts.ts'
import type { SessionDetail, SessionFilter, SessionPage, SessionStep } from './queries/session-queries.ts'
import type { ContractSums, Overview, OverviewQuery } from './rollups/overview.ts'
import type { Stats, StatsQuery } from './rollups/stats.ts'
import type { Summary, SummaryQuery } from './rollups/summary.ts'
import type { StoreKeeping } from './store-options.ts'

/** Counts records since the store was opened. */
export interface StoreCounters {
  /** Acknowledged by this process. */
  recorded: number
  /** Written to the database, including those of dead processes. */
  written: number
  /** Lost, because the journal was full and the policy says drop. */
  dropped: number
  /** Rejected with an error to the caller. */
  rejected: number
  /** Lines of journals that were cut off. */
  tornLines: number
  /** Other unreadable lines of journals. */
  brokenLines: number
  /** Records whose values the database rejects; they are in `refused.jsonl`. */
  refused: number
  /** Batches that the database did not accept; each is tried again. */
  failures: number
}

/** The state of the store. */
export interface StoreHealth {
  /** Whether the database responds and records can be taken. */
  readonly ok: boolean
  readonly engine: 'sqlite' | 'postgres'
  readonly database: { readonly ok: boolean; readonly code?: string }
  readonly journal: {
    readonly ok: boolean
    /** Bytes on disk. */
    readonly bytes: number
    /** Bytes that are not yet in the database. */
    readonly waitingBytes: number
  }
  readonly counters: Readonly<StoreCounters>
}

/** One run with all that is stored of it. */
export type FoundRun = KeptRun & { readonly label?: StoredLabel }

/** Reads of stored records; they throw a StoreUnavailable when the database fails, and a QueryError for malformed cursors. */
export interface StoreQueries {
  listRuns(filter: RunFilter): Promise<RunPage>
  /** `owner` is the name of a key: only its runs are read. */
  getRun(id: string, owner?: string): Promise<FoundRun | undefined>
  /** The texts of runs, for exports; by id. */
  runTexts(runs: readonly { readonly id: string }[]): Promise<ReadonlyMap<string, RunTexts>>
  listSessions(filter: SessionFilter): Promise<SessionPage>
  getSession(session: string, owner?: string): Promise<SessionDetail | undefined>
  /** The changes of the step of a session, in order. */
  sessionSteps(session: string, owner?: string): Promise<readonly SessionStep[]>
  stats(query: StatsQuery): Promise<Stats>
  /** Sums runs by contract, key, cause and validator. */
  summary(query: SummaryQuery): Promise<Summary>
  /** The runs after a cursor that match, as they were recorded. */
  runsSince(cursor?: string, limit?: number, match?: RunMatch): Promise<RunFeed>
  /** Sums runs over time, by name, rule and repair. */
  overview(query: OverviewQuery): Promise<Overview>
  /** Sums the rules and repairs of each contract. */
  contractStats(query: { readonly since: number; readonly until: number }): Promise<ContractSums>
  listAudit(filter: { readonly limit?: number; readonly before?: string }): Promise<AuditPage>
}

/** The stored records of the gateway. */
export interface Store extends StoreQueries {
  readonly recorder: Recorder & ShadowRecorder
  /** Cached answers of `/ask`. */
  readonly cache: AnswerCache
  /** The budgets of keys, and the usage of `/ask`. */
  readonly budgets: BudgetLedger
  /** Sessions of commands that later requests may resume. */
  readonly sessions: RunnerSessions
  /** What every key has used on a day since 1970 (UTC). */
  spent(day: number): Promise<ReadonlyMap<string, DayState>>
  /** What operators say of runs. */
  readonly labels: RunLabels
  /** Counts records since the store was opened. */
  readonly counters: Readonly<StoreCounters>
  /** Bytes of records not yet in the database. */
  readonly waitingBytes: number
  /** Whether no record can currently be stored. */
  readonly failing: boolean
  health(): Promise<StoreHealth>
  /** Waits until all records so far are in the database; returns whether that happened in time. */
  flush(timeoutMs?: number): Promise<boolean>
  /** Deletes what is older than the retention. */
  purge(): Promise<Purged>
  /** Changes what is stored from now on, and for how long. */
  configure(keeping: Partial<StoreKeeping>): void
  /** Writes as much as possible in the given time; the rest stays in the journal for the next start. */
  close(timeoutMs?: number): Promise<void>
}
