import type { Message, StopSignal } from '@stickler/core'
import { clamp, estimateTokensOfBytes, unknownName, utf8Length } from '@stickler/core/internal'
import type { AskSource } from '@stickler/presets/internal'
import {
  type CacheRequest,
  type CostLimitName,
  type CostLimits,
  canonicalJson,
  completeCache,
  defaultCostLimits,
  freshDay,
  guardCost,
  readCacheRequest,
} from '@stickler/presets/internal'
import { type QueryType, queryTypeProblem } from '../reply/query-type.ts'
import { type AskRefused, limitReply } from '../reply/reply.ts'

/** A question whose cache and versions have been read. */
export interface ReadRequest {
  readonly question: string
  /** Its sources; may be absent only with a pipeline, and are then retrieved. */
  readonly sources?: readonly AskSource[]
  /** Decides the path through the pipeline; the classifier does when it is absent. */
  readonly type?: QueryType
  /**
   * Previous turns, oldest first; only with a pipeline. Answers to such questions are not cached.
   */
  readonly history?: readonly Message[]
  /** Whether wrong citations are rejected; true when absent. */
  readonly strict?: boolean
  /**
   * Name of the provider, or several separated by commas, in order of preference; all configured
   * ones when absent.
   */
  readonly provider?: string
  /** Instead of the provider's model. */
  readonly model?: string
  readonly temperature?: number
  readonly seed?: bigint
  readonly cache?: CacheRequest
  /** The tenant, for the cache, the daily cost and the audit. */
  readonly tenant?: string
  readonly user?: string
  readonly role?: string
  readonly signal?: StopSignal
}

/** A question over sources, as a program may ask it: cache and versions also as in the body of `POST /ask`. */
export interface AskRequest extends Omit<ReadRequest, 'cache' | 'sources'> {
  readonly sources?: readonly (Omit<AskSource, 'version'> & { readonly version?: bigint | number | string })[]
  readonly cache?: boolean | string | { readonly ttl: string } | { readonly ttlSeconds: number }
}

/** The request of a program, or its problem; what is of no possible type is left to `requestFault`. */
export function completeRequest({ cache, sources, ...others }: AskRequest, ttlSeconds?: number): ReadRequest | AskRefused {
  const read = completeCache(cache, ttlSeconds)
  if ('error' in read) return wrong('cache', read.error.replace(/^cache: /, ''))
  const versioned = Array.isArray(sources) ? sources.map((source) => withVersion(source)) : sources
  return {
    ...others,
    ...(versioned === undefined ? {} : { sources: versioned as readonly AskSource[] }),
    cache: read.request,
  }
}

function withVersion(source: NonNullable<AskRequest['sources']>[number]): object {
  const { version } = source ?? {}
  const whole = wholeNumber(version)
  return whole === undefined || typeof version === 'bigint' ? source : { ...source, version: whole }
}

/** A valid request, or its problem; `limit` when it is too large. */
export type ReadAskRequest =
  | { readonly request: ReadRequest; readonly stream: boolean }
  | { readonly error: { readonly param: string; readonly message: string; readonly limit?: CostLimitName } }

const longestUrn = 2048
const known = ['question', 'sources', 'strict', 'provider', 'model', 'temperature', 'seed', 'stream', 'cache']

/** The problem with a request, or its excess, as a reply. */
export function requestFault({ question, sources, type }: ReadRequest, limits: CostLimits, hasPipeline = false): AskRefused | undefined {
  if (typeof question !== 'string' || question.trim() === '') return wrong('question', 'must be a non-empty string')
  const misfit = typeFault(type, sources, hasPipeline)
  if (misfit !== undefined) return wrong(misfit.param, misfit.message)
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
function typeFault(
  type: unknown,
  sources: unknown,
  hasPipeline: boolean,
): { readonly param: string; readonly message: string } | undefined {
  if (type === undefined) return undefined
  if (!hasPipeline) return { param: 'type', message: 'needs a pipeline, and none is configured' }
  const message = queryTypeProblem(type)
  if (message !== undefined) return { param: 'type', message }
  const retrieves = type === 'RETRIEVAL' || type === 'CODE_GENERATION'
  if (retrieves || !Array.isArray(sources) || sources.length === 0) return undefined
  return { param: 'sources', message: `cannot be given with the type ${type}, which is answered without any` }
}

class Complaint {
  readonly param: string
  readonly message: string
  readonly limit: CostLimitName | undefined

  constructor(param: string, message: string, limit?: CostLimitName) {
    this.param = param
    this.message = message
    this.limit = limit
  }
}

function tooLarge({ param = '', error, limit }: AskRefused): Complaint {
  return new Complaint(param, error, limit)
}

/**
 * Reads the body of `POST /ask` within the limits; `cache: true` means the time to live; the tenant
 * never comes from the body.
 */
export function readAskRequest(
  body: Readonly<Record<string, unknown>>,
  limits: CostLimits = defaultCostLimits,
  ttlSeconds?: number,
  hasPipeline = false,
): ReadAskRequest {
  try {
    const stranger = Object.keys(body).find((name) => !known.includes(name) && name !== 'type')
    const fields = hasPipeline ? [...known, 'type'] : known
    if (stranger !== undefined) throw new Complaint(clamp(stranger, 80), unknownName('field', stranger, fields))
    const { question, sources, type, strict, provider, model, temperature, seed, stream, cache } = body
    if (typeof question !== 'string' || question.trim() === '') throw new Complaint('question', 'must be a non-empty string')
    const misfit = typeFault(type ?? undefined, sources, hasPipeline)
    if (misfit !== undefined) throw new Complaint(misfit.param, misfit.message)
    const read = readCacheRequest(cache ?? undefined, ttlSeconds)
    if ('error' in read) throw new Complaint('cache', read.error.replace(/^cache: /, ''))
    const request: ReadRequest = {
      question,
      // Absent sources are retrieved; an empty list means that there are none.
      ...(hasPipeline && (sources === undefined || sources === null) ? {} : { sources: readSources(sources, limits) }),
      ...(type === undefined || type === null ? {} : { type: type as QueryType }),
      cache: read.request,
      ...optional('strict', strict, 'boolean'),
      ...optional('provider', provider, 'string'),
      ...optional('model', model, 'string'),
      ...readTemperature(temperature),
      ...readSeed(seed),
    }
    return { request, stream: optional('stream', stream, 'boolean').stream === true }
  } catch (thrown) {
    if (!(thrown instanceof Complaint)) throw thrown
    const { param, message, limit } = thrown
    return { error: { param, message, ...(limit === undefined ? {} : { limit }) } }
  }
}

function readSources(sources: unknown, limits: CostLimits): readonly AskSource[] {
  if (sources === undefined) return []
  if (!Array.isArray(sources)) throw new Complaint('sources', 'must be a list of {urn, payload}')
  const many = tooManySources(sources.length, limits)
  if (many !== undefined) throw tooLarge(many)
  return sources.map((source: unknown, index) => {
    const { urn, payload, version } = (typeof source === 'object' && source !== null ? source : {}) as Record<string, unknown>
    // Control characters separate the fields of a fingerprint.
    if (typeof urn !== 'string' || urn === '' || urn.length > longestUrn || /\p{Cc}/u.test(urn))
      throw new Complaint(`sources[${index}].urn`, `must be a string of at most ${longestUrn} characters without control characters`)
    if (payload === undefined || payload === null) throw new Complaint(`sources[${index}].payload`, 'is missing')
    const text = typeof payload === 'string' ? payload : readPayload(payload, index, limits)
    return { urn, payload: text, ...(version === undefined ? {} : { version: readInteger(`sources[${index}].version`, version) }) }
  })
}

/** A payload that is JSON is written as text, but no more of it than is allowed. */
function readPayload(payload: unknown, index: number, limits: CostLimits): string {
  try {
    return canonicalJson(payload, limits.sourceBytes)
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(sourceTooLarge(index, limits))
    throw new Complaint(`sources[${index}].payload`, 'must be a string, or JSON with finite numbers; 1e400 is too large')
  }
}

function readTemperature(value: unknown): { readonly temperature?: number } {
  if (value === undefined || value === null) return {}
  if (typeof value !== 'number' || !(value >= 0 && value <= 2)) throw new Complaint('temperature', 'must be a number from 0 to 2')
  return { temperature: value }
}

function readSeed(value: unknown): { readonly seed?: bigint } {
  return value === undefined || value === null ? {} : { seed: readInteger('seed', value) }
}

/** Numbers beyond the exact range of JSON numbers are written as strings. */
function readInteger(param: string, value: unknown): bigint {
  const number = wholeNumber(value)
  if (number === undefined || number < 0n || number >= 2n ** 64n)
    throw new Complaint(param, 'must be a whole number from 0 to 2^64 - 1, as a string when it is large')
  return number
}

function wholeNumber(value: unknown): bigint | undefined {
  const isWhole = (typeof value === 'number' && Number.isSafeInteger(value)) || (typeof value === 'string' && /^\d{1,20}$/.test(value))
  return isWhole ? BigInt(value as number | string) : undefined
}

function optional<Name extends string, Type extends 'boolean' | 'string'>(
  name: Name,
  value: unknown,
  type: Type,
): { readonly [Key in Name]?: Type extends 'boolean' ? boolean : string } {
  if (value === undefined || value === null) return {}
  if (typeof value !== type || value === '') throw new Complaint(name, type === 'boolean' ? 'must be true or false' : 'must be a string')
  return { [name]: value } as { readonly [Key in Name]?: Type extends 'boolean' ? boolean : string }
}

/** The rejection of too many sources, which only needs their number. */
function tooManySources(count: number, { sources }: Pick<CostLimits, 'sources'>): AskRefused | undefined {
  if (count <= sources) return undefined
  return { ok: false, status: 413, error: `${count} sources exceed max_sources=${sources}`, limit: 'max_sources', param: 'sources' }
}

/** The rejection of one source that is too large. */
function sourceTooLarge(index: number, { sourceBytes }: Pick<CostLimits, 'sourceBytes'>): AskRefused {
  const param = `sources[${index}].payload`
  return { ok: false, status: 413, error: `${param} exceeds max_source_bytes=${sourceBytes}`, limit: 'max_source_bytes', param }
}

/**
 * The excess of a question, before any of it is hashed or put into a prompt; stops counting at the
 * first one.
 */
export function inputExcess(question: string, sources: readonly AskSource[], limits: CostLimits): AskRefused | undefined {
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
  const verdict = guardCost({ promptTokens, completionTokens: 0, sourcesBytes, elapsedMs: 0 }, freshDay(0), limits, 0)
  return verdict.allowed ? undefined : limitReply(verdict)
}
