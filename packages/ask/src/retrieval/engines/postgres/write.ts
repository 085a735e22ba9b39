import type { Chunk, IndexedDocument } from '../../index-engine.ts'
import { type CheckedDocuments, checkEmbedding, type Embedding } from '../checked-documents.ts'
import type { Query } from './database.ts'
import { quoted } from './search-text.ts'
import { embeddingOf, type VectorFacts, vectorBytes, vectorText } from './search-vector.ts'
import { creation, type Tables, type VectorStorage } from './tables.ts'

interface Meta extends VectorFacts {
  readonly next_id: number
}

/** Passages, and the number of their terms, that a write adds or removes. */
interface Change {
  readonly chunks: number
  readonly length: number
}

/** PostgreSQL counts a term in a passage up to here. */
const mostCounted = 255

/** Creates the tables if needed; several programs may try at once. */
export async function ensureTables(query: Query, tables: Tables): Promise<void> {
  // The name of the lock is arbitrary, but the same for all.
  await query("select pg_advisory_xact_lock(hashtext('stickler_index'))")
  const [there] = await query<{ there: boolean }>('select to_regclass($1) is not null as there', [tables.meta])
  if (there?.there) return
  for (const statement of creation(tables, await vectorStorage(query))) await query(statement)
}

/** Creating the extension may need privileges that we do not have. */
async function vectorStorage(query: Query): Promise<VectorStorage> {
  const [available] = await query<{ there: boolean }>(`select exists (select from pg_available_extensions where name = 'vector') as there`)
  if (!available?.there) return 'bytea'
  await query('savepoint extension')
  await query('create extension if not exists vector').catch(() => query('rollback to savepoint extension'))
  const [type] = await query<{ there: boolean }>(`select to_regtype('vector') is not null as there`)
  return type?.there ? 'vector' : 'bytea'
}

/** Replaces documents inside a transaction; other writers wait. */
export async function replaceDocuments(query: Query, tables: Tables, { documents, embedding }: CheckedDocuments): Promise<void> {
  const meta = await lockMeta(query, tables)
  const paths = documents.map(({ path }) => path)
  const removed = await removeChunks(query, tables, paths)
  const kept = (await hasVectors(query, tables)) ? embeddingOf(meta) : undefined
  if (embedding !== undefined) checkEmbedding(embedding, kept)
  await query(
    `insert into ${tables.documents} (path, fingerprint) select * from unnest($1::text[], $2::text[])
      on conflict (path) do update set fingerprint = excluded.fingerprint`,
    [paths, documents.map(({ fingerprint }) => fingerprint)],
  )
  const added = await addChunks(query, tables, meta, documents)
  await changeMeta(query, tables, removed, added, embedding ?? kept)
}

/** Removes documents inside a transaction. */
export async function removeDocuments(query: Query, tables: Tables, paths: readonly string[]): Promise<void> {
  const meta = await lockMeta(query, tables)
  const removed = await removeChunks(query, tables, paths)
  await query(`delete from ${tables.documents} where path = any($1)`, [paths])
  await changeMeta(query, tables, removed, { chunks: 0, length: 0 }, (await hasVectors(query, tables)) ? embeddingOf(meta) : undefined)
}

async function hasVectors(query: Query, { vectors }: Tables): Promise<boolean> {
  return (await query(`select 1 from ${vectors} limit 1`)).length > 0
}

async function lockMeta(query: Query, tables: Tables): Promise<Meta> {
  const [meta] = await query<Meta>(`select * from ${tables.meta} for update`)
  if (meta === undefined) throw new Error('the index has no metadata row')
  return meta
}

async function removeChunks(query: Query, { chunks, words, vectors }: Tables, paths: readonly string[]): Promise<Change> {
  const [removed] = await query<Change>(
    `with gone as (delete from ${chunks} where path = any($1) returning id),
      w as (delete from ${words} using gone where ${words}.id = gone.id returning length),
      v as (delete from ${vectors} using gone where ${vectors}.id = gone.id)
    select (select count(*) from gone) as chunks, (select coalesce(sum(length), 0)::bigint from w) as length`,
    [paths],
  )
  return removed ?? { chunks: 0, length: 0 }
}

async function addChunks(query: Query, tables: Tables, { next_id, storage }: Meta, documents: readonly IndexedDocument[]): Promise<Change> {
  const rows = documents
    .flatMap(({ path, chunks }) => chunks.map((chunk) => ({ path, chunk })))
    .map((row, at) => ({ id: next_id + at, ...row }))
  const words = rows.map(({ chunk }) => wordsOf(chunk))
  const ids = rows.map(({ id }) => id)
  const urns = rows.map(({ chunk }) => chunk.urn)
  await query(
    `insert into ${tables.chunks} (id, path, urn, text, headings) select * from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])`,
    [ids, rows.map(({ path }) => path), urns, rows.map(({ chunk }) => chunk.text), rows.map(({ chunk }) => JSON.stringify(chunk.headings))],
  )
  await query(
    `insert into ${tables.words} (id, urn, length, words) select i, u, l, w::tsvector from unnest($1::bigint[], $2::text[], $3::integer[], $4::text[]) as t(i, u, l, w)`,
    [ids, urns, rows.map(({ chunk }) => chunk.terms.length), words],
  )
  const withVector = rows.flatMap(({ id, chunk: { urn, vector } }) => (vector === undefined ? [] : [{ id, urn, vector }]))
  await query(
    `insert into ${tables.vectors} (id, urn, vector) select i, u, v::${storage} from unnest($1::bigint[], $2::text[], $3::${storage === 'vector' ? 'text' : 'bytea'}[]) as t(i, u, v)`,
    [
      withVector.map(({ id }) => id),
      withVector.map(({ urn }) => urn),
      withVector.map(({ vector }) => (storage === 'vector' ? vectorText(vector) : vectorBytes(vector))),
    ],
  )
  return { chunks: rows.length, length: rows.reduce((sum, { chunk }) => sum + chunk.terms.length, 0) }
}

/** Writes the terms of a chunk as a tsvector, with one position per occurrence. */
function wordsOf({ terms }: Chunk): string {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  return [...counts].map(([term, count]) => `${quoted(term)}:${positions(Math.min(count, mostCounted))}`).join(' ')
}

function positions(count: number): string {
  return Array.from({ length: count }, (_, place) => place + 1).join(',')
}

async function changeMeta(query: Query, { meta }: Tables, removed: Change, added: Change, embedding: Embedding | undefined): Promise<void> {
  await query(`update ${meta} set next_id = next_id + $1, chunks = chunks + $2, length = length + $3, embedding = $4, dimensions = $5`, [
    added.chunks,
    added.chunks - removed.chunks,
    added.length - removed.length,
    embedding?.name ?? null,
    embedding?.dimensions ?? null,
  ])
}
