import { resolve } from 'node:path'
import { parseJson } from '@stickler/core/internal'
import type { Hit, IndexEngine, IndexedDocument } from '../../index-engine.ts'
import { type CheckedDocuments, checkEmbedding, checkedDocuments, checkedQuery, type Embedding } from '../checked-documents.ts'
import { folderPath, queryTerms, storedText } from '../stored-text.ts'
import { Connection, decoded, inMemory } from './connection.ts'
import { DamagedFile } from './failures.ts'
import { createTables, type Query, type Tables, tablesOf } from './schema.ts'

/**
 * An index in a SQLite file, created by the first write. Text, vectors and writing have a connection
 * each, so that none blocks another.
 */
export function sqliteEngine(file: string, { collection }: { readonly collection: string }): IndexEngine {
  const path = resolve(file)
  return engineOver({ text: new Connection(path), vectors: new Connection(path), writing: new Connection(path) }, storedText(collection))
}

/** An index in memory, for small collections: its content is gone once it is closed. */
export function memoryEngine(): IndexEngine {
  const only = new Connection(inMemory)
  return engineOver({ text: only, vectors: only, writing: only }, 'default')
}

type Connections = Readonly<Record<'text' | 'vectors' | 'writing', Connection>>

function engineOver({ text, vectors, writing }: Connections, collection: string): IndexEngine {
  const tables = tablesOf(collection)
  const { documents, chunks } = tables
  /** A collection that was never written is empty. */
  const read = <Result>(connection: Connection, nothing: Result, work: (query: Query) => Promise<Result>, signal?: AbortSignal) =>
    connection.read(nothing, async (query) => ((await hasCollection(query, collection)) ? work(query) : nothing), signal)

  return {
    searchesAtOnce: 1,
    async searchText(terms, limit, signal) {
      const asked = queryTerms(terms)
      if (asked.length === 0 || limit <= 0) return []
      return read(text, [], (query) => searchText(query, tables, asked, limit), signal)
    },
    async searchVector(vector, name, limit, signal) {
      const search = async (query: Query): Promise<readonly Hit[]> => {
        const asked = checkedQuery(vector, name, await embeddingOf(query, collection))
        return asked === undefined || limit <= 0 ? [] : searchVector(query, tables, asked, limit)
      }
      return read(vectors, [], search, signal)
    },
    async fingerprints(below, signal) {
      const folder = folderPath(below)
      // Everything that starts with the folder and a slash lies between these two, and an index finds it.
      const where = folder === '' ? '' : 'where path = ? or (path > ? and path < ?)'
      const values = folder === '' ? [] : [folder, `${folder}/`, `${folder}0`]
      const search = async (query: Query) => {
        const rows = await query(`select cast(path as blob), cast(fingerprint as blob) from ${documents} ${where}`, values)
        return new Map(rows.map(([path, fingerprint]) => [decoded(path), decoded(fingerprint)]))
      }
      return read(text, new Map<string, string>(), search, signal)
    },
    async replace(given, name, signal) {
      const checked = checkedDocuments(given, name)
      await writing.write(async (query, left) => {
        if (!(await hasCollection(query, collection))) {
          await query('insert into collections (name) values (?)', [collection])
          await createTables(query, tables)
        }
        await replaceDocuments(query, tables, collection, checked, left)
      }, signal)
    },
    async remove(paths, signal) {
      signal?.throwIfAborted()
      if ((await read(text, undefined, async () => true, signal)) === undefined) return
      await writing.write(async (query, left) => {
        for (const path of paths) await removeDocument(query, tables, storedText(path), left)
        if (!(await hasVectors(query, tables))) await keepEmbedding(query, collection, undefined)
      }, signal)
    },
    facts: (signal) =>
      read(
        text,
        { documents: 0, chunks: 0 },
        async (query) => {
          const embedding = await embeddingOf(query, collection)
          return { documents: await count(query, documents), chunks: await count(query, chunks), ...(embedding && { embedding }) }
        },
        signal,
      ),
    async close() {
      await Promise.all([text.close(), vectors.close()])
      // The writer closes last, so that it can tidy up the file that nobody else uses.
      await writing.close()
    },
  }
}

/** What is selected of a passage, text as bytes. */
const columns = 'cast(urn as blob), cast(text as blob), cast(headings as blob)'

/** The best passages by BM25. */
async function searchText(query: Query, { terms, chunks }: Tables, asked: readonly string[], limit: number): Promise<readonly Hit[]> {
  // In quotes a term is always a term, whatever it contains.
  const match = asked.map((term) => `"${term.replaceAll('"', '""')}"`).join(' OR ')
  const best = `select rowid as id, -rank as score from ${terms} where ${terms} match ? order by rank limit ?`
  return hitsOf(await query(`select ${columns}, score from (${best}) join ${chunks} using (id) order by score desc, urn`, [match, limit]))
}

/** The closest passages by cosine: compares with every vector. */
async function searchVector(query: Query, { vectors, chunks }: Tables, vector: Float32Array, limit: number): Promise<readonly Hit[]> {
  const best = `select id, 1 - vector_distance_cos(vector, ?) as score from ${vectors} order by score desc limit ?`
  const rows = await query(`select ${columns}, score from (${best}) join ${chunks} using (id) order by score desc, urn`, [
    bytesOf(vector),
    limit,
  ])
  return hitsOf(rows)
}

function hitsOf(rows: readonly unknown[][]): readonly Hit[] {
  return rows.map(([urn, text, headings, score]) => {
    if (typeof score !== 'number' || !Number.isFinite(score)) throw new DamagedFile('a passage cannot be compared')
    return { urn: decoded(urn), text: decoded(text), headings: headingsOf(decoded(headings)), score }
  })
}

function headingsOf(stored: string): string[] {
  const headings = parseJson(stored)
  if (Array.isArray(headings) && headings.every((heading) => typeof heading === 'string')) return headings
  throw new DamagedFile('the headings of a passage cannot be read')
}

async function replaceDocuments(
  query: Query,
  tables: Tables,
  collection: string,
  { documents, embedding }: CheckedDocuments,
  left: AbortSignal,
): Promise<void> {
  for (const { path } of documents) await removeDocument(query, tables, path, left)
  const kept = (await hasVectors(query, tables)) ? await embeddingOf(query, collection) : undefined
  if (embedding !== undefined) checkEmbedding(embedding, kept)
  for (const document of documents) await addDocument(query, tables, document, left)
  await keepEmbedding(query, collection, embedding ?? kept)
}

async function removeDocument(query: Query, { documents, chunks, terms, vectors }: Tables, path: string, left: AbortSignal): Promise<void> {
  left.throwIfAborted()
  if ((await query(`delete from ${documents} where path = ? returning 1`, [path])).length === 0) return
  const own = `(select id from ${chunks} where path = ?)`
  await query(`delete from ${terms} where rowid in ${own}`, [path])
  await query(`delete from ${vectors} where id in ${own}`, [path])
  await query(`delete from ${chunks} where path = ?`, [path])
}

async function addDocument(query: Query, tables: Tables, { path, fingerprint, chunks }: IndexedDocument, left: AbortSignal): Promise<void> {
  await query(`insert into ${tables.documents} (path, fingerprint) values (?, ?)`, [path, fingerprint])
  for (const { urn, text, headings, terms, vector } of chunks) {
    left.throwIfAborted()
    const insert = `insert into ${tables.chunks} (path, urn, headings, text) values (?, ?, ?, ?) returning id`
    const [[id] = []] = (await query(insert, [path, urn, JSON.stringify(headings), text])) as number[][]
    await query(`insert into ${tables.terms} (rowid, terms) values (?, ?)`, [id ?? 0, terms.join(' ')])
    if (vector !== undefined) await query(`insert into ${tables.vectors} (id, vector) values (?, ?)`, [id ?? 0, bytesOf(vector)])
  }
}

async function hasCollection(query: Query, name: string): Promise<boolean> {
  return (await query('select 1 from collections where name = ?', [name])).length > 0
}

async function embeddingOf(query: Query, collection: string): Promise<Embedding | undefined> {
  const [[name = null, dimensions = null] = []] = await query(
    'select cast(embedding as blob), cast(dimensions as integer) from collections where name = ?',
    [collection],
  )
  return name === null || dimensions === null ? undefined : { name: decoded(name), dimensions: dimensions as number }
}

async function keepEmbedding(query: Query, collection: string, embedding: Embedding | undefined): Promise<void> {
  const values = [embedding?.name ?? null, embedding?.dimensions ?? null, collection]
  await query('update collections set embedding = ?, dimensions = ? where name = ?', values)
}

async function hasVectors(query: Query, { vectors }: Tables): Promise<boolean> {
  return (await query(`select 1 from ${vectors} limit 1`)).length > 0
}

async function count(query: Query, table: string): Promise<number> {
  const [[found] = []] = (await query(`select count(*) from ${table}`)) as number[][]
  return found ?? 0
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
