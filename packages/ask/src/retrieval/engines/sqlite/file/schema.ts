import type { Connection } from './connection.ts'
import { UnusableFile } from './unusable-file.ts'

/** Marks a SQLite file as an index of ours: "StIx". */
const applicationId = 0x53744978
const version = 1

/** Whether a file is an index; throws UnusableFile for anything else. */
export function hasIndex(connection: Connection, file: string): boolean {
  const id = connection.pragma('application_id')
  if (id === applicationId) {
    if (connection.pragma('user_version') <= version) return true
    throw new UnusableFile(
      `the index ${JSON.stringify(file)} was made by a newer version of Stickler; use that one, or index again into another file`,
    )
  }
  if (id === 0 && connection.rows([['integer', '1']], 'from sqlite_schema limit 1').length === 0) return false
  throw new UnusableFile(`${JSON.stringify(file)} is a database but not an index; name another file`)
}

/** Makes a file an index, within a transaction. */
export function createIndex(connection: Connection): void {
  connection.exec(`
    create table collections (id integer primary key, name text not null unique, embedding text, dimensions integer);
    pragma application_id = ${applicationId};
    pragma user_version = ${version}`)
}

/**
 * Creates the tables of a collection: each has its own, so that collections do not affect each
 * other.
 */
export function createCollection(connection: Connection, id: number): void {
  // With contentless_delete, SQLite 3.45 keeps counting deleted rows, which ranking depends on:
  // without it, deleting needs the terms. Ids only grow, so that new rows have larger ones than any
  // seen before.
  connection.exec(`
    create table documents_${id} (id integer primary key, path text not null unique, fingerprint text not null, terms blob not null);
    create table chunks_${id} (id integer primary key autoincrement, document integer not null, urn text not null, headings text not null, text text not null);
    create index chunks_${id}_document on chunks_${id} (document);
    create virtual table terms_${id} using fts5 (terms, content = '', tokenize = 'ascii');
    create table vectors_${id} (id integer primary key, vector blob not null);
    create table codes_${id} (id integer primary key, scale real not null, error real not null, code blob not null)`)
}
