import type { Message, StopSignal } from '@stickler/core'
import { estimateTokensOfBytes, utf8Length } from '@stickler/core/internal'
import { type AskSource, type CostLimits, guardCost } from '@stickler/presets/internal'
import { type QueryType, queryTypeProblem } from '../reply/query-type.ts'
import { type AskRefused, limitReply } from '../reply/reply.ts'

/** A question over sources. */
export interface AskRequest {
  readonly question: string
  /** Its sources; may be absent only with a pipeline, and are then retrieved. */
  readonly sources?: readonly AskSource[]
  /** Decides the path through the pipeline; the classifier does when it is absent. */
  readonly type?: QueryType
  /** Previous turns, oldest first; only with a pipeline. */
  readonly history?: readonly Message[]
  /** Whether wrong citations are rejected; true when absent. */
  readonly strict?: boolean
  readonly signal?: StopSignal
}

/** The problem with a request, or its excess, as a reply. */
export function requestFault({ question, sources, type }: AskRequest, limits: CostLimits, hasPipeline = false): AskRefused | undefined {
  if (typeof question !== 'string' || question.trim() === '') return wrong('question', 'must be a non-empty string')
  const misfit = typeFault(type, sources, hasPipeline)
  if (misfit !== undefined) return misfit
  if (sources === undefined && hasPipeline) return inputExcess(question, [], limits)
  if (!Array.isArray(sources)) return wrong('sources', 'must be a list of {urn, payload}')
  const many = tooManySources(sources.length, limits)
  if (many !== undefined) return many
  const bad = sources.findIndex(({ urn, payload, version = 0n } = {}) => {
    const isVersion = typeof version === 'bigint' && version >= 0n && version < 2n ** 64n
    return typeof urn !== 'string' || typeof payload !== 'string' || !isVersion
  })
  if (bad >= 0) return wrong(`sources[${bad}]`, 'must have a urn and a payload that are strings, and optionally a 64-bit version')
  return inputExcess(question, sources, limits)
}

function wrong(param: string, message: string): AskRefused {
  return { ok: false, status: 400, error: `${param}: ${message}`, param }
}

/** The problem with the type of a request. */
function typeFault(type: unknown, sources: unknown, hasPipeline: boolean): AskRefused | undefined {
  if (type === undefined) return undefined
  if (!hasPipeline) return wrong('type', 'needs a pipeline, and none is configured')
  const message = queryTypeProblem(type)
  if (message !== undefined) return wrong('type', message)
  const retrieves = type === 'RETRIEVAL' || type === 'CODE_GENERATION'
  if (retrieves || !Array.isArray(sources) || sources.length === 0) return undefined
  return wrong('sources', `cannot be given with the type ${type}, which is answered without any`)
}

/** The rejection of too many sources, which only needs their number. */
export function tooManySources(count: number, { sources }: Pick<CostLimits, 'sources'>): AskRefused | undefined {
  if (count <= sources) return undefined
  return { ok: false, status: 413, error: `${count} sources exceed max_sources=${sources}`, limit: 'max_sources', param: 'sources' }
}

/** The rejection of one source that is too large. */
export function sourceTooLarge(index: number, { sourceBytes }: Pick<CostLimits, 'sourceBytes'>): AskRefused {
  const param = `sources[${index}].payload`
  return { ok: false, status: 413, error: `${param} exceeds max_source_bytes=${sourceBytes}`, limit: 'max_source_bytes', param }
}

/**
 * The excess of a question, before any of it is hashed or put into a prompt; stops counting at the
 * first one.
 */
function inputExcess(question: string, sources: readonly AskSource[], limits: CostLimits): AskRefused | undefined {
  const many = tooManySources(sources.length, limits)
  if (many !== undefined) return many
  let sourcesBytes = 0
  for (const [index, { payload }] of sources.entries()) {
    // A text has at least as many bytes as units, so a huge one need not be counted.
    const bytes = payload.length > limits.sourceBytes ? payload.length : utf8Length(payload)
    if (bytes > limits.sourceBytes) return sourceTooLarge(index, limits)
    sourcesBytes += bytes
    if (sourcesBytes > limits.sourcesBytes + limits.promptTokens * 4) break
  }
  // The prompt holds all of it, and more.
  const promptTokens = estimateTokensOfBytes(utf8Length(question) + sourcesBytes)
  const breach = guardCost({ promptTokens, completionTokens: 0, sourcesBytes, elapsedMs: 0 }, limits)
  return breach && limitReply(breach)
}
