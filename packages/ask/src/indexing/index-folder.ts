import { createHash } from 'node:crypto'
import { realpath } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { ValidatorUnavailable } from '@stickler/core'
import { termsVersion } from '@stickler/core/internal/relevance'
import type { Embedder } from '@stickler/core/validators'
import { readRegularBytes } from '@stickler/node/internal/files'
import type { IndexEngine, IndexedDocument } from '../retrieval/index-engine.ts'
import { searchableText } from '../retrieval/passage-text.ts'
import { chunkingVersion, chunksOf } from './chunking/chunks-of.ts'
import { documentPath, documentsBelow, type IndexedPlace, isMissing, realPlace } from './document-paths.ts'
import { walk, whyUnread } from './walking/walk.ts'

/**
 * Thrown when indexing cannot continue; what was indexed before is kept, and the next run continues
 * from there.
 */
export class IndexingStopped extends Error {
  override readonly name = 'IndexingStopped'
}

/** Larger files are skipped, in bytes. */
const largestDocument = 2 * 1024 * 1024

/** Files that may consist of letters, but have no text that can be cited by line. */
const drawn: ReadonlyMap<string, string> = new Map([
  ['.pdf', 'it is a PDF file, not text'],
  ['.ps', 'it is a PostScript file, not text'],
  ['.eps', 'it is a PostScript file, not text'],
  ['.svg', 'it is a picture, not text'],
])

/** The text of a file, or why it cannot be indexed. */
type ReadDocument = { readonly text: string } | { readonly skipped: string }

/**
 * Reads a file below a folder as text. Files that are not UTF-8 are skipped: with characters
 * replaced, a citation would misquote the file.
 */
async function readDocument(root: string, path: string): Promise<ReadDocument> {
  const file = path === '' ? root : join(root, path)
  const picture = drawn.get(extname(file).toLowerCase())
  if (picture !== undefined) return { skipped: picture }
  let bytes: Uint8Array
  try {
    bytes = await readRegularBytes(file, largestDocument)
    // A parent folder may have become a link since it was listed.
    if ((await realpath(file)) !== file) return { skipped: 'it is a symbolic link, and links are not followed' }
  } catch (error) {
    return { skipped: whyUnread(error, path) }
  }
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return { skipped: 'it is UTF-16, not UTF-8' }
  if (bytes.includes(0)) return { skipped: 'it is a binary file' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { skipped: 'it is not UTF-8' }
  }
}

/** How a folder is indexed. */
export interface IndexFolderOptions {
  /**
   * The folder, or one file. Documents of the index that no longer exist there are removed; if the
   * root itself is gone, all of them.
   */
  readonly root: string
  /**
   * The base folder of document paths, so that a file has the same path whichever folder is
   * indexed.
   */
  readonly base: string
  readonly engine: Pick<IndexEngine, 'fingerprints' | 'replace' | 'remove'>
  /** Computes the vectors; without it only text search works. */
  readonly embedder?: Embedder | undefined
  /** Only reports what would be done. */
  readonly dryRun?: boolean | undefined
  readonly onProgress?: ((progress: IndexProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Documents are written in batches of about this many chunks. */
const batchWeight = 256

/**
 * Updates an index from a folder: only new or changed documents are read, deleted ones are removed.
 * Each batch is written completely or not at all, so the next run continues one that was
 * interrupted. Rejects when the root does not exist and the index has nothing of it, with
 * IndexingStopped when passages cannot be embedded, and with RetrieverUnavailable when the index
 * cannot be written.
 */
export async function indexFolder(options: IndexFolderOptions): Promise<IndexReport> {
  const { engine, embedder, dryRun = false, onProgress, signal } = options
  const place = await realPlace(options)
  const versions = { chunking: chunkingVersion, terms: termsVersion, embedding: embedder?.name }
  const known = await documentsBelow(place, engine, signal)
  const { paths, skipped, ignored } = await listed(place, known.size > 0, signal)
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
    const document = await readDocument(place.root, path)
    const full = documentPath(place, path)
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

async function listed(place: IndexedPlace, mayBeGone: boolean, signal: AbortSignal | undefined) {
  const paths: string[] = []
  const skipped: { path: string; reason: string }[] = []
  let ignored = 0
  try {
    for await (const found of walk(place.root, signal)) {
      if (found.skipped === undefined) paths.push(found.path)
      else if (found.expected) ignored++
      else skipped.push({ path: documentPath(place, found.path), reason: found.skipped })
    }
  } catch (error) {
    if (!mayBeGone || !isMissing(error)) throw error
  }
  return { paths, skipped, ignored }
}

async function embedded(documents: readonly IndexedDocument[], options: IndexFolderOptions): Promise<readonly IndexedDocument[]> {
  const { embedder, signal } = options
  if (embedder === undefined) return documents
  const texts = documents.flatMap((document) => document.chunks.map(searchableText))
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

/** Embeds passages, with retries; throws IndexingStopped on failure. */
async function embedPassages(
  texts: readonly string[],
  embedder: Embedder,
  signal: AbortSignal | undefined,
): Promise<readonly Float32Array[]> {
  signal?.throwIfAborted()
  try {
    return sound(await embedder.embed(texts, { purpose: 'passage', patient: true, ...(signal && { signal }) }), texts.length)
  } catch (error) {
    signal?.throwIfAborted()
    if (!(error instanceof ValidatorUnavailable)) throw error
    throw new IndexingStopped(`embedding the passages failed: ${error.message}`)
  }
}

function sound(vectors: readonly Float32Array[], count: number): readonly Float32Array[] {
  const { length = 0 } = vectors[0] ?? {}
  const isSound = vectors.length === count && vectors.every((vector) => vector.length === length && length > 0)
  if (!isSound) throw new IndexingStopped('the embedder did not return one vector of equal length per passage')
  return vectors
}

/** What determines how a document is indexed, beside its text. */
interface FingerprintInputs {
  readonly chunking: number
  readonly terms: number
  /** Name of the embedder; absent without vectors. */
  readonly embedding: string | undefined
}

/** Identifies a document as it is indexed: 32 hexadecimal digits. */
function fingerprintOf(text: string, { chunking, terms, embedding = '' }: FingerprintInputs): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([chunking, terms, embedding]))
    .update('\n')
    .update(text)
  return hash.digest('hex').slice(0, 32)
}

/** What an indexing run did, by document path. */
export interface IndexReport {
  readonly added: readonly string[]
  readonly changed: readonly string[]
  readonly removed: readonly string[]
  /** Number of unchanged documents. */
  readonly unchanged: number
  /** What was skipped unexpectedly, and why. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[]
  /** Number of files and folders that were skipped by name, such as hidden ones. */
  readonly ignored: number
  /** Number of chunks written. */
  readonly chunks: number
}

/** The progress of an indexing run. */
interface IndexProgress {
  /** Finished files, of all found. */
  readonly files: number
  readonly total: number
  /** Chunks written so far. */
  readonly chunks: number
}
