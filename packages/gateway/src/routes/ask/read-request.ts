import type { AskRefused, AskRequest } from '@stickler/ask'
import { sourceTooLarge, tooManySources } from '@stickler/ask/internal'
import { clamp, readShape, unknownName } from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import { type AskSource, type CacheRequest, type CostLimits, canonicalJson, readCacheRequest } from '@stickler/presets/internal'
import * as z from 'zod'

/** A question with everything that a client may ask for. */
export interface ReadRequest extends AskRequest {
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
}

/** How bodies of `POST /ask` are read. */
interface ReadingTerms {
  readonly limits: CostLimits
  readonly ttlSeconds?: number | undefined
  readonly hasPipeline?: boolean
}

const longestUrn = 2048
const [flag, name, fraction] = ['must be true or false', 'must be a string', 'must be a number from 0 to 2']
const whole = 'must be a whole number from 0 to 2^64 - 1, as a string when it is large'

/** What each field of a body must be, beside `type`, which only a pipeline takes; sources, seeds and cache are read further. */
export const askShape = {
  question: z.string('must be a non-empty string').regex(/\S/, 'must be a non-empty string'),
  sources: z.array(z.unknown(), 'must be a list of {urn, payload}'),
  strict: z.boolean(flag),
  provider: z.string(name).min(1, name),
  model: z.string(name).min(1, name),
  temperature: z.number(fraction).min(0, fraction).max(2, fraction),
  seed: z.union([z.int(), z.string()], whole),
  stream: z.boolean(flag),
  cache: z.unknown(),
}
const known = Object.keys(askShape)

/** Reads the body of `POST /ask`; the tenant never comes from it. Throws an HttpError for values of a wrong type, and for sources beyond their limits. */
export function readAskRequest(
  body: Readonly<Record<string, unknown>>,
  { limits, ttlSeconds, hasPipeline = false }: ReadingTerms,
): { readonly request: ReadRequest; readonly stream: boolean } {
  const fields = hasPipeline ? [...known, 'type'] : known
  const stranger = Object.keys(body).find((name) => !known.includes(name) && name !== 'type')
  if (stranger !== undefined) throw wrong(clamp(stranger, 80), unknownName('field', stranger, fields))
  const { question, sources, seed, stream = false, cache, ...named } = readShape(askShape, body, wrong)
  const { type } = body
  if (question === undefined) throw wrong('question', 'must be a non-empty string')
  const read = readCacheRequest(cache, ttlSeconds)
  if ('error' in read) throw wrong('cache', read.error.replace(/^cache: /, ''))
  const request: ReadRequest = {
    question,
    // Absent sources are retrieved; an empty list means that there are none.
    ...(hasPipeline && sources === undefined ? {} : { sources: readSources(sources ?? [], limits) }),
    // Checked with the sources.
    ...(type === undefined || type === null ? {} : { type: type as NonNullable<ReadRequest['type']> }),
    cache: read.request,
    ...named,
    ...(seed === undefined ? {} : { seed: readInteger('seed', seed) }),
  }
  return { request, stream }
}

function wrong(param: string, message: string): HttpError {
  return new HttpError(400, `${param}: ${message}`, { param, body: { param } })
}

function tooLarge({ param = '', error, limit = 'max_sources' }: AskRefused): HttpError {
  return new HttpError(413, error, { param, code: limit, body: { limit, param } })
}

function readSources(sources: readonly unknown[], limits: CostLimits): readonly AskSource[] {
  const many = tooManySources(sources.length, limits)
  if (many !== undefined) throw tooLarge(many)
  return sources.map((source: unknown, index) => {
    const { urn, payload, version } = (typeof source === 'object' && source !== null ? source : {}) as Record<string, unknown>
    // Control characters separate the fields of a fingerprint.
    if (typeof urn !== 'string' || urn === '' || urn.length > longestUrn || /\p{Cc}/u.test(urn))
      throw wrong(`sources[${index}].urn`, `must be a string of at most ${longestUrn} characters without control characters`)
    if (payload === undefined || payload === null) throw wrong(`sources[${index}].payload`, 'is missing')
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
    throw wrong(`sources[${index}].payload`, 'must be a string, or JSON with finite numbers; 1e400 is too large')
  }
}

/** Numbers beyond the exact range of JSON numbers are written as strings. */
function readInteger(param: string, value: unknown): bigint {
  const number = wholeNumber(value)
  if (number === undefined || number < 0n || number >= 2n ** 64n) throw wrong(param, whole)
  return number
}

function wholeNumber(value: unknown): bigint | undefined {
  const isWhole = (typeof value === 'number' && Number.isSafeInteger(value)) || (typeof value === 'string' && /^\d{1,20}$/.test(value))
  return isWhole ? BigInt(value as number | string) : undefined
}
