import type { Chunk, IndexedDocument } from '../../index-engine.ts'
import { type CheckedDocuments, checkEmbedding } from '../checked-documents.ts'
import type { Query } from './database.ts'
import { codeOf, vectorBytes } from './scan-vectors.ts'
import { quoted } from './search-text.ts'
import { vectorText } from './search-vector.ts'
import { creation, type Tables, type VectorStorage } from './tables.ts'

interface Meta {
  readonly storage: VectorStorage
  readonly next_id: number
  readonly chunks: number
  readonly length: number
  readonly vectors: number
  readonly embedding: string | null
  readonly dimensions: number | null
}

interface Removed {
  readonly chunks: number
  readonly length: number
  readonly vectors: number
  readonly terms: Readonly<Record<string, number>> | null
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
  const kept = meta.vectors - removed.vectors
  const keptEmbedding =
    kept > 0 && meta.embedding !== null && meta.dimensions !== null ? { name: meta.embedding, dimensions: meta.dimensions } : undefined
  if (embedding !== undefined) checkEmbedding(embedding, keptEmbedding)
  await query(
    `insert into ${tables.documents} (path, fingerprint) select * from unnest($1::text[], $2::text[])
      on conflict (path) do update set fingerprint = excluded.fingerprint`,
    [paths, documents.map(({ fingerprint }) => fingerprint)],
  )
  const added = await addChunks(query, tables, meta, documents)
  const counts = new Map(Object.entries(removed.terms ?? {}).map(([term, count]) => [term, -count]))
  for (const [term, count] of added.terms) counts.set(term, (counts.get(term) ?? 0) + count)
  await changeTerms(query, tables, counts)
  await changeMeta(query, tables, removed, added, embedding ?? keptEmbedding)
}

/** Removes documents inside a transaction. */
export async function removeDocuments(query: Query, tables: Tables, paths: readonly string[]): Promise<void> {
  const meta = await lockMeta(query, tables)
  const removed = await removeChunks(query, tables, paths)
  await query(`delete from ${tables.documents} where path = any($1)`, [paths])
  await changeTerms(query, tables, new Map(Object.entries(removed.terms ?? {}).map(([term, count]) => [term, -count])))
  const { embedding: name, dimensions } = meta
  const isLeft = meta.vectors > removed.vectors && name !== null && dimensions !== null
  await changeMeta(query, tables, removed, { chunks: 0, length: 0, vectors: 0 }, isLeft ? { name, dimensions } : undefined)
}

async function lockMeta(query: Query, tables: Tables): Promise<Meta> {
  const [meta] = await query<Meta>(`select * from ${tables.meta} for update`)
  if (meta === undefined) throw new Error('the index has no metadata row')
  return meta
}

async function removeChunks(query: Query, { chunks, words, vectors }: Tables, paths: readonly string[]): Promise<Removed> {
  const [removed] = await query<Removed>(
    `with gone as (delete from ${chunks} where path = any($1) returning id),
      w as (delete from ${words} using gone where ${words}.id = gone.id returning length, words),
      v as (delete from ${vectors} using gone where ${vectors}.id = gone.id returning 1)
    select (select count(*) from gone) as chunks, (select coalesce(sum(length), 0)::bigint from w) as length, (select count(*) from v) as vectors,
      (select json_object_agg(lexeme, n) from (select lexeme, count(*) as n from w, unnest(w.words) group by lexeme) t) as terms`,
    [paths],
  )
  return removed ?? { chunks: 0, length: 0, vectors: 0, terms: null }
}

interface Added {
  readonly chunks: number
  readonly length: number
  readonly vectors: number
}

async function addChunks(
  query: Query,
  tables: Tables,
  { next_id, storage }: Meta,
  documents: readonly IndexedDocument[],
): Promise<Added & { readonly terms: ReadonlyMap<string, number> }> {
  const rows = documents
    .flatMap(({ path, chunks }) => chunks.map((chunk) => ({ path, chunk })))
    .map((row, at) => ({ id: next_id + at, ...row }))
  const terms = new Map<string, number>()
  const words = rows.map(({ chunk }) => wordsOf(chunk, terms))
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
  await (storage === 'vector' ? addToPgvector : addAsBytes)(query, tables, withVector)
  const length = rows.reduce((sum, { chunk }) => sum + chunk.terms.length, 0)
  return { chunks: rows.length, length, vectors: withVector.length, terms }
}

interface VectorRow {
  readonly id: number
  readonly urn: string
  readonly vector: Float32Array
}

async function addToPgvector(query: Query, { vectors }: Tables, rows: readonly VectorRow[]): Promise<void> {
  await query(
    `insert into ${vectors} (id, urn, vector) select i, u, v::vector from unnest($1::bigint[], $2::text[], $3::text[]) as t(i, u, v)`,
    [rows.map(({ id }) => id), rows.map(({ urn }) => urn), rows.map(({ vector }) => vectorText(vector))],
  )
}

async function addAsBytes(query: Query, { vectors }: Tables, rows: readonly VectorRow[]): Promise<void> {
  const dimensions = rows[0]?.vector.length ?? 0
  const codes = rows.map(({ vector }) => codeOf(vector))
  // One parameter for all: it is sent in binary, where a list of bytes would be written as text.
  await query(
    `insert into ${vectors} (id, urn, scale, error, code, vector)
      select i, u, s, e, substring($5::bytea from ((n - 1) * $7 + 1)::integer for $7::integer), substring($6::bytea from ((n - 1) * $8 + 1)::integer for $8::integer)
      from unnest($1::bigint[], $2::text[], $3::float8[], $4::float8[]) with ordinality as t(i, u, s, e, n)`,
    [
      rows.map(({ id }) => id),
      rows.map(({ urn }) => urn),
      codes.map(({ scale }) => scale),
      codes.map(({ error }) => error),
      Buffer.concat(codes.map(({ code }) => Buffer.from(code.buffer))),
      Buffer.concat(rows.map(({ vector }) => vectorBytes(vector))),
      dimensions,
      dimensions * 4,
    ],
  )
}

/**
 * Writes the terms of a chunk as a tsvector, with one position per occurrence, and counts them for
 * the collection.
 */
function wordsOf({ terms }: Chunk, inCollection: Map<string, number>): string {
  const counts = new Map<string, number>()
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  for (const term of counts.keys()) inCollection.set(term, (inCollection.get(term) ?? 0) + 1)
  return [...counts].map(([term, count]) => `${quoted(term)}:${positions(Math.min(count, mostCounted))}`).join(' ')
}

function positions(count: number): string {
  return Array.from({ length: count }, (_, place) => place + 1).join(',')
}

async function changeTerms(query: Query, { terms }: Tables, counts: ReadonlyMap<string, number>): Promise<void> {
  const changed = [...counts].filter(([, count]) => count !== 0)
  if (changed.length === 0) return
  await query(
    `insert into ${terms} as t (term, chunks) select * from unnest($1::text[], $2::integer[])
      on conflict (term) do update set chunks = t.chunks + excluded.chunks`,
    [changed.map(([term]) => term), changed.map(([, count]) => count)],
  )
  await query(`delete from ${terms} where chunks <= 0 and term = any($1)`, [changed.flatMap(([term, count]) => (count < 0 ? [term] : []))])
}

async function changeMeta(
  query: Query,
  { meta }: Tables,
  removed: Added,
  added: Added,
  embedding: { readonly name: string; readonly dimensions: number } | undefined,
): Promise<void> {
  await query(
    `update ${meta} set next_id = next_id + $1, chunks = chunks + $2, length = length + $3, vectors = vectors + $4, embedding = $5, dimensions = $6`,
    [
      added.chunks,
      added.chunks - removed.chunks,
      added.length - removed.length,
      added.vectors - removed.vectors,
      embedding?.name ?? null,
      embedding?.dimensions ?? null,
    ],
  )
}
