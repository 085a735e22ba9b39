import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { IndexedDocument } from '../../index-engine.ts'
import type { CheckedDocuments } from '../checked-documents.ts'
import { type Embedding, embeddingProblem } from '../embedding-problems.ts'
import { decoded } from './file/columns.ts'
import type { Connection } from './file/connection.ts'
import { Cancelled } from './file/index-file.ts'
import { createCollection } from './file/schema.ts'
import { DamagedFile } from './file/unusable-file.ts'
import { refuse } from './refused.ts'
import { quantize } from './vectors/quantized.ts'

/** Replaces documents in a collection, within a transaction. */
export function replaceDocuments(
  connection: Connection,
  name: string,
  { documents, embedding }: CheckedDocuments,
  isCancelled: () => boolean,
): void {
  const collection = findCollection(connection, name) ?? addCollection(connection, name)
  for (const { path } of documents) removeDocument(connection, collection.id, path)
  const kept = hasVectors(connection, collection.id) ? collection.embedding : undefined
  if (embedding !== undefined) refuse(embeddingProblem(embedding, kept))
  for (const document of documents) {
    if (isCancelled()) throw new Cancelled()
    addDocument(connection, collection.id, document)
  }
  const next = embedding ?? kept
  if (next?.name !== collection.embedding?.name || next?.dimensions !== collection.embedding?.dimensions)
    connection.run('update collections set embedding = ?, dimensions = ? where id = ?', [
      next?.name ?? null,
      next?.dimensions ?? null,
      collection.id,
    ])
}

/** Removes documents from a collection, within a transaction. */
export function removeDocuments(connection: Connection, name: string, paths: readonly string[], isCancelled: () => boolean): void {
  const collection = findCollection(connection, name)
  if (collection === undefined) return
  for (const path of paths) {
    if (isCancelled()) throw new Cancelled()
    removeDocument(connection, collection.id, path)
  }
  if (!hasVectors(connection, collection.id))
    connection.run('update collections set embedding = null, dimensions = null where id = ?', [collection.id])
}

function addCollection(connection: Connection, name: string): Collection {
  connection.run('insert into collections (name) values (?)', [name])
  const collection = findCollection(connection, name) as Collection
  createCollection(connection, collection.id)
  return collection
}

function hasVectors(connection: Connection, collection: number): boolean {
  return connection.rows([['integer', '1']], `from vectors_${collection} limit 1`).length > 0
}

function removeDocument(connection: Connection, collection: number, path: string): void {
  const columns = [
    ['integer', 'id'],
    ['blob', 'terms'],
  ] as const
  const [row] = connection.rows(columns, `from documents_${collection} where path = ?`, [path])
  if (row === undefined) return
  const terms = unpackTerms(row[1])
  const ids = connection.rows([['integer', 'id']], `from chunks_${collection} where document = ? order by id`, [row[0]])
  for (const [index, [id]] of ids.entries()) {
    connection.run(`insert into terms_${collection} (terms_${collection}, rowid, terms) values ('delete', ?, ?)`, [id, terms[index] ?? ''])
    connection.run(`delete from vectors_${collection} where id = ?`, [id])
    connection.run(`delete from codes_${collection} where id = ?`, [id])
  }
  connection.run(`delete from chunks_${collection} where document = ?`, [row[0]])
  connection.run(`delete from documents_${collection} where id = ?`, [row[0]])
}

function addDocument(connection: Connection, collection: number, { path, fingerprint, chunks }: IndexedDocument): void {
  const terms = chunks.map((chunk) => chunk.terms.join(' '))
  const values = [path, fingerprint, packTerms(terms)]
  connection.run(`insert into documents_${collection} (path, fingerprint, terms) values (?, ?, ?)`, values)
  const document = lastId(connection)
  const insert = `insert into chunks_${collection} (document, urn, headings, text) values (?, ?, ?, ?)`
  for (const [index, { urn, text, headings, vector }] of chunks.entries()) {
    connection.run(insert, [document, urn, JSON.stringify(headings), text])
    const id = lastId(connection)
    connection.run(`insert into terms_${collection} (rowid, terms) values (?, ?)`, [id, terms[index] ?? ''])
    if (vector !== undefined) addVector(connection, collection, id, vector)
  }
}

function addVector(connection: Connection, collection: number, id: number, vector: Float32Array): void {
  connection.run(`insert into vectors_${collection} (id, vector) values (?, ?)`, [id, bytesOf(vector)])
  const rounded = quantize(vector, 127, new Int8Array(vector.length))
  // A vector of zeros is close to nothing.
  if (rounded === undefined) return
  const { scale, error, code } = rounded
  connection.run(`insert into codes_${collection} (id, scale, error, code) values (?, ?, ?, ?)`, [id, scale, error, bytesOf(code)])
}

function lastId(connection: Connection): number {
  return connection.rows([['integer', 'last_insert_rowid()']], '')[0]?.[0] ?? 0
}

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array | Int8Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/**
 * The terms of a document's chunks in few bytes: they are only read again when the document is
 * removed.
 */
function packTerms(terms: readonly string[]): Uint8Array {
  return deflateRawSync(terms.join('\n'), { level: 1 })
}

/** The terms of each chunk. */
function unpackTerms(packed: Uint8Array): string[] {
  return decoded(unpacked(packed)).split('\n')
}

function unpacked(packed: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(packed)
  } catch {
    throw new DamagedFile('the terms of a document cannot be read')
  }
}

/** A collection of an index file. */
export interface Collection {
  /** Names its tables. */
  readonly id: number
  readonly embedding?: Embedding
}

/** Finds a collection by its name. */
export function findCollection(connection: Connection, name: string): Collection | undefined {
  const columns = [
    ['integer', 'id'],
    ['text?', 'embedding'],
    ['integer?', 'dimensions'],
  ] as const
  const [row] = connection.rows(columns, 'from collections where name = ?', [name])
  if (row === undefined) return undefined
  const [id, embedding, dimensions] = row
  return embedding === null || dimensions === null ? { id } : { id, embedding: { name: embedding, dimensions } }
}
