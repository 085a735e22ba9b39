import { ConfigurationError, type ConfigurationProblem } from '@stickler/core'
import { type NameTest, noNames } from '../run/text-removal.ts'
import type { StepTest } from './queries/session-queries.ts'
import type { AlertListener } from './store-alert.ts'

/** Settings of the store. */
export interface StoreOptions {
  /** `sqlite:path`, `sqlite::memory:` or `postgres://…`. */
  readonly url: string
  /** The folder of journals, on a local disk; created if it does not exist. Not used by `sqlite::memory:`. */
  readonly folder: string
  /** Whether texts of models are stored. */
  readonly keepText: boolean
  /** Whether audit rows have the texts of question and answer; `keepText` when absent. */
  readonly keepAuditText?: boolean
  /** Which names in paths of issues may be stored without texts; none when absent. */
  readonly isName?: NameTest
  /** Whether a step ends the sessions of a contract; false when absent. */
  readonly endsSession?: StepTest
  /** Age at which `purge` deletes runs and spending; never when absent. */
  readonly retentionDays?: number
  /** Age at which `purge` deletes audit rows; never when absent. */
  readonly auditRetentionDays?: number
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly onAlert?: AlertListener
  /** What happens to a record when the journal is full: `run` rejects, or the record is dropped and counted. */
  readonly whenFull?: 'reject' | 'drop'
  /** Maximum bytes of records that wait for the database. */
  readonly journalLimitBytes?: number
  /** Maximum bytes of one record. */
  readonly recordLimitBytes?: number
  /** Size in bytes at which a new file is started. */
  readonly segmentBytes?: number
  /** Milliseconds that records wait for others before they are written to the database. */
  readonly batchMs?: number
  /** Maximum records of one transaction. */
  readonly batchRecords?: number
  /** Maximum connections to PostgreSQL. */
  readonly poolSize?: number
  /** Milliseconds that SQLite waits for another process. */
  readonly busyTimeoutMs?: number
  /** Maximum milliseconds for a connection to or a statement of PostgreSQL. */
  readonly databaseTimeoutMs?: number
  /** Maximum answers in the cache of `/ask`. */
  readonly cacheEntries?: number
  /** Maximum stored sessions of commands; without its session, a conversation is sent as a whole. */
  readonly sessionEntries?: number
  /** Milliseconds between searches for journals of dead processes. */
  readonly adoptEveryMs?: number
}

/** What is stored, and for how long; can change while a store is open. */
export type StoreKeeping = Pick<
  StoreOptions,
  'keepText' | 'keepAuditText' | 'isName' | 'retentionDays' | 'auditRetentionDays' | 'cacheEntries'
>

/** Options with all defaults filled in. */
export type CompleteOptions = Required<Omit<StoreOptions, 'retentionDays' | 'auditRetentionDays'>> & {
  readonly retentionDays: number | undefined
  readonly auditRetentionDays: number | undefined
}

/** Fills in defaults; throws a ConfigurationError that names every invalid value. */
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
