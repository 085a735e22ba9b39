import { ConfigurationError, systemClock } from '@stickler/core'
import type { Embedder } from '@stickler/core/relevance'
import type { OpenParser } from '@stickler/parser'
import type { GatewayConfig } from '../config/resolved/gateway-config.ts'
import { readGrpcTls } from '../config/resolved/grpc-config.ts'
import { parserChecks } from '../enforcement/parsing/parser-checks.ts'
import { heldContracts } from '../enforcement/preparing/held-contracts.ts'
import type { ProbeResult, Upstream } from './upstream.ts'

/** The probe of one upstream. */
export interface UpstreamProbe {
  readonly name: string
  readonly result: Promise<ProbeResult>
}

/** Asks every upstream of a configuration whether it is there, all at a time; those that cannot tell count as there. */
export async function probeUpstreams(config: GatewayConfig, signal: AbortSignal): Promise<readonly UpstreamProbe[]> {
  const { takeSnapshot } = await import('../snapshot.ts')
  const { upstreams } = takeSnapshot(config, { clock: systemClock })
  return [...upstreams].map(([name, upstream]) => ({ name, result: probe(upstream, signal) }))
}

async function probe(upstream: Upstream, signal: AbortSignal): Promise<ProbeResult> {
  try {
    return (await upstream.probe?.(signal)) ?? { ok: true }
  } finally {
    await upstream.close()
  }
}

/** Asks the parser of a configuration whether it is there; rejects when it is not, and tells nothing when no contract needs it. */
export async function probeParser(config: GatewayConfig, signal: AbortSignal): Promise<{ readonly ok: true } | undefined> {
  return withParser(config, async ({ ready }) => {
    await ready(signal)
    return { ok: true }
  })
}

/** Reads the files that the settings of the parser name; rejects when one is wrong. A service is not asked. */
export async function checkParserFiles(config: GatewayConfig): Promise<void> {
  await withParser(config, async () => {})
}

/** Reads the certificate of gRPC and its key; rejects with a ConfigurationError when they are wrong. */
export async function checkGrpcFiles({ grpc }: GatewayConfig): Promise<void> {
  const tls = grpc && (await readGrpcTls(grpc))
  if (tls === undefined) return
  const { createSecureContext } = await import('node:tls')
  try {
    createSecureContext(tls)
  } catch {
    throw new ConfigurationError([{ message: 'the certificate or its key is wrong', path: ['grpc', 'tls'] }])
  }
}

async function withParser<Found>(config: GatewayConfig, use: (opened: OpenParser) => Promise<Found>): Promise<Found | undefined> {
  if (parserChecks(heldContracts(config)).size === 0) return undefined
  const { openParser } = await import('@stickler/parser')
  const opened = await openParser(config.parser)
  try {
    return await use(opened)
  } finally {
    await opened.close()
  }
}

/** What an index holds, and whether its vectors can be used. */
export interface IndexProbe {
  readonly ok: true
  readonly documents: number
  readonly chunks: number
  /** Whether the vectors are of another embedder than the configured one, so that only full text can be searched. */
  readonly isOther: boolean
  /** Why the service that makes vectors does not; absent when it does, or there is none. */
  readonly embeddings?: string
}

/** How long a service may take to make one vector. */
const embeddingMs = 5000

/** Asks the index of a configuration what it holds; rejects when it cannot be searched, and gives nothing when there is none. */
export async function probeIndex({ retrieval }: GatewayConfig, signal: AbortSignal): Promise<IndexProbe | undefined> {
  if (retrieval === undefined) return undefined
  const { createRetrieving } = await import('../enforcement/retrieving/retrieving.ts')
  const retrieving = createRetrieving(retrieval, { clock: systemClock })
  try {
    const [engine, embedder] = await Promise.all([retrieving.engine(), retrieving.embedder()])
    const isService = retrieval.embeddings.kind === 'service'
    const [{ documents, chunks, embedding }, fault] = await Promise.all([
      engine.facts(signal),
      embedder !== undefined && isService ? faultOf(embedder, signal) : undefined,
    ])
    const isOther = embedder !== undefined && embedding !== undefined && embedding.name !== embedder.name
    return { ok: true, documents, chunks, isOther, ...(fault === undefined ? {} : { embeddings: fault }) }
  } finally {
    await retrieving.close()
  }
}

async function faultOf(embedder: Embedder, signal: AbortSignal): Promise<string | undefined> {
  const limit = AbortSignal.timeout(embeddingMs)
  try {
    await embedder.embed(['stickler'], { purpose: 'query', signal: AbortSignal.any([signal, limit]) })
    return undefined
  } catch (error) {
    if (limit.aborted) return `no answer within ${embeddingMs / 1000} s`
    return error instanceof Error ? error.message : String(error)
  }
}

/** Opens the store of a configuration and writes to it; rejects when it cannot be used. */
export async function probeStore({ store: { url, folder, keepText } }: GatewayConfig): Promise<{ readonly ok: true }> {
  const { openStore } = await import('../records/store/open-store.ts')
  const store = await openStore({ url, folder, keepText, now: Date.now })
  try {
    // A write that is gone in a second.
    await store.cache.set('stickler doctor', '{}', 1)
    return { ok: true }
  } finally {
    await store.close()
  }
}
