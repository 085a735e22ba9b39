import { randomUUID } from 'node:crypto'
import type { IndexedDocument } from '../../index-engine.ts'
import { RetrieverUnavailable } from '../../retriever.ts'
import { type CheckedDocuments, checkEmbedding } from '../checked-documents.ts'
import type { Embedding } from '../embedding-problems.ts'
import type { SearchAddress } from './address.ts'
import { type Collection, documentId, ensureIndexes, ensureVectors, metaId, vectorField } from './collection.ts'
import { conflictsOf, fetchedOf, type StoredDocument, sumOf } from './replies.ts'
import { embeddingOf, unit } from './search.ts'
import type { Wire } from './wire.ts'

/** What is written to. */
export interface Target {
  readonly wire: Wire
  readonly product: SearchAddress['product']
  readonly collection: Collection
  readonly signal?: AbortSignal
}

const linesAtOnce = 1000
const mostAttempts = 10
/**
 * No writer takes longer from writing passages to activating them; older inactive ones were left by
 * a crash.
 */
const leftBehindMs = 3_600_000

/**
 * Replaces documents: first their passages are written under a new generation, which searches
 * ignore; then the generation is activated; then the old passages are deleted.
 */
export async function replaceDocuments(target: Target, { documents, embedding }: CheckedDocuments, now: number): Promise<void> {
  const { wire, product, collection, signal } = target
  await ensureIndexes(wire, product, collection, signal)
  if (embedding !== undefined) await settleEmbedding(target, embedding, documents)
  const generation = randomUUID()
  await writeChunks(target, documents, generation, now)
  await switchTo(
    target,
    documents.map(({ path, fingerprint, chunks }) => ({
      path,
      fingerprint,
      generation,
      chunks: chunks.length,
      vectors: chunks.filter(({ vector }) => vector !== undefined).length,
    })),
  )
  // A writer that removed the last vectors meanwhile has also removed the name of the embedder.
  if (embedding !== undefined) await settleEmbedding(target, embedding, documents)
  else await forgetEmbedding(target)
  const paths = documents.map(({ path }) => path)
  const leftBehind = [{ terms: { path: paths } }, { range: { written: { lt: now - leftBehindMs } } }]
  await deleteChunks(target, { bool: { filter: leftBehind, must_not: [{ terms: { generation: [generation] } }] } }, paths)
}

/** Removes documents. */
export async function removeDocuments(target: Target, paths: readonly string[]): Promise<void> {
  const gone = paths.map((path) => ({ path, fingerprint: '', generation: '', chunks: 0, vectors: 0 }))
  await switchTo(target, gone)
  await forgetEmbedding(target)
}

/** Without vectors, those of any embedder are accepted. */
async function forgetEmbedding(target: Target): Promise<void> {
  const { wire, collection, signal } = target
  if ((await embeddingOf(wire, collection, signal)) === undefined || (await vectorsOf(target, [])) > 0) return
  const lines = [{ delete: { _index: collection.documents, _id: metaId } }]
  await wire.send({ method: 'POST', path: '/_bulk', query: { refresh: 'true' }, lines }, signal)
}

/** How many vectors the documents have, but for some. */
async function vectorsOf({ wire, collection, signal }: Target, except: readonly string[]): Promise<number> {
  const query = { bool: { must_not: [{ terms: { path: except } }] } }
  const body = { size: 0, query, aggs: { vectors: { sum: { field: 'vectors' } } } }
  return sumOf(await wire.send({ method: 'POST', path: `/${collection.documents}/_search`, body }, signal), 'vectors')
}

async function settleEmbedding(target: Target, embedding: Embedding, documents: readonly IndexedDocument[]): Promise<void> {
  const { wire, product, collection, signal } = target
  const kept = await embeddingOf(wire, collection, signal)
  if (kept?.name === embedding.name && kept.dimensions === embedding.dimensions) return
  const left =
    kept === undefined
      ? 0
      : await vectorsOf(
          target,
          documents.map(({ path }) => path),
        )
  checkEmbedding(embedding, left > 0 ? kept : undefined)
  await ensureVectors(wire, product, collection, embedding.dimensions, signal)
  const lines = [
    { index: { _index: collection.documents, _id: metaId } },
    { name: embedding.name, dimensions: embedding.dimensions, vectors: 0, chunks: 0 },
  ]
  conflictsOf(await wire.send({ method: 'POST', path: '/_bulk', query: { refresh: 'true' }, lines }, signal))
}

async function writeChunks(
  { wire, collection, signal }: Target,
  documents: readonly IndexedDocument[],
  generation: string,
  now: number,
): Promise<void> {
  let count = 0
  const lines = documents.flatMap(({ path, chunks }) =>
    chunks.flatMap(({ urn, text, headings, terms, vector }) => {
      // Servers refuse a vector of zeros, which has no direction.
      const near = vector?.some((value) => value !== 0) ? { [vectorField(vector.length)]: unit(vector) } : {}
      const chunk = { path, generation, written: now, urn, text, headings: JSON.stringify(headings), terms: terms.join(' '), ...near }
      return [{ index: { _index: collection.chunks, _id: `${generation}-${count++}` } }, chunk]
    }),
  )
  for (let at = 0; at < lines.length; at += linesAtOnce) {
    const isLast = at + linesAtOnce >= lines.length
    const part = {
      method: 'POST',
      path: '/_bulk',
      query: isLast ? { refresh: 'true' } : {},
      lines: lines.slice(at, at + linesAtOnce),
    } as const
    if (conflictsOf(await wire.send(part, signal)).length > 0) throw new RetrieverUnavailable('the index rejected new entries as conflicts')
  }
}

/**
 * Activates the generations of documents, each only over the one that was read: the loser of a race
 * reads and retries. An empty generation removes.
 */
async function switchTo(target: Target, wanted: readonly StoredDocument[]): Promise<void> {
  const { wire, collection, signal } = target
  let left = new Map(wanted.map((document) => [documentId(document.path), document]))
  const replaced: string[] = []
  for (let attempt = 1; left.size > 0; attempt++) {
    if (attempt > mostAttempts) throw new RetrieverUnavailable('other writers keep changing the same documents')
    const before = fetchedOf<StoredDocument>(
      await wire.send({ method: 'POST', path: `/${collection.documents}/_mget`, body: { ids: [...left.keys()] } }, signal),
    )
    const lines = before.flatMap(({ id, source, seqNo, primaryTerm }): object[] => {
      const document = left.get(id)
      if (document === undefined || (document.generation === '' && source === undefined)) return []
      const entry = { _index: collection.documents, _id: id }
      const over = source === undefined ? {} : { if_seq_no: seqNo, if_primary_term: primaryTerm }
      if (document.generation === '') return [{ delete: { ...entry, ...over } }]
      return [source === undefined ? { create: entry } : { index: { ...entry, ...over } }, document]
    })
    if (lines.length === 0) break
    const conflicts = new Set(conflictsOf(await wire.send({ method: 'POST', path: '/_bulk', query: { refresh: 'true' }, lines }, signal)))
    for (const { id, source } of before) if (source !== undefined && !conflicts.has(id)) replaced.push(source.generation)
    left = new Map([...left].filter(([id]) => conflicts.has(id)))
  }
  const paths = wanted.map(({ path }) => path)
  await deleteChunks(target, { bool: { filter: [{ terms: { generation: replaced } }, { terms: { path: paths } }] } }, replaced)
}

/** Deletes inactive passages, unless there are none to look for. */
async function deleteChunks({ wire, collection, signal }: Target, query: object, among: readonly string[]): Promise<void> {
  if (among.length === 0) return
  const call = {
    method: 'POST',
    path: `/${collection.chunks}/_delete_by_query`,
    query: { conflicts: 'proceed', refresh: 'true' },
    body: { query },
  } as const
  await wire.send(call, signal)
}
