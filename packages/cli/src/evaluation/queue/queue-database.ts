import { setTimeout as pause } from 'node:timers/promises'
import { systemCode } from '@stickler/core/internal'
import { openPostgresPool, type PostgresConnection } from '@stickler/node/internal'
import type PgBoss from 'pg-boss'
import { UnreachableError } from '../../errors.ts'
import type { QueueAddress } from './queue-address.ts'
import { makeTables, type RunStatement } from './queue-tables.ts'

/** A job of the queue. */
export type QueueJob = Pick<PgBoss.JobWithMetadata<unknown>, 'id' | 'data' | 'retryCount' | 'expireInSeconds'>

/** The queue and our tables in one database. Every call is repeated for a while when the database is away. */
export interface QueueDatabase {
  readonly query: RunStatement
  /** Runs statements of which all or none take effect; `jobs` are those of the queue. */
  together<Result>(work: (run: RunStatement, jobs: PgBoss.ConnectionOptions) => Promise<Result>): Promise<Result>
  /** Calls the queue. */
  jobs<Result>(call: (boss: PgBoss) => Promise<Result>): Promise<Result>
  /** Takes at most one job. */
  take(queue: string): Promise<QueueJob | undefined>
  /** The queue itself, for calls inside of `together`. */
  readonly boss: PgBoss
  close(): Promise<void>
}

/** How a database is used. */
interface QueueDatabaseOptions {
  readonly connections: number
  /** Ends the waiting for a database that is away. */
  readonly signal: AbortSignal
  /** How long a database may be away, in milliseconds. */
  readonly patienceMs?: number
  /** Told once each time that the database is away, and when it is back. */
  onAway?(message: string): void
}

/** The schema of the library's tables; ours have another. */
const jobSchema = 'stickler_jobs'
const timeoutMs = 30_000
// Any number works if every command uses the same.
const lock = 7_839_201_101
const usualPatienceMs = 60_000

/** The database is away; the same statement may succeed later. */
class Away extends Error {
  override readonly name = 'Away'
}

/** Connects to the queue and makes its tables; throws an UnreachableError, without the password, if that is not possible. */
export async function openQueueDatabase(address: QueueAddress, options: QueueDatabaseOptions): Promise<QueueDatabase> {
  const { signal, patienceMs = usualPatienceMs } = options
  const pool = await openPostgresPool({ url: address.url, poolSize: options.connections, timeoutMs })
  const { default: Boss } = await import('pg-boss')

  const within = async <Result>(work: (run: RunStatement) => Promise<Result>): Promise<Result> => {
    const connection = await pool.connect().catch((error: unknown) => {
      throw failureOf(error, address)
    })
    let isDone = false
    try {
      const result = await work(runOn(connection, address))
      isDone = true
      return result
    } finally {
      // After an error it may be inside of a transaction.
      connection.release(!isDone)
    }
  }
  const once: RunStatement = (text, values) => within((run) => run(text, values))
  let awaySince: number | undefined
  /** Repeats a task while the database is away. */
  const persist = async <Result>(task: () => Promise<Result>): Promise<Result> => {
    for (let waitMs = 100; ; waitMs = Math.min(2 * waitMs, 2000)) {
      try {
        const result = await task()
        if (awaySince !== undefined) options.onAway?.(`the queue ${address.shown} answers again`)
        awaySince = undefined
        return result
      } catch (error) {
        if (!(error instanceof Away)) throw error
        if (awaySince === undefined) options.onAway?.(`${error.message}; trying again for ${patienceMs / 1000} seconds`)
        awaySince ??= performance.now()
        if (performance.now() - awaySince > patienceMs) throw new UnreachableError(error.message)
        await pause(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      }
    }
  }
  const executor = (run: RunStatement): PgBoss.Db => ({
    executeSql: async (text, values: unknown[] = []) => ({ rows: [...(await run(text, values))] }),
  })
  const boss = new Boss({ db: executor(once), schema: jobSchema, supervise: false, schedule: false })
  // Errors reach the callers; an event without a listener would end the process.
  boss.on('error', () => {})
  try {
    await within(async (run) => {
      // Commands that start together must not make the same tables.
      await run(`select pg_advisory_lock(${lock})`)
      await makeTables(run)
      await boss.start()
      await run(`select pg_advisory_unlock(${lock})`)
    })
  } catch (error) {
    await pool.end()
    throw error instanceof Away ? new UnreachableError(error.message) : error
  }
  const together: QueueDatabase['together'] = (work) =>
    persist(() =>
      within(async (run) => {
        await run('begin')
        const result = await work(run, { db: executor(run) })
        await run('commit')
        return result
      }),
    )
  return {
    boss,
    query: (text, values) => persist(() => once(text, values)),
    together,
    jobs: (call) => persist(() => call(boss)),
    take: (queue) =>
      persist(async () => {
        let failure: unknown
        // The library takes every error for an empty queue.
        const run: RunStatement = (text, values) =>
          once<never>(text, values).catch((error: unknown) => {
            failure = error
            throw error
          })
        const [job] = await boss.fetch<unknown>(queue, { includeMetadata: true, db: executor(run) })
        if (failure !== undefined) throw failure
        return job
      }),
    async close() {
      await pool.end()
    },
  }
}

function runOn(connection: PostgresConnection, address: QueueAddress): RunStatement {
  return async <Row extends object>(text: string, values: readonly unknown[] = []) => {
    try {
      const { rows } = await connection.query(text, values)
      return (rows ?? []) as Row[]
    } catch (error) {
      throw failureOf(error, address)
    }
  }
}

/** Connections that failed, a server that starts or stops or has no room, and transactions that met another. */
const passing = /^(?:08|40|53|57)/

/** The error for a failed statement, without values, addresses or secrets. */
function failureOf(error: unknown, { shown }: QueueAddress): Error {
  const code = systemCode(error)
  const isServer = error instanceof Error && 'severity' in error
  const named = code === undefined ? '' : ` (${code})`
  if (!isServer || passing.test(code ?? '')) return new Away(`the queue ${shown} does not answer${named}`)
  return new UnreachableError(`the queue ${shown} cannot be used: ${rejections[code ?? ''] ?? 'a statement was rejected'}${named}`)
}

/** What the most common codes mean. */
const rejections: Readonly<Record<string, string>> = {
  '28P01': 'the password is wrong',
  '28000': 'the user may not connect',
  '3D000': 'there is no such database',
  '42501': 'the user may not create schemas or tables there',
}
