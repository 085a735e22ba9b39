import { RetrieverUnavailable } from '../../retriever.ts'

/** A value for SQLite; a boolean would end the whole process in libsql 0.5. */
type Value = string | number | Uint8Array | null

/** Runs one statement and gives its rows. */
export type Query = (text: string, values?: readonly Value[]) => Promise<unknown[][]>

/** Marks a SQLite file as an index of ours: "StIx". */
const applicationId = 0x53744978
const version = 2

/** Whether a file is an index; throws RetrieverUnavailable for anything else. */
export async function hasIndex(query: Query, file: string): Promise<boolean> {
  const name = JSON.stringify(file)
  const [[id] = []] = await query('pragma application_id')
  if (id === applicationId) {
    const [[found = 0] = []] = (await query('pragma user_version')) as number[][]
    if (found === version) return true
    throw new RetrieverUnavailable(
      found < version
        ? `the index ${name} was made by an earlier version of Stickler; delete it and index again`
        : `the index ${name} was made by a newer version of Stickler; use that one, or index again into another file`,
    )
  }
  if (id === 0 && (await query('select 1 from sqlite_schema limit 1')).length === 0) return false
  throw new RetrieverUnavailable(`${name} is a database but not an index; name another file`)
}

/** Makes a file an index, within a transaction. */
export async function createIndex(query: Query): Promise<void> {
  await query('create table collections (name text primary key, embedding text, dimensions integer)')
  await query(`pragma application_id = ${applicationId}`)
  await query(`pragma user_version = ${version}`)
}

/** The tables of a collection, quoted: each collection has its own, so that they do not affect each other. */
export interface Tables {
  readonly documents: string
  readonly chunks: string
  readonly terms: string
  readonly vectors: string
}

/** The names of the tables of a collection. */
export function tablesOf(collection: string): Tables {
  const table = (kind: string): string => `"${kind}_${collection.replaceAll('"', '')}"`
  return { documents: table('documents'), chunks: table('chunks'), terms: table('terms'), vectors: table('vectors') }
}

/** Creates the tables of a collection. */
export async function createTables(query: Query, { documents, chunks, terms, vectors }: Tables): Promise<void> {
  await query(`create table ${documents} (path text primary key, fingerprint text not null)`)
  await query(
    `create table ${chunks} (id integer primary key, path text not null, urn text not null, headings text not null, text text not null)`,
  )
  await query(`create index ${chunks.replace('chunks', 'paths')} on ${chunks} (path)`)
  await query(`create virtual table ${terms} using fts5 (terms, tokenize = 'ascii')`)
  await query(`create table ${vectors} (id integer primary key, vector blob not null)`)
}
