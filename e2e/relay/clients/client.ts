import type { Api, Recording } from '../recordings/recording.ts'

/** Where a client sends its requests: the provider itself, or the gateway. */
export interface Place {
  /** With `/v1`. */
  readonly url: string
  readonly model: string
}

/** What a client makes of a reply. */
export interface Decoded {
  /** What it hands out on the way, in order. */
  readonly events?: readonly unknown[]
  /** What it ends with. */
  readonly final?: unknown
  /** What it throws. */
  readonly error?: unknown
}

/** A client as people use it. */
export interface RelayClient {
  readonly name: string
  readonly api: Api
  /** Features that the client has no way to ask for. */
  readonly lacks?: readonly string[]
  /** Recordings that answer in a text what it asks for in a forced tool: under a contract the text becomes the call. */
  readonly forces?: readonly string[]
  /** Makes the request of a recording; undefined where the client has no way to make it. */
  call(place: Place, recording: Recording, stream: boolean): Promise<Decoded> | undefined
}

/** Collects what a client hands out, and what it ends with or throws. */
export async function decoded(
  events: () => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>,
  final: () => unknown,
): Promise<Decoded> {
  const list: unknown[] = []
  try {
    for await (const event of await events()) list.push(plain(event))
    return { events: list, final: plain(await final()) }
  } catch (error) {
    return { events: list, error: thrown(error) }
  }
}

/** The same for a reply that is not streamed. */
export async function decodedWhole(final: () => unknown): Promise<Decoded> {
  try {
    return { final: plain(await final()) }
  } catch (error) {
    return { error: thrown(error) }
  }
}

/** Nothing, for clients that are asked for a whole reply. */
export async function* none(): AsyncGenerator<never> {}

/** What of an error clients act on. */
function thrown(error: unknown): unknown {
  const {
    name,
    message,
    status,
    statusCode,
    code,
    type,
    param,
    error: body,
    data,
    headers,
    responseHeaders,
    isRetryable,
  } = error as Record<string, unknown>
  const kind = (error as object).constructor.name
  const fields = { name, status, statusCode, code, type, param, body, data, isRetryable }
  // Some messages quote the whole reply, the gateway's own field with it.
  return plain({ kind, message: String(message).split('\n')[0], ...fields, headers: entries(headers ?? responseHeaders) })
}

function entries(headers: unknown): unknown {
  return headers instanceof Headers ? Object.fromEntries(headers) : headers
}

// The AI SDK makes up a time where the provider names none.
const aside = new Set(['model', 'modelId', 'model_name', 'stickler', 'timestamp'])
const kept = /^(?:retry-after|x-ratelimit-.*|anthropic-ratelimit-.*)$/

/** Only data, without what the gateway may change: the model's name, its own field and headers. */
function plain(value: unknown): unknown {
  const text = JSON.stringify(value, function (this: unknown, key, one: unknown) {
    if (aside.has(key)) return undefined
    if (one instanceof Error) return { name: one.name, message: one.message }
    if (key === 'headers') return Object.fromEntries(Object.entries(one ?? {}).filter(([name]) => kept.test(name)))
    // Clients that make up ids make up new ones each time.
    if (key === 'id' && (this as { type?: unknown }).type === 'source') return undefined
    // Messages that quote a whole reply.
    return typeof one === 'string' ? one.replace(/"model":"[^"]*",?|,"stickler":\{[^{}]*\}/g, '') : one
  })
  return text === undefined ? undefined : JSON.parse(text)
}
