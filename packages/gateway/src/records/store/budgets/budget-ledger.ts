import { type Kysely, type Selectable, sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import type { Tables } from '../rows/tables.ts'
import { name } from '../rows/values.ts'

type Task<Result> = (db: Kysely<Tables>) => Promise<Result>

interface Waiting {
  run(db: Kysely<Tables>): Promise<() => void>
  fail(error: unknown): void
}

/** How often a transaction is repeated after a conflict with another. */
const mostRetries = 5

/** Runs small tasks in order; if the engine allows it, tasks that arrive while others run share a transaction. */
class SharedTransactions {
  readonly #engine: Engine
  #waiting: Waiting[] = []
  #running = 0

  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Runs a task, again from its start if its transaction was rolled back; resolves when its transaction is committed. */
  run<Result>(task: Task<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        async run(db) {
          const result = await task(db)
          return () => resolve(result)
        },
        fail: reject,
      })
      if (this.#running < this.#engine.taskTransactions.atOnce) void this.#runAll()
    })
  }

  async #runAll(): Promise<void> {
    this.#running++
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#engine.taskTransactions.tasks)
      try {
        for (const tell of await this.#together(batch)) tell()
      } catch (error) {
        for (const one of batch) one.fail(error)
      }
    }
    this.#running--
  }

  async #together(batch: readonly Waiting[]): Promise<(() => void)[]> {
    for (let left = mostRetries; ; left--) {
      try {
        return await this.#engine.transaction(async (db) => {
          const results: (() => void)[] = []
          for (const one of batch) results.push(await one.run(db))
          return results
        })
      } catch (error) {
        if (left === 0 || !this.#engine.isConflict(error)) throw error
      }
    }
  }
}

/** Tokens and money; money in billionths of a dollar, so that both are integers. */
export interface Amount {
  readonly tokens: number
  readonly nanoUsd: number
}

/** The daily budget of a key; absent for no limit. */
export type AmountLimits = { readonly [Part in keyof Amount]?: number }

/** The reservation of one request. */
export interface Hold {
  readonly id: string
  readonly key: string
  /** Days since 1970 (UTC). */
  readonly day: number
  /** The most that the request can cost. */
  readonly most: Amount
  /** The maximum cost of the calls that have started: it is counted if the request is never settled. */
  readonly atRisk: Amount
  /** Milliseconds since 1970. */
  readonly madeAt: number
  /** When the reservation expires. */
  readonly expiresAt: number
}

/** Usage of a key on one day. */
export interface DayState {
  readonly spent: Amount
  /** What is reserved for running requests. */
  readonly held: Amount
}

/** The spending of keys, shared by all gateways on one database: reserved before a request, settled after it. */
export interface BudgetLedger {
  /** Reserves an amount if it fits; otherwise returns the usage of the day. */
  hold(hold: Hold, limits: AmountLimits): Promise<DayState | undefined>
  /** Replaces a reservation by the actual usage; does nothing a second time, or for an unknown reservation. */
  settle(id: string, used: Amount): Promise<void>
  /** Raises the amount that is counted if the request is never settled. */
  risk(id: string, atRisk: Amount): Promise<void>
  /** Releases the expired reservations of gateways that ended without settling, and counts the amounts at risk; returns whether there were any. */
  reclaim(key: string, now: number): Promise<boolean>
}

/** Reads the usage of every key on a day (UTC, since 1970). */
export async function spentOn({ db }: Engine, day: number): Promise<ReadonlyMap<string, DayState>> {
  const rows = await db.selectFrom('key_budgets').selectAll().where('day', '=', day).execute()
  return new Map(rows.map((row) => [row.key_name, stateOf(row)]))
}

function stateOf(row: Selectable<Tables['key_budgets']> | undefined): DayState {
  return {
    spent: { tokens: row?.tokens ?? 0, nanoUsd: row?.nano_usd ?? 0 },
    held: { tokens: row?.held_tokens ?? 0, nanoUsd: row?.held_nano_usd ?? 0 },
  }
}

/** Clocks of several gateways differ a little; a later time is from before a jump of the clock. */
const skewMs = 60_000

/** Keeps the ledger in the database. */
export function createBudgetLedger(engine: Engine): BudgetLedger {
  const transactions = new SharedTransactions(engine)
  return {
    hold: (hold, limits) => transactions.run((db) => holdIn(db, { ...hold, key: name(hold.key) }, limits)),
    settle: (id, used) => transactions.run((db) => settleIn(db, id, used)),
    risk: (id, atRisk) => transactions.run((db) => riskIn(db, id, atRisk)),
    reclaim: (key, now) => transactions.run((db) => reclaimIn(db, name(key), now)),
  }
}

async function holdIn(db: Kysely<Tables>, hold: Hold, limits: AmountLimits): Promise<DayState | undefined> {
  const { id, key, day, most, atRisk, madeAt, expiresAt } = hold
  if (!(await addHeld(db, hold, limits))) {
    await sql`insert into key_budgets (key_name, day, tokens, nano_usd, held_tokens, held_nano_usd)
      values (${key}, ${day}, 0, 0, 0, 0) on conflict (key_name, day) do nothing`.execute(db)
    const state = await lockedDay(db, key, day)
    // Another gateway may have settled it in between.
    if (!(await addHeld(db, hold, limits))) return state
  }
  await sql`insert into reservations (id, key_name, day, tokens, nano_usd, risk_tokens, risk_nano_usd, made_at, expires_at, lost)
    values (${id}, ${key}, ${day}, ${most.tokens}, ${most.nanoUsd}, ${atRisk.tokens}, ${atRisk.nanoUsd}, ${madeAt}, ${expiresAt}, 0)`.execute(
    db,
  )
  return undefined
}

/** Compares and reserves in one statement: concurrent statements wait for the row, and then see the reservation. */
async function addHeld(db: Kysely<Tables>, { key, day, most }: Hold, limits: AmountLimits): Promise<boolean> {
  const { tokens = Number.MAX_SAFE_INTEGER, nanoUsd = Number.MAX_SAFE_INTEGER } = limits
  const { rows } = await sql`update key_budgets
    set held_tokens = held_tokens + ${most.tokens}, held_nano_usd = held_nano_usd + ${most.nanoUsd}
    where key_name = ${key} and day = ${day}
      and tokens + held_tokens <= ${tokens - most.tokens} and nano_usd + held_nano_usd <= ${nanoUsd - most.nanoUsd}
    returning day`.execute(db)
  return rows.length > 0
}

/** Reads the usage of a day and locks it until the transaction ends. */
async function lockedDay(db: Kysely<Tables>, key: string, day: number): Promise<DayState> {
  const own = db.updateTable('key_budgets').set({ day }).where('key_name', '=', key).where('day', '=', day)
  return stateOf(await own.returningAll().executeTakeFirst())
}

async function settleIn(db: Kysely<Tables>, id: string, used: Amount): Promise<void> {
  const held = await db.deleteFrom('reservations').where('id', '=', id).returningAll().executeTakeFirst()
  if (held === undefined) return
  // An expired reservation has already been counted with its amount at risk.
  const isLost = held.lost === 1
  await addSpent(db, held.key_name, held.day, {
    held: isLost ? none : { tokens: held.tokens, nanoUsd: held.nano_usd },
    spent: isLost ? { tokens: used.tokens - held.risk_tokens, nanoUsd: used.nanoUsd - held.risk_nano_usd } : used,
  })
}

async function riskIn(db: Kysely<Tables>, id: string, { tokens, nanoUsd }: Amount): Promise<void> {
  await db
    .updateTable('reservations')
    .set({ risk_tokens: tokens, risk_nano_usd: nanoUsd })
    .where('id', '=', id)
    .where('lost', '=', 0)
    // Two concurrent updates may arrive in either order.
    .where('risk_tokens', '<=', tokens)
    .execute()
}

async function reclaimIn(db: Kysely<Tables>, key: string, now: number): Promise<boolean> {
  const lost = await db
    .updateTable('reservations')
    .set({ lost: 1 })
    .where('key_name', '=', key)
    .where('lost', '=', 0)
    // A reservation from the future was made before the clock went back; its expiry is unknown.
    .where((where) => where.or([where('expires_at', '<=', now), where('made_at', '>', now + skewMs)]))
    .returningAll()
    .execute()
  for (const { day, tokens, nano_usd, risk_tokens, risk_nano_usd } of lost)
    await addSpent(db, key, day, { held: { tokens, nanoUsd: nano_usd }, spent: { tokens: risk_tokens, nanoUsd: risk_nano_usd } })
  return lost.length > 0
}

const none: Amount = { tokens: 0, nanoUsd: 0 }

async function addSpent(db: Kysely<Tables>, key: string, day: number, { held, spent }: DayState): Promise<void> {
  await sql`update key_budgets
    set held_tokens = held_tokens - ${held.tokens}, held_nano_usd = held_nano_usd - ${held.nanoUsd},
      tokens = tokens + ${spent.tokens}, nano_usd = nano_usd + ${spent.nanoUsd}
    where key_name = ${key} and day = ${day}`.execute(db)
}
