import { ConfigurationError } from '@stickler/core'
import { because, clamp, redactor } from '@stickler/core/internal'
import { lazyService } from '@stickler/node/internal/services'
import type pg from 'pg'
import { RetrieverUnavailable } from '../../retriever.ts'

/** How PostgreSQL is reached. */
export interface DatabaseSettings {
  readonly url: string
  readonly poolSize: number
  readonly timeoutMs: number
}

/** Runs one statement and gives its rows. */
export type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<Row[]>

/**
 * Rejects every failure as RetrieverUnavailable, without secrets; a ConfigurationError of the work
 * itself is kept.
 */
export interface Database {
  /** Read-only statements, each on its own; retried when the connection turns out to be lost. */
  read<Result>(work: (query: Query) => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** One transaction: all or nothing. */
  write<Result>(work: (query: Query) => Promise<Result>, signal?: AbortSignal): Promise<Result>
  close(): Promise<void>
}

/** Writing many passages takes longer than any search. */
const writingTimes = 12
const int8 = 20
const longestReason = 200

/** Opens a bounded pool; it connects on first use. */
export function openDatabase({ url, poolSize, timeoutMs }: DatabaseSettings): Database {
  const redact = redactor(secretsOf(url))
  // Other indexes do not load the driver.
  async function openPool(): Promise<pg.Pool> {
    const { Pool, types } = (await import('pg')).default
    const pool = new Pool({
      connectionString: url,
      application_name: 'stickler',
      max: poolSize,
      connectionTimeoutMillis: timeoutMs,
      statement_timeout: timeoutMs,
      idle_in_transaction_session_timeout: timeoutMs * writingTimes,
      query_timeout: timeoutMs * writingTimes + 1000,
      idleTimeoutMillis: 30_000,
      keepAlive: true,
      allowExitOnIdle: true,
      // Counts fit in a double; as strings they would be added like strings.
      types: { getTypeParser: (type, format) => (type === int8 ? Number : types.getTypeParser(type, format)) },
    })
    // Without a listener the loss of an idle connection would end the process.
    pool.on('error', () => {})
    return pool
  }
  const pool = lazyService({
    open: openPool,
    close: (opened) => opened.end(),
    closed: () => new RetrieverUnavailable('the index is closed'),
  })

  async function use<Result>(work: (query: Query) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted()
    const client = await (await pool.open()).connect()
    const connection = new Connection(client, signal)
    try {
      return await work((text, values) => connection.query(text, values))
    } finally {
      connection.release()
    }
  }

  async function told<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof ConfigurationError || isMissing(error)) throw error
      const reason = error instanceof Error ? error.message || String((error as { code?: unknown }).code) : ''
      throw new RetrieverUnavailable(because([['failed', 'index in PostgreSQL']], clamp(redact(reason), longestReason)))
    }
  }

  return {
    read: (work, signal) => told(() => use(work, signal).catch((error) => retried(error, () => use(work, signal), signal)), signal),
    write: (work, signal) => told(() => use((query) => inTransaction(query, work, timeoutMs * writingTimes), signal), signal),
    close: pool.close,
  }
}

/** Whether a table does not exist: the collection has never been written. */
export function isMissing(error: unknown): boolean {
  return isServerError(error) && error.code === '42P01'
}

/** Whether the server itself reported it: only its errors have a severity. */
function isServerError(error: unknown): error is pg.DatabaseError {
  return error instanceof Error && 'severity' in error
}

async function retried<Result>(error: unknown, again: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  // The server would reject it again: only a lost connection is worth a retry.
  const isLost = !isServerError(error) || /^(?:57P0|08)/.test(error.code ?? '')
  if (
    signal?.aborted ||
    !isLost ||
    error instanceof ConfigurationError ||
    !/terminat|ECONNRESET|EPIPE|closed|not queryable/i.test(String(error))
  )
    throw error
  return again()
}

async function inTransaction<Result>(query: Query, work: (query: Query) => Promise<Result>, timeoutMs: number): Promise<Result> {
  await query('begin')
  try {
    await query(`set local statement_timeout = ${Math.ceil(timeoutMs)}`)
    const result = await work(query)
    await query('commit')
    return result
  } catch (error) {
    await query('rollback').catch(() => {})
    throw error
  }
}

/** A connection that is discarded after anything but an error of the server. */
class Connection {
  readonly #client: pg.PoolClient
  readonly #signal: AbortSignal | undefined
  #isBroken = false

  constructor(client: pg.PoolClient, signal: AbortSignal | undefined) {
    this.#client = client
    this.#signal = signal
    // The pool listens only while a connection is idle; without a listener, losing this one would
    // end the process.
    client.on('error', this.#lost)
  }

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    this.#signal?.throwIfAborted()
    try {
      return (await this.#unlessAborted(this.#client.query({ text, values: [...values] }))).rows as Row[]
    } catch (error) {
      this.#isBroken ||= !isServerError(error) || error.severity !== 'ERROR'
      throw error
    }
  }

  release(): void {
    this.#client.release(this.#isBroken)
    this.#client.off('error', this.#lost)
  }

  readonly #lost = (): void => {
    this.#isBroken = true
  }

  /** Nobody waits for the rest: the connection is closed and the server rolls back. */
  #unlessAborted<Result>(answer: Promise<Result>): Promise<Result> {
    const signal = this.#signal
    if (signal === undefined) return answer
    return new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal.reason)
      signal.addEventListener('abort', onAbort, { once: true })
      answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
    })
  }
}

function secretsOf(url: string): string[] {
  if (!URL.canParse(url) || !/^postgres(?:ql)?:$/.test(new URL(url).protocol)) {
    throw new ConfigurationError([{ path: ['retrieval', 'index'], message: 'must be an address such as postgres://user@host/database' }])
  }
  const { password, searchParams } = new URL(url)
  return [password, decodeURIComponent(password), searchParams.get('password') ?? '', url]
}
