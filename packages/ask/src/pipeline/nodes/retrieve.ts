import { because, type Reason } from '@stickler/core/internal'
import { type Retrieval, type RetrievedChunk, RetrieverUnavailable } from '../../retrieval/retriever.ts'
import { fitting } from '../fitting.ts'
import { limited } from '../limited.ts'
import type { Needs } from '../options.ts'
import type { PipelineState } from '../state.ts'
import { degradedBy, type Step } from '../step.ts'

/** What a retrieval changes. */
interface Found {
  readonly chunks: readonly RetrievedChunk[]
  readonly retrievals: number
  readonly retriever_failed: string
}

/**
 * Retrieves passages; a retriever that fails, hangs or returns anything else yields none, which is
 * marked.
 */
export async function retrieve(state: PipelineState, needs: Needs, signal: AbortSignal | undefined): Promise<Step<Found>> {
  const { retriever, chunks: limit, timeoutMs, clock } = needs
  const retrievals = state.retrievals + 1
  if (retriever === undefined) return nothing(retrievals, because([['missing', 'retriever']]))
  const search = state.search || state.query
  const call = async (inner: AbortSignal) => readRetrieval(await retriever.retrieve(search, { limit, signal: inner }))
  const found = await limited(call, { called: 'retriever', timeoutMs, clock, signal })
  if ('failure' in found) return nothing(retrievals, found.failure)
  // Words that were added by rules may lead away from the question: what it found itself stays beside what they find, if anything.
  const isBroader = retrievals > 1 && needs.reformulation === undefined && found.value.chunks.length > 0
  const best = (isBroader ? inTurns(state.chunks, found.value.chunks) : found.value.chunks).slice(0, limit)
  const chunks = fitting(state, best, needs)
  const { degraded } = found.value
  return {
    change: { chunks, retrievals, retriever_failed: '' },
    detail: {
      chunks: chunks.map(({ urn, score, ranks }) => ({ urn, score, ranks })),
      ...(chunks.length === best.length ? {} : { left_out: best.length - chunks.length }),
      ...degradedBy(degraded && inHalf(degraded)),
    },
  }
}

/** The first of each list, then the second of each, and so on; each passage once. */
function inTurns(one: readonly RetrievedChunk[], other: readonly RetrievedChunk[]): readonly RetrievedChunk[] {
  const all = new Map<string, RetrievedChunk>()
  for (let at = 0; at < Math.max(one.length, other.length); at++)
    for (const chunk of [one[at], other[at]]) if (chunk !== undefined && !all.has(chunk.urn)) all.set(chunk.urn, chunk)
  return [...all.values()]
}

function inHalf({ half, reason, codes = [] }: NonNullable<Retrieval['degraded']>): Reason {
  return { message: `${half}: ${reason}`, codes: [['half', half], ...codes] }
}

function nothing(retrievals: number, reason: Reason): Step<Found> {
  const change = { chunks: [], retrievals, retriever_failed: reason.message }
  return { change, detail: { chunks: [], ...degradedBy(reason) } }
}

/**
 * Reads the result of a third-party retriever, which may be anything; throws RetrieverUnavailable
 * for what is not a retrieval.
 */
function readRetrieval(given: unknown): Retrieval {
  const chunks = fieldsOf(given).chunks
  if (!Array.isArray(chunks)) throw new RetrieverUnavailable(because([['no_chunks']]))
  const bad = chunks.findIndex((chunk) => !isChunk(chunk))
  if (bad >= 0) throw new RetrieverUnavailable(`the retriever returned a chunk without urn, text, headings or score: chunks[${bad}]`)
  return given as Retrieval
}

function isChunk(chunk: unknown): boolean {
  const { urn, text, headings, score } = fieldsOf(chunk)
  return typeof urn === 'string' && typeof text === 'string' && isTexts(headings) && typeof score === 'number'
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string')
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
