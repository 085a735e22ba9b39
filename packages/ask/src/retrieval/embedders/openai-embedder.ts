import { type Clock, RunnerFailure } from '@stickler/core'
import {
  asRunnerFailure,
  BodyReader,
  because,
  checkNumbers,
  endpoint,
  errorObjectFailure,
  isFields,
  openCancelScope,
  parseJson,
  post,
  protocolFailure,
  redactFailure,
  redactor,
  systemClock,
  throwUnlessOk,
  utf8Length,
} from '@stickler/core/internal'
import { createBreaker, type Embedder, type EmbedOptions, guarded, ServiceUnavailable } from '@stickler/core/validators'
import { sha256Hex } from '@stickler/presets/internal'
import { storedText } from '../engines/stored-text.ts'
import { patiently } from './patiently.ts'

/** How to reach an OpenAI-compatible embeddings model. */
export interface OpenAiEmbedderSettings {
  /** Everything before `/embeddings`, such as `https://api.openai.com/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: string
  /** The length of the vectors, for models with a choice; replies of another length are errors. */
  readonly dimensions?: number
  /** Most texts of a request; 32. */
  readonly batch?: number
  /** How long one request may take; 10 s. */
  readonly timeoutMs?: number
  readonly fetch?: typeof globalThis.fetch
  readonly clock?: Clock
  /** Milliseconds since 1970, for a `retry-after` that is a date. */
  readonly today?: () => number
}

const maxBatchBytes = 256 * 1024
const maxResponseBytes = 32 * 1024 * 1024
/** Models read a few thousand tokens; the rest of a longer text would be an error. */
const mostCharacters = 16_384
const cachedVectors = 1024

/**
 * Embeds through any OpenAI-compatible `/embeddings` endpoint: batched, cached, with a circuit
 * breaker. Calls are tried once, unless they are `patient`: those are retried with growing pauses.
 */
export function openaiEmbedder(settings: OpenAiEmbedderSettings): Embedder {
  const { model, dimensions, batch = 32, timeoutMs = 10_000, clock = systemClock, today = Date.now } = settings
  checkNumbers({ dimensions, batch, timeoutMs })
  const { url, headers, secrets } = endpoint(settings.baseUrl, settings.apiKey, {}, '/embeddings')
  const redact = redactor(secrets)
  // Called without a `this`: browsers refuse a `fetch` that is called as a method of something else.
  const send = settings.fetch ?? ((input, init) => globalThis.fetch(input, init))
  const breaker = createBreaker({}, { clock })
  /** By the hashes of texts, so that long ones take no more room; the least recently used first. */
  const cache = new Map<string, Float32Array>()

  function keep(key: string, vector: Float32Array): void {
    cache.delete(key)
    cache.set(key, vector)
    const [oldest] = cache.keys()
    if (cache.size > cachedVectors && oldest !== undefined) cache.delete(oldest)
  }

  async function request(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]> {
    const scope = openCancelScope(signal, clock)
    let reader: BodyReader | undefined
    try {
      const chosen = dimensions === undefined ? {} : { dimensions }
      const content = JSON.stringify({ model, input: texts, encoding_format: 'float', ...chosen })
      const response = await post({ url, headers, content, send, scope })
      reader = new BodyReader(response.body, scope, { idleMs: timeoutMs, maxBytes: maxResponseBytes, onFirst: () => {} })
      await throwUnlessOk(response, reader, today)
      const vectors = readEmbeddings(await reader.text(), texts.length)
      const wanted = dimensions ?? vectors[0]?.length ?? 0
      for (const vector of vectors)
        if (vector.length !== wanted) throw new RunnerFailure('protocol', because([['vector_length', vector.length, wanted]]))
      return vectors
    } catch (thrown) {
      throw redactFailure(asRunnerFailure(thrown), redact)
    } finally {
      reader?.cancel()
      scope.release()
    }
  }

  async function embedBatch(texts: readonly string[], { patient, signal }: EmbedOptions): Promise<Float32Array[]> {
    const call = { timeoutMs, clock, called: 'embeddings endpoint' as const, ...(signal && { signal }) }
    const once = () => guarded(breaker, (inner) => request(texts, inner), call)
    return patient ? patiently(once, { breaker, clock, ...(signal && { signal }) }) : once()
  }

  return {
    name: `openai:${model}${dimensions === undefined ? '' : `:${dimensions}`}`,
    async embed(texts, options = {}) {
      const sent = texts.map((text) => storedText(text.slice(0, mostCharacters)).trim() || '-')
      const keys = await Promise.all(sent.map((text) => sha256Hex(text)))
      const found = new Map<string, Float32Array>()
      const missing = new Map<string, string>()
      for (const [place, key] of keys.entries()) {
        const vector = cache.get(key)
        if (vector === undefined) {
          missing.set(key, sent[place] ?? '')
          continue
        }
        keep(key, vector)
        found.set(key, vector)
      }
      const left = [...missing.keys()]
      for (const texts of batches([...missing.values()], { count: batch, bytes: maxBatchBytes })) {
        for (const vector of await embedBatch(texts, options)) {
          const key = left.shift() ?? ''
          found.set(key, vector)
          keep(key, vector)
        }
      }
      const vectors = keys.map((key) => found.get(key) as Float32Array)
      if (vectors.every((vector) => vector.length === vectors[0]?.length)) return vectors
      // Those of the model before it was changed are worth nothing.
      cache.clear()
      throw new ServiceUnavailable('the embeddings endpoint has changed the length of its vectors', 'fault')
    },
  }
}

/** How much one request may carry. */
interface BatchLimits {
  readonly count: number
  readonly bytes: number
}

/** Splits texts into batches of bounded count and size; a text larger than a batch gets its own. */
function batches(texts: readonly string[], { count, bytes }: BatchLimits): string[][] {
  const cut: string[][] = []
  let current: string[] = []
  let size = 0
  for (const text of texts) {
    const length = utf8Length(text)
    if (current.length > 0 && (current.length >= count || size + length > bytes)) {
      cut.push(current)
      current = []
      size = 0
    }
    current.push(text)
    size += length
  }
  if (current.length > 0) cut.push(current)
  return cut
}

/** Reads the body of an embeddings response: one vector for each of `count` texts, in their order; throws a RunnerFailure for anything else. */
function readEmbeddings(body: string, count: number): Float32Array[] {
  const parsed = parseJson(body)
  if (!isFields(parsed)) throw protocolFailure('the response is not a JSON object', body)
  const { data } = parsed
  if (!Array.isArray(data)) throw errorObjectFailure(parsed) ?? protocolFailure('the response has no list "data"', body)
  if (data.length !== count) throw protocolFailure(`the response has ${data.length} embeddings for ${count} texts`, '…')
  const vectors = new Array<Float32Array | undefined>(count)
  for (const entry of data as readonly unknown[]) {
    const { index, embedding } = isFields(entry) ? entry : {}
    if (typeof index !== 'number' || !Number.isInteger(index) || index < 0 || index >= count)
      throw protocolFailure('an embedding has no index of its text', String(JSON.stringify(index)))
    if (vectors[index] !== undefined) throw protocolFailure('two embeddings have the same index', String(index))
    vectors[index] = readVector(embedding)
  }
  return vectors as Float32Array[]
}

/** A vector is a list of numbers, or little-endian 32-bit numbers in base64. */
function readVector(embedding: unknown): Float32Array {
  const vector = typeof embedding === 'string' ? fromBase64(embedding) : fromNumbers(embedding)
  if (vector === undefined || vector.length === 0) throw protocolFailure('an embedding is not a list of numbers', shown(embedding))
  if (!vector.every(Number.isFinite)) throw protocolFailure('an embedding holds a number that is not finite', shown(embedding))
  return vector
}

function fromNumbers(embedding: unknown): Float32Array | undefined {
  return Array.isArray(embedding) && embedding.every((value) => typeof value === 'number') ? Float32Array.from(embedding) : undefined
}

function fromBase64(text: string): Float32Array | undefined {
  const binary = decoded(text)
  if (binary === undefined || binary.length % 4 !== 0) return undefined
  const view = new DataView(Uint8Array.from(binary, (byte) => byte.charCodeAt(0)).buffer)
  return Float32Array.from({ length: binary.length / 4 }, (_, place) => view.getFloat32(place * 4, true))
}

function decoded(text: string): string | undefined {
  try {
    return atob(text)
  } catch {
    return undefined
  }
}

function shown(embedding: unknown): string {
  return String(JSON.stringify(embedding)).slice(0, 80)
}
