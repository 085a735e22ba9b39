import { realpath } from 'node:fs/promises'
import { type Embedder, termsVersion } from '@stickler/core/relevance'
import type { IndexEngine, IndexedDocument } from '../retrieval/index-engine.ts'
import { chunkingVersion, chunksOf } from './chunking/chunks-of.ts'
import { embedPassages } from './embed-passages.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { IndexProgress, IndexReport } from './index-report.ts'
import { readDocument } from './walking/read-document.ts'
import { walk } from './walking/walk.ts'

/** How a folder is indexed. */
export interface IndexFolderOptions {
  /** The folder, or one file. */
  readonly root: string
  /** What paths of documents begin with, such as `docs`; `''` for none. Documents of the index below it that are not in the folder any more are removed. */
  readonly name: string
  readonly engine: Pick<IndexEngine, 'fingerprints' | 'replace' | 'remove'>
  /** Makes the vectors; without it only words can be looked up. */
  readonly embedder?: Embedder | undefined
  /** Only says what would be done. */
  readonly dryRun?: boolean | undefined
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Documents are written together until they have about so many chunks. */
const batchWeight = 256

/**
 * Brings an index up to date with a folder: only documents that are new or have changed are read into it, those that are gone are removed.
 * Each batch is written as a whole or not at all, so a run that was ended at any point is continued by the next one.
 * Rejects with IndexingStopped when passages cannot be embedded, and with RetrieverUnavailable when the index cannot be written.
 */
export async function indexFolder(options: IndexFolderOptions): Promise<IndexReport> {
  const { name, engine, embedder, dryRun = false, onProgress, signal } = options
  const root = await realpath(options.root)
  const versions = { chunking: chunkingVersion, terms: termsVersion, embedding: embedder?.name }
  const { paths, skipped, ignored } = await listed(root, name, signal)
  const known = await knownBelow(name, engine, signal)
  const gone = new Set(known.keys())
  const added: string[] = []
  const changed: string[] = []
  let unchanged = 0
  let chunks = 0
  let batch: IndexedDocument[] = []
  // Documents without a chunk count too: there may be many.
  let weight = 0
  const write = async (): Promise<void> => {
    const documents = batch
    batch = []
    weight = 0
    if (documents.length === 0) return
    if (!dryRun) await engine.replace(await embedded(documents, options), embedder?.name, signal)
    for (const document of documents) chunks += document.chunks.length
  }
  for (const [index, path] of paths.entries()) {
    signal?.throwIfAborted()
    onProgress?.({ files: index, total: paths.length, chunks })
    const document = await readDocument(root, path)
    const full = joined(name, path)
    if ('skipped' in document) {
      skipped.push({ path: full, reason: document.skipped })
      continue
    }
    gone.delete(full)
    const fingerprint = fingerprintOf(document.text, versions)
    const before = known.get(full)
    if (before === fingerprint) {
      unchanged++
      continue
    }
    ;(before === undefined ? added : changed).push(full)
    const cut = chunksOf(full, document.text)
    batch.push({ path: full, fingerprint, chunks: cut })
    weight += cut.length + 1
    if (weight >= batchWeight) await write()
  }
  await write()
  const removed = [...gone]
  if (!dryRun && removed.length > 0) await engine.remove(removed, signal)
  onProgress?.({ files: paths.length, total: paths.length, chunks })
  return { added, changed, removed, unchanged, skipped, ignored, chunks }
}

async function listed(root: string, name: string, signal: AbortSignal | undefined) {
  const paths: string[] = []
  const skipped: { path: string; reason: string }[] = []
  let ignored = 0
  for await (const found of walk(root, signal)) {
    if (found.skipped === undefined) paths.push(found.path)
    else if (found.expected) ignored++
    else skipped.push({ path: joined(name, found.path), reason: found.skipped })
  }
  return { paths, skipped, ignored }
}

/** The documents that this folder answers for: those of a folder elsewhere, which begin with `../`, are not below `''`. */
async function knownBelow(name: string, engine: IndexFolderOptions['engine'], signal: AbortSignal | undefined) {
  const known = await engine.fingerprints(name, signal)
  return name === '' ? new Map([...known].filter(([path]) => !path.startsWith('../'))) : known
}

async function embedded(documents: readonly IndexedDocument[], options: IndexFolderOptions): Promise<readonly IndexedDocument[]> {
  const { embedder, signal } = options
  if (embedder === undefined) return documents
  const texts = documents.flatMap((document) => document.chunks.map(({ headings, text }) => [...headings, text].join('\n')))
  const vectors = texts.length === 0 ? [] : await embedPassages(texts, embedder, signal)
  let next = 0
  return documents.map((document) => ({
    ...document,
    chunks: document.chunks.map((chunk) => {
      const vector = vectors[next++]
      return vector === undefined ? chunk : { ...chunk, vector }
    }),
  }))
}

function joined(name: string, path: string): string {
  return name === '' || path === '' ? name + path : `${name}/${path}`
}
