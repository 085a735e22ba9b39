import { ConfigurationError } from '@stickler/core'
import { because, clamp, redactor } from '@stickler/core/internal'
import { isServerError, openPostgresPool } from '@stickler/node/internal'
import { lazyService } from '@stickler/node/internal/services'
import { RetrieverUnavailable } from '../../retriever.ts'
import { unlessAborted } from '../unless-aborted.ts'

/** How PostgreSQL is reached. */
interface DatabaseSettings {
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
interface Database {
  /** Read-only statements, each on its own; retried when the connection turns out to be lost. */
  read<Result>(work: (query: Query) => Promise<Result>, signal?: AbortSignal): Promise<Result>
  /** One transaction: all or nothing. */
  write<Result>(work: (query: Query) => Promise<Result>, signal?: AbortSignal): Promise<Result>
  close(): Promise<void>
}

/** Writing many passages takes longer than any search. */
const writingTimes = 12
const longestReason = 200

/** Opens a bounded pool; it connects on first use. */
export function openDatabase({ url, poolSize, timeoutMs }: DatabaseSettings): Database {
  const redact = redactor(secretsOf(url))
  const pool = lazyService({
    open: () => openPostgresPool({ url, poolSize, timeoutMs, transactionMs: timeoutMs * writingTimes }),
    close: (opened) => opened.end(),
    closed: () => new RetrieverUnavailable('the index is closed'),
  })

  async function use<Result>(work: (query: Query) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted()
    const connection = await (await pool.open()).connect()
    try {
      return await work(async <Row>(text: string, values: readonly unknown[] = []) => {
        signal?.throwIfAborted()
        return (await unlessAborted(connection.query(text, values), signal)).rows as Row[]
      })
    } finally {
      // Nobody waits for the rest of aborted work: its connection is closed, and the server rolls back.
      connection.release(signal?.aborted)
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

function secretsOf(url: string): string[] {
  if (!URL.canParse(url) || !/^postgres(?:ql)?:$/.test(new URL(url).protocol)) {
    throw new ConfigurationError([{ path: ['retrieval', 'index'], message: 'must be an address such as postgres://user@host/database' }])
  }
  const { password, searchParams } = new URL(url)
  return [password, decodeURIComponent(password), searchParams.get('password') ?? '', url]
}
