import { createHash } from 'node:crypto'

/** The tables of one collection, quoted. */
export interface Tables {
  /** Single values: counts, the next id, the embedder. Writers lock its only row. */
  readonly meta: string
  readonly documents: string
  readonly chunks: string
  /** What full-text search reads: narrow, so that ranking many passages stays fast. */
  readonly words: string
  /** What vector search reads. */
  readonly vectors: string
}

/** Part of every name: another layout has other tables, so that programs of two versions can share a database. */
const layout = 2

/** The names of the tables of a collection. */
export function tablesOf(collection: string): Tables {
  const isPlain = /^[a-z0-9_]{1,32}$/.test(collection)
  const name = isPlain ? collection : `x${createHash('sha256').update(collection).digest('hex').slice(0, 24)}`
  const table = (kind: string): string => `"stickler_index${layout}_${name}_${kind}"`
  return {
    meta: table('meta'),
    documents: table('documents'),
    chunks: table('chunks'),
    words: table('words'),
    vectors: table('vectors'),
  }
}

/** How vectors are stored: by the extension pgvector, or as bytes that are compared here. */
export type VectorStorage = 'vector' | 'bytea'

/** The statements that create the tables of a collection. */
export function creation({ meta, documents, chunks, words, vectors }: Tables, storage: VectorStorage): string[] {
  // Rows stay in their page: what ranking reads must not be fetched from elsewhere for each row.
  const inline = 'with (toast_tuple_target = 8160)'
  return [
    `create table ${documents} (path text collate "C" primary key, fingerprint text not null)`,
    `create table ${chunks} (id bigint primary key, path text collate "C" not null, urn text not null, text text not null, headings text not null)`,
    `create index on ${chunks} (path)`,
    `create table ${words} (id bigint primary key, urn text collate "C" not null, length integer not null, words tsvector not null) ${inline}`,
    `alter table ${words} alter column words set storage external`,
    `create index on ${words} using gin (words)`,
    `create table ${vectors} (id bigint primary key, urn text collate "C" not null, vector ${storage} not null) ${inline}`,
    `alter table ${vectors} alter column vector set storage external`,
    // Created last: a program that sees it sees the others.
    `create table ${meta} (only_row boolean primary key default true check (only_row), storage text not null, next_id bigint not null default 1,
      chunks bigint not null default 0, length bigint not null default 0, embedding text, dimensions integer)`,
    `insert into ${meta} (storage) values ('${storage}')`,
  ]
}
