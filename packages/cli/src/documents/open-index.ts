import { dirname, relative, resolve, sep } from 'node:path'
import { collectionProblem } from '@stickler/ask/internal/config'
import type { IndexEngine, Retriever } from '@stickler/ask/retrieval'
import { systemClock } from '@stickler/core/internal'
import type { Embedder } from '@stickler/core/validators'
import { commandRetrieval, createRetrieving, type RetrievalConfig } from '@stickler/gateway/internal'
import { configName } from '../config/config-name.ts'
import { type Config, loadConfig } from '../config/files.ts'
import { UsageError } from '../errors.ts'
import type { Io } from '../io.ts'

/** What the command line says about the index. */
export interface IndexFlags {
  readonly config?: string
  readonly collection?: string
}

/** The index of the configuration, or the usual one. */
export interface OpenIndex {
  readonly config: Config | undefined
  readonly settings: RetrievalConfig
  /** Display name. */
  readonly shown: string
  /** What paths of documents are relative to: the folder of the configuration. */
  readonly folder: string
  readonly engine: IndexEngine
  readonly embedder: Embedder | undefined
  readonly retriever: Retriever
  close(): Promise<void>
}

/** Opens the index; connects to or creates nothing before the first query. */
export async function openIndex(flags: IndexFlags, io: Pick<Io, 'env' | 'cwd'>): Promise<OpenIndex> {
  const config = await loadConfig(flags.config, io)
  const folder = dirname(resolve(io.cwd, flags.config ?? configName))
  const found = commandRetrieval(config?.value, { env: io.env, folder })
  const settings = flags.collection === undefined ? found : withCollection(found, flags.collection)
  const retrieving = createRetrieving(settings, { clock: systemClock })
  try {
    const [engine, embedder] = await Promise.all([retrieving.engine(), retrieving.embedder()])
    const shown = settings.index.kind === 'sqlite' ? pathFrom(io.cwd, settings.index.shown) : settings.index.shown
    return { config, settings, shown, folder, engine, embedder, retriever: retrieving.retriever, close: () => retrieving.close() }
  } catch (error) {
    await retrieving.close()
    throw error
  }
}

/** A path as it is written from a folder, with forward slashes; empty for the folder itself. */
function pathFrom(folder: string, path: string): string {
  return relative(folder, path).split(sep).join('/')
}

function withCollection(settings: RetrievalConfig, collection: string): RetrievalConfig {
  const problem = collectionProblem(collection)
  if (problem !== undefined) throw new UsageError(`--collection ${problem}`)
  // Secrets are copied explicitly because they are not enumerable.
  return { ...settings, collection }
}
