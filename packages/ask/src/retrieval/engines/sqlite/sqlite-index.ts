import type { Hit, IndexFacts } from '../../index-engine.ts'
import { folderPath } from '../below.ts'
import type { CheckedDocuments } from '../checked-documents.ts'
import { embeddingProblem, vectorProblem } from '../embedding-problems.ts'
import type { Connection } from './file/connection.ts'
import { IndexFile } from './file/index-file.ts'
import { DamagedFile } from './file/unusable-file.ts'
import { readHits } from './read-hits.ts'
import { refuse } from './refused.ts'
import { searchText, type TextIndex } from './search-text.ts'
import { CodeMatrix } from './vectors/code-matrix.ts'
import { norm } from './vectors/quantized.ts'
import { type Collection, findCollection, removeDocuments, replaceDocuments } from './write-documents.ts'

const mostCounts = 10_000

/** What is cached of one state of the file. */
interface Known {
  readonly state: string
  readonly collection: Collection
  /** Number of chunks, total and by term. */
  readonly chunks: number
  readonly counts: Map<string, number>
  matrix?: CodeMatrix
  isFresh: boolean
}

/** A collection in an index file, used by one thread: every call blocks on SQLite. */
export class SqliteIndex {
  readonly #file: IndexFile
  readonly #name: string
  #known: Known | undefined
  #hasWritten = false

  constructor(path: string, collection: string) {
    this.#file = new IndexFile(path)
    this.#name = collection
  }

  searchText(terms: readonly string[], limit: number): Hit[] {
    return this.#read<Hit[]>([], (connection, { collection: { id }, chunks, counts }) => {
      return searchText({ connection, collection: id, chunks, holders: countHolders(connection, id, counts) }, terms, limit)
    })
  }

  searchVector(vector: Float32Array, name: string, limit: number): Hit[] {
    return this.#read<Hit[]>([], (connection, known) => {
      const { collection } = known
      if (collection.embedding === undefined) return []
      refuse(embeddingProblem({ name, dimensions: vector.length }, collection.embedding))
      refuse(vectorProblem(vector, collection.embedding.dimensions, 'the vector of the query'))
      known.matrix ??= new CodeMatrix(vector.length)
      if (!known.isFresh) refreshMatrix(connection, collection.id, known.matrix)
      known.isFresh = true
      return searchVector(connection, collection.id, known.matrix, vector, Math.max(0, limit))
    })
  }

  fingerprints(below: string): Map<string, string> {
    const folder = folderPath(below)
    return this.#read(new Map(), (connection, { collection }) => {
      const columns = [
        ['text', 'path'],
        ['text', 'fingerprint'],
      ] as const
      const all = `from documents_${collection.id}`
      if (folder === '') return new Map(connection.rows(columns, all))
      // Everything that starts with the folder and a slash lies between these two, and an index
      // finds it.
      const between = [folder, `${folder}/`, `${folder}0`]
      return new Map(connection.rows(columns, `${all} where path = ? or (path > ? and path < ?)`, between))
    })
  }

  facts(): IndexFacts {
    return this.#read<IndexFacts>({ documents: 0, chunks: 0 }, (connection, { collection: { id, embedding }, chunks }) => {
      return { documents: countRows(connection, `documents_${id}`), chunks, ...(embedding === undefined ? {} : { embedding }) }
    })
  }

  replace(documents: CheckedDocuments, isCancelled: () => boolean): void {
    // Only writes by others are noticed.
    this.#known = undefined
    this.#hasWritten = true
    this.#file.write((connection) => replaceDocuments(connection, this.#name, documents, isCancelled), isCancelled)
  }

  remove(paths: readonly string[], isCancelled: () => boolean): void {
    if (!this.#file.exists) return
    this.#known = undefined
    this.#hasWritten = true
    this.#file.write((connection) => removeDocuments(connection, this.#name, paths, isCancelled), isCancelled)
  }

  /**
   * Closes the file; one that was written here is left complete, without SQLite's files beside it.
   */
  close(): void {
    if (this.#hasWritten) this.#file.finish()
    else this.#file.close()
    this.#known = undefined
  }

  #read<Result>(nothing: Result, task: (connection: Connection, known: Known) => Result): Result {
    return this.#file.read(nothing, (connection) => {
      const known = this.#look(connection)
      return known === undefined ? nothing : task(connection, known)
    })
  }

  /** The cached facts of the collection, unless it was written since. */
  #look(connection: Connection): Known | undefined {
    const state = `${this.#file.times} ${connection.pragma('data_version')}`
    if (this.#known?.state === state) return this.#known
    const collection = findCollection(connection, this.#name)
    const before = this.#known
    this.#known = collection && {
      state,
      collection,
      chunks: countRows(connection, `chunks_${collection.id}`),
      counts: new Map(),
      isFresh: false,
    }
    // Vectors of the same file are kept, and only changes are read.
    if (this.#known && before?.matrix && isSame(before, this.#known)) this.#known.matrix = before.matrix
    return this.#known
  }
}

function countRows(connection: Connection, table: string): number {
  return connection.rows([['integer', 'count(*)']], `from ${table}`)[0]?.[0] ?? 0
}

function isSame(before: Known, now: Known): boolean {
  const [one, other] = [before.collection, now.collection]
  const times = ({ state }: Known): string | undefined => state.split(' ')[0]
  return one.id === other.id && one.embedding?.dimensions === other.embedding?.dimensions && times(before) === times(now)
}

function countHolders(connection: Connection, collection: number, counts: Map<string, number>): TextIndex['holders'] {
  connection.exec(`create virtual table if not exists temp.holders_${collection} using fts5vocab(main, terms_${collection}, row)`)
  return (term) => {
    const known = counts.get(term)
    if (known !== undefined) return known
    const count = connection.rows([['integer', 'doc']], `from temp.holders_${collection} where term = ?`, [term])[0]?.[0] ?? 0
    if (counts.size < mostCounts) counts.set(term, count)
    return count
  }
}

/** The closest chunks by cosine: rounded vectors in memory say which to compare, the file holds the exact ones. */
function searchVector(connection: Connection, collection: number, matrix: CodeMatrix, vector: Float32Array, limit: number): Hit[] {
  const length = norm(vector)
  const found = matrix.candidates(vector, limit).flatMap((id) => {
    const [row] = connection.rows([['blob', 'vector']], `from vectors_${collection} where id = ?`, [id])
    return row === undefined ? [] : [{ id, score: cosine(row[0], vector, length) }]
  })
  found.sort((one, other) => other.score - one.score)
  const last = found[limit - 1]?.score ?? Number.NEGATIVE_INFINITY
  return readHits(
    connection,
    collection,
    found.filter(({ score }) => score >= last),
    limit,
  )
}

/** Synchronizes a matrix with the file: adds new vectors, drops deleted ones. */
function refreshMatrix(connection: Connection, collection: number, matrix: CodeMatrix): void {
  const batch = 4096
  const columns = [
    ['integer', 'id'],
    ['real', 'scale'],
    ['real', 'error'],
    ['blob', 'code'],
  ] as const
  for (;;) {
    const rows = connection.rows(columns, `from codes_${collection} where id > ? order by id limit ${batch}`, [matrix.lastId])
    for (const [id, scale, error, code] of rows) {
      // Without order, continuing from the last one would never end.
      if (id <= matrix.lastId || code.length !== matrix.dimensions) throw new DamagedFile('a rounded vector cannot be read')
      matrix.add(id, scale, error, code)
    }
    if (rows.length < batch) break
  }
  const [[count] = [0]] = connection.rows([['integer', 'count(*)']], `from codes_${collection}`)
  if (matrix.rows !== count) matrix.keep(new Set(connection.rows([['integer', 'id']], `from codes_${collection}`).map(([id]) => id)))
}

function cosine(stored: Uint8Array, query: Float32Array, length: number): number {
  if (stored.byteLength !== query.byteLength) throw new DamagedFile('a vector has another length')
  const vector = new Float32Array(stored.buffer.slice(stored.byteOffset, stored.byteOffset + stored.byteLength))
  let dot = 0
  for (let index = 0; index < vector.length; index++) dot += (vector[index] as number) * (query[index] as number)
  const score = dot / (norm(vector) * length)
  // Zero vectors have no direction and are never requested.
  if (!Number.isFinite(score)) throw new DamagedFile('a vector holds a number that is not finite')
  return score
}
