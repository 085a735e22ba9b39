import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { type ColumnType, type Tables, tables } from '../rows/tables.ts'
import { StoreUnavailable } from '../store-unavailable.ts'

/** A documented view, which never changes. */
interface View {
  readonly name: string
  query(parts: Dialect): RawBuilder<unknown>
}

/** Expressions that differ between SQLite and PostgreSQL. */
interface Dialect {
  /** Converts milliseconds since 1970 to a time. */
  time(column: string): RawBuilder<unknown>
  /** The day of a time, in UTC. */
  day(column: string): RawBuilder<unknown>
  /** Converts 0 and 1 to a boolean. */
  truth(column: string): RawBuilder<unknown>
}

const dialects: Readonly<Record<Engine['name'], Dialect>> = {
  sqlite: {
    time: (column) => sql`strftime('%Y-%m-%dT%H:%M:%fZ', ${sql.ref(column)} / 1000.0, 'unixepoch')`,
    day: (column) => sql`date(${sql.ref(column)} / 1000, 'unixepoch')`,
    truth: (column) => sql`${sql.ref(column)}`,
  },
  postgres: {
    time: (column) => sql`to_timestamp(${sql.ref(column)} / 1000.0)`,
    day: (column) => sql`cast(to_timestamp(${sql.ref(column)} / 1000) at time zone 'UTC' as date)`,
    truth: (column) => sql`(${sql.ref(column)} = 1)`,
  },
}

/** All views, in the order of their creation. */
const views: readonly View[] = [
  {
    name: 'stickler_runs',
    query: ({ time, day, truth }) => sql`
      select id, ${time('at')} as started_at, ${day('at')} as day, at as at_ms, ms as duration_ms, first_text_ms, status, reason,
        contract, model, upstream, upstream_model, api, key_name as key, session, request_id, choice,
        ${truth('stream')} as streamed, ${truth('delivered')} as delivered, http_status, attempt_count as attempts,
        case when attempt_count > 1 then attempt_count - 1 else 0 end as retries, issue_count as issues, fixed_count as fixed, repair_count as repairs,
        prompt_tokens, completion_tokens, cost as cost_usd, failure_kind, failure_status, failure_message
      from runs`,
  },
  {
    name: 'stickler_failures',
    query: ({ time, day }) => sql`
      select issues.run_id, ${time('issues.at')} as started_at, ${day('issues.at')} as day, issues.at as at_ms, issues.validator, issues.code, issues.severity,
        issues.message, issues.kind as found_in, runs.status, runs.contract, runs.model, runs.upstream, runs.key_name as key
      from issues join runs on runs.id = issues.run_id and runs.at = issues.at
      where issues.leads = 1`,
  },
  {
    name: 'stickler_daily',
    query: ({ day }) => sql`
      select ${day('at')} as day, contract, model, key_name as key, status, count(*) as runs, sum(attempt_count) as attempts,
        sum(case when attempt_count > 1 then attempt_count - 1 else 0 end) as retries, sum(repair_count) as repairs,
        sum(prompt_tokens) as prompt_tokens, sum(completion_tokens) as completion_tokens, sum(cost) as cost_usd, avg(ms) as average_ms
      from runs group by 1, 2, 3, 4, 5`,
  },
]

/** Makes all views. */
async function createViews(db: Kysely<Tables>, engine: Engine['name']): Promise<void> {
  for (const { name, query } of views) await sql`create view ${sql.ref(name)} as ${query(dialects[engine])}`.execute(db)
}

interface Shape {
  /** Unique columns. */
  readonly key: string
  readonly indexes?: Readonly<Record<string, string>>
  /** Indexes of PostgreSQL also sort by id; SQLite sorts runs of the same millisecond when it reads them, so that writes are cheaper. */
  readonly postgres?: Readonly<Record<string, string>>
}

const shapes: Readonly<Record<Exclude<keyof Tables, 'stickler_migrations'>, Shape>> = {
  runs: {
    key: 'id',
    indexes: {
      newest: '(at, ms)',
      by_status: '(status, at)',
      by_contract: '(contract, at)',
      by_model: '(model, at)',
      by_upstream: '(upstream, at)',
      by_api: '(api, at)',
      by_label: '(label, at) where label is not null',
      by_session: '(session, at, id) where session is not null',
      with_session: '(at, id) where session is not null',
      // The index omits runs without a key.
      by_key: "(key_name, at) where key_name <> ''",
    },
    postgres: {
      newest: '(at, id, ms)',
      by_status: '(status, at, id)',
      by_contract: '(contract, at, id)',
      by_model: '(model, at, id)',
      by_upstream: '(upstream, at, id)',
      by_api: '(api, at, id)',
      by_label: '(label, at, id) where label is not null',
    },
  },
  issues: {
    key: 'run_id, position',
    indexes: {
      by_code: '(code, at, run_id) where leads = 1',
      by_validator: '(validator, at, run_id) where leads = 1',
      newest: '(at) where leads = 1',
    },
  },
  repairs: { key: 'run_id, position', indexes: { by_rule: '(rule, at, run_id)', by_class: '(class, at, run_id)' } },
  audit: { key: 'id', indexes: { by_time: '(at)' } },
  answer_cache: { key: 'key', indexes: { expiry: '(expires_at)', age: '(at, key)' } },
  key_budgets: { key: 'key_name, day' },
  reservations: { key: 'id', indexes: { key: '(key_name, lost, expires_at)' } },
  runner_sessions: { key: 'key', indexes: { age: '(at, key)' } },
  rollups: { key: 'width, at' },
  rollup_state: { key: 'name' },
}

/** Creates all tables and views. */
async function createSchema(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await complete(db, engine)
  await createViews(db, engine.name)
}

/** Creates every table, column and index that is missing; runs that are there have no values in new columns. */
async function complete(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const { rows } = await columnsOf(db, engine.name)
  for (const [name, shape] of Object.entries(shapes)) {
    const table = name as keyof typeof shapes
    const known = new Set(rows.flatMap((one) => (one.table === table ? [one.column] : [])))
    if (known.size === 0) await createTable(db, engine, table, shape)
    for (const [column, type] of Object.entries<ColumnType>(known.size === 0 ? {} : tables[table]))
      if (!known.has(column))
        await sql`alter table ${sql.ref(table)} add column ${sql.ref(column)} ${engine.types[type.replace('?', '') as 'text']}`.execute(db)
    await createIndexes(db, engine.name, table, shape)
  }
  await createWords(db, engine.name)
  await sql`insert into rollup_state (name, seq) values ('runs', 0) on conflict do nothing`.execute(db)
}

async function createTable(db: Kysely<Tables>, { name, types }: Engine, table: keyof typeof shapes, shape: Shape): Promise<void> {
  const columns = Object.entries<ColumnType>(tables[table]).map(([column, type]) => {
    const required = sql.raw(type === 'sequence' || type.endsWith('?') ? '' : 'not null')
    return sql`${sql.ref(column)} ${types[type.replace('?', '') as keyof Engine['types']]} ${required}`
  })
  const unique = sql`unique (${sql.raw(shape.key)})`
  const parent = name === 'sqlite' && 'run_id' in tables[table] ? [sql`foreign key (run_id) references runs (id) on delete cascade`] : []
  await sql`create table ${sql.ref(table)} (${sql.join([...columns, unique, ...parent])})`.execute(db)
}

async function createIndexes(db: Kysely<Tables>, engine: Engine['name'], table: string, { indexes, postgres }: Shape): Promise<void> {
  for (const [index, on] of Object.entries({ ...indexes, ...(engine === 'postgres' && postgres) })) {
    await sql`create index if not exists ${sql.ref(`${table}_${index}`)} on ${sql.ref(table)} ${sql.raw(on)}`.execute(db)
  }
}

function columnsOf(db: Kysely<Tables>, engine: Engine['name']): Promise<{ readonly rows: readonly Placed[] }> {
  if (engine === 'postgres')
    return sql<Placed>`select table_name as "table", column_name as "column" from information_schema.columns
      where table_schema = current_schema()`.execute(db)
  return sql<Placed>`select found.name as "table", part.name as "column" from sqlite_master as found, pragma_table_info(found.name) as part
    where found.type = 'table'`.execute(db)
}

interface Placed {
  readonly table: string
  readonly column: string
}

/** The words of kept texts, by the `seq` of their run. */
async function createWords(db: Kysely<Tables>, engine: Engine['name']): Promise<void> {
  if (engine === 'sqlite') {
    // The texts themselves are in runs only.
    await sql`create virtual table if not exists run_words using fts5(words, content='', contentless_delete=1)`.execute(db)
    return
  }
  await sql`create table if not exists run_words (seq bigint primary key, at bigint not null, words text[] not null)`.execute(db)
  await sql`create index if not exists run_words_words on run_words using gin (words)`.execute(db)
  await sql`create index if not exists run_words_at on run_words (at)`.execute(db)
}

/** Lets the sums and the words of all runs be made again, because they have another form now. */
async function indexAgain(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await sql`drop table run_words`.execute(db)
  await createWords(db, engine.name)
  await sql`delete from rollups`.execute(db)
  await sql`update rollup_state set seq = 0`.execute(db)
}

/** Labels had a table of their own. */
async function moveLabels(db: Kysely<Tables>, engine: Engine): Promise<void> {
  await complete(db, engine)
  const { rows } = await columnsOf(db, engine.name)
  if (!rows.some(({ table }) => table === 'labels')) return
  await sql`update runs set (label, note, labelled_at, labelled_by) =
    (select label, note, labelled_at, labelled_by from labels where run_id = runs.id) where id in (select run_id from labels)`.execute(db)
  await sql`drop table labels`.execute(db)
}

/** The migrations, in order; a released one never changes. */
const migrations: Readonly<Record<string, (db: Kysely<Tables>, engine: Engine) => Promise<void>>> = {
  '0001-schema': createSchema,
  '0002-dashboard': complete,
  '0003-words-by-key': indexAgain,
  '0004-context': complete,
  '0005-sums': indexAgain,
  '0006-labels': moveLabels,
}

/** Migrates the schema in one transaction; several gateways that start together take turns. */
export async function migrate(engine: Engine, now: () => number): Promise<void> {
  const { text, integer } = engine.types
  await engine.migrate(async (db) => {
    await sql`create table if not exists stickler_migrations (name ${text} not null primary key, at ${integer} not null)`.execute(db)
    const made = await readMigrations(db)
    for (const [name, up] of Object.entries(migrations)) {
      if (made.has(name)) continue
      await up(db, engine)
      await db.insertInto('stickler_migrations').values({ name, at: now() }).execute()
    }
  })
}

/** Whether all migrations have been made. */
export function isCurrent(made: ReadonlySet<string>): boolean {
  return Object.keys(migrations).every((name) => made.has(name))
}

/** The migrations of a database; throws if a version that this one cannot continue from created it. */
export async function readMigrations(db: Kysely<Tables>): Promise<ReadonlySet<string>> {
  const made = new Set((await db.selectFrom('stickler_migrations').select('name').execute()).map(({ name }) => name))
  if (made.has('0001-runs')) {
    const todo = 'move it away, or name another one in store.url; to keep its runs, export them with that version first'
    const found = 'the database was made by an earlier development version of Stickler (schema 0001-runs)'
    throw new StoreUnavailable('version', `${found}: ${todo}: stickler runs --limit 100000 --json > runs.json`)
  }
  if ([...made].some((name) => migrations[name] === undefined))
    throw new StoreUnavailable('version', 'the database was made by a newer version of Stickler; start that one')
  return made
}
