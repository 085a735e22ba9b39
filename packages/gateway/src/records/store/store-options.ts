import { ConfigurationError, type ConfigurationProblem } from '@stickler/core'
import { type NameTest, noNames } from '../run/without-words.ts'
import type { StepTest } from './queries/sessions.ts'
import type { AlertListener } from './store-alert.ts'

/** How the store is set up. */
export interface StoreOptions {
  /** `sqlite:path`, `sqlite::memory:` or `postgres://…`. */
  readonly url: string
  /** Where journals lie, on a local disk; made when it does not exist. Not used by `sqlite::memory:`. */
  readonly folder: string
  /** Whether texts of models are kept. */
  readonly keepText: boolean
  /** Whether audit rows keep the words of question and answer; `keepText` when absent. */
  readonly keepAuditText?: boolean
  /** Which names in paths of issues may be kept without texts; none when absent. */
  readonly isName?: NameTest
  /** Whether a step ends the sessions of a contract; none does when absent. */
  readonly endsSession?: StepTest
  /** Age from which runs and spending are deleted by `purge`; kept for ever when absent. */
  readonly retentionDays?: number
  /** Age from which audit rows are deleted by `purge`; kept for ever when absent. */
  readonly auditRetentionDays?: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onAlert?: AlertListener
  /** What happens to a record when the journal is full: `run` rejects, or the record is dropped and counted. */
  readonly whenFull?: 'reject' | 'drop'
  /** Bytes of records that wait for the database at most. */
  readonly journalLimitBytes?: number
  /** Bytes of one record at most. */
  readonly recordLimitBytes?: number
  /** Bytes from which a new file is begun. */
  readonly segmentBytes?: number
  /** Milliseconds that records wait for others before they are written to the database. */
  readonly batchMs?: number
  /** Records of one transaction at most. */
  readonly batchRecords?: number
  /** Connections to PostgreSQL at most. */
  readonly poolSize?: number
  /** Milliseconds that SQLite waits for another process. */
  readonly busyTimeoutMs?: number
  /** Milliseconds that PostgreSQL may take for a connection or a statement. */
  readonly databaseTimeoutMs?: number
  /** Answers that the cache of `/ask` holds at most. */
  readonly cacheEntries?: number
  /** Sessions of commands that are kept at most; a conversation whose session is gone is sent as a whole. */
  readonly sessionEntries?: number
  /** Milliseconds after which journals of processes that died meanwhile are looked for again. */
  readonly adoptEveryMs?: number
}

/** What is kept, and for how long: it can change while a store is open. */
export type StoreKeeping = Pick<
  StoreOptions,
  'keepText' | 'keepAuditText' | 'isName' | 'retentionDays' | 'auditRetentionDays' | 'cacheEntries'
>

/** Options with everything that has a default filled in. */
export type CompleteOptions = Required<Omit<StoreOptions, 'retentionDays' | 'auditRetentionDays'>> & {
  readonly retentionDays: number | undefined
  readonly auditRetentionDays: number | undefined
}

/** Fills in defaults; throws a ConfigurationError that names every impossible value. */
export function completeOptions(options: StoreOptions): CompleteOptions {
  const complete: CompleteOptions = {
    url: options.url,
    folder: options.folder,
    keepText: options.keepText,
    keepAuditText: options.keepAuditText ?? options.keepText,
    isName: options.isName ?? noNames,
    endsSession: options.endsSession ?? (() => false),
    retentionDays: options.retentionDays,
    auditRetentionDays: options.auditRetentionDays,
    now: options.now,
    onAlert: options.onAlert ?? (() => {}),
    whenFull: options.whenFull ?? 'reject',
    journalLimitBytes: options.journalLimitBytes ?? 256 * 1024 * 1024,
    recordLimitBytes: options.recordLimitBytes ?? 4 * 1024 * 1024,
    segmentBytes: options.segmentBytes ?? 8 * 1024 * 1024,
    batchMs: options.batchMs ?? 100,
    batchRecords: options.batchRecords ?? 500,
    poolSize: options.poolSize ?? 5,
    busyTimeoutMs: options.busyTimeoutMs ?? 2000,
    databaseTimeoutMs: options.databaseTimeoutMs ?? 10_000,
    cacheEntries: options.cacheEntries ?? 10_000,
    sessionEntries: options.sessionEntries ?? 10_000,
    adoptEveryMs: options.adoptEveryMs ?? 30_000,
  }
  const problems = Object.entries(complete).flatMap(([name, value]) => problemOf(name, value))
  if (problems.length > 0) throw new ConfigurationError(problems)
  return complete
}

function problemOf(name: string, value: unknown): ConfigurationProblem[] {
  const least = name === 'batchMs' ? 0 : 1
  const possible = typeof value !== 'number' || (Number.isSafeInteger(value) && value >= least)
  return possible ? [] : [{ path: ['store', name], message: `expected a whole number, ${least} or more, got ${value}` }]
}
