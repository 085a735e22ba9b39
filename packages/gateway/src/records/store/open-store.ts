import { systemClock, systemCode, waitAtMost } from '@stickler/core/internal'
import { sql } from 'kysely'
import { readStoreUrl } from '../store-url.ts'
import { createBudgetLedger, spentOn } from './budgets/budget-ledger.ts'
import type { Engine } from './engine/engine.ts'
import { openPostgres } from './engine/postgres.ts'
import { openSqlite } from './engine/sqlite.ts'
import { diskFiles } from './journal/disk-files.ts'
import type { JournalFiles } from './journal/journal-files.ts'
import { memoryFiles } from './journal/memory-files.ts'
import { createAnswerCache, createRunnerSessions } from './keyed-entries.ts'
import { createLabels } from './labels.ts'
import { purge } from './purge.ts'
import { createQueries, guarded, safely } from './queries.ts'
import { RecordKeeper } from './record-keeper.ts'
import { Rollups } from './rollups/rollups.ts'
import { migrate } from './schema/migrate.ts'
import type { Store, StoreHealth } from './store.ts'
import { AlertSwitch } from './store-alert.ts'
import { completeOptions, type StoreOptions } from './store-options.ts'

const healthTimeoutMs = 2000
const usualTimeoutMs = 10_000

/** Opens the store of a gateway: connects, migrates the schema, and takes over the journals of dead processes. */
export async function openStore(options: StoreOptions, parts: { readonly files?: JournalFiles } = {}): Promise<Store> {
  const complete = completeOptions(options)
  let kept = complete
  const address = readStoreUrl(complete.url)
  const inMemory = address.engine === 'sqlite' && address.memory
  const engine =
    address.engine === 'sqlite' ? await openSqlite(address.path, { ...complete, hasThread: true }) : openPostgres(address.url, complete)
  try {
    await safely(migrate(engine, complete.now), engine)
  } catch (error) {
    await engine.close()
    throw error
  }
  const keeper = new RecordKeeper(engine, parts.files ?? (inMemory ? memoryFiles() : diskFiles(complete.folder)), complete, () => kept)
  const rollups = new Rollups(engine, complete.now, new AlertSwitch('sums', complete.onAlert))
  return {
    ...createQueries(engine, { endsSession: complete.endsSession, now: complete.now, rollups }),
    recorder: keeper.recorder,
    cache: guarded(createAnswerCache(engine, { entries: () => kept.cacheEntries, now: complete.now }), engine),
    budgets: guarded(createBudgetLedger(engine), engine),
    sessions: guarded(createRunnerSessions(engine, { entries: complete.sessionEntries, now: complete.now }), engine),
    labels: guarded(createLabels(engine, complete.now), engine),
    spent: (day) => safely(spentOn(engine, day), engine),
    counters: keeper.counters,
    get waitingBytes() {
      return keeper.journal.waitingBytes
    },
    get failing() {
      return !keeper.journal.ok
    },
    health: () => healthOf(engine, keeper),
    flush: (timeoutMs = usualTimeoutMs) => keeper.flush(timeoutMs),
    purge: () => safely(purge(engine, { ...kept, now: complete.now }), engine),
    configure(next) {
      kept = completeOptions({ ...options, ...next })
      keeper.review()
    },
    async close(timeoutMs = usualTimeoutMs) {
      await rollups.close()
      await keeper.close(timeoutMs)
      await engine.close()
    },
  }
}

async function healthOf(engine: Engine, { journal, counters }: RecordKeeper): Promise<StoreHealth> {
  const database = await ping(engine)
  return { ok: database.ok && journal.ok, engine: engine.name, database, journal, counters: { ...counters } }
}

async function ping({ db }: Engine): Promise<StoreHealth['database']> {
  const answer = sql`select 1`.execute(db).then(
    () => ({ ok: true }),
    (error: unknown) => ({ ok: false, code: systemCode(error) ?? 'UNKNOWN' }),
  )
  return waitAtMost(answer, { clock: systemClock, timeoutMs: healthTimeoutMs }, () => ({ ok: false, code: 'TIMEOUT' }))
}
