import { ConfigurationError } from '@stickler/core'
import { because, clamp, isFields, type Reason, redactor } from '@stickler/core/internal'
import { lazyService } from '@stickler/node/internal/services'
import { RetrieverUnavailable } from '../../retriever.ts'
import type { SearchAddress } from './address.ts'

/** One request to a search server. */
interface SearchCall {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Lines of a bulk request, in place of a body. */
  readonly lines?: readonly unknown[]
}

/** Sends requests through the official client; rejects with SearchRefused for an error status, with RetrieverUnavailable for everything else. */
export interface Wire {
  send(call: SearchCall, signal?: AbortSignal): Promise<Readonly<Record<string, unknown>>>
  close(): Promise<void>
}

/** The server's own error for a request. */
export class SearchRefused extends RetrieverUnavailable {
  readonly status: number
  /** Such as `index_not_found_exception`. */
  readonly type: string

  constructor(reason: Reason, status: number, type: string) {
    super(reason)
    this.status = status
    this.type = type
  }
}

/** What both official clients have in common. */
interface SearchClient {
  readonly transport: { request(params: object, options: object): Promise<unknown> }
  close(): Promise<void>
}

const longestReason = 200

/** Loads the client for an address on the first request. */
export function openWire(address: SearchAddress, timeoutMs: number): Wire {
  const redact = redactor(address.secrets)
  const service = lazyService({
    open: () => openClient(address),
    close: (client) => client.close(),
    closed: () => new RetrieverUnavailable('the index is closed'),
  })

  function told(thrown: unknown): RetrieverUnavailable {
    const { name, message, statusCode, meta } =
      isFields(thrown) || thrown instanceof Error ? (thrown as Readonly<Record<string, unknown>>) : {}
    const { body } = isFields(meta) ? meta : {}
    const error = isFields(body) && isFields(body.error) ? body.error : {}
    const said = typeof error.reason === 'string' ? error.reason : `${name ?? ''} ${message ?? ''}`.trim()
    const reason = because([['failed', `index in ${address.product}`]], clamp(redact(said), longestReason))
    return typeof statusCode === 'number' ? new SearchRefused(reason, statusCode, String(error.type)) : new RetrieverUnavailable(reason)
  }

  return {
    async send({ method, path, query = {}, body, lines }, signal) {
      signal?.throwIfAborted()
      const client = await service.open()
      const content = lines === undefined ? (body === undefined ? {} : { body }) : { bulkBody: lines.map((line) => JSON.stringify(line)) }
      try {
        const answer = client.transport.request(
          { method, path, querystring: query, ...content },
          { requestTimeout: timeoutMs, maxRetries: 1, signal },
        )
        const result = await unlessAborted(answer, signal)
        // One of the clients wraps the body.
        const found = address.product === 'opensearch' && isFields(result) ? result.body : result
        if (isFields(found)) return found
        throw new Error('the answer is not a JSON object')
      } catch (thrown) {
        signal?.throwIfAborted()
        throw told(thrown)
      }
    },
    close: service.close,
  }
}

/** The OpenSearch client takes no signal. */
function unlessAborted<Result>(answer: Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  if (signal === undefined) return answer
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      if ('abort' in answer && typeof answer.abort === 'function') answer.abort()
      reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}

async function openClient({ product, node, auth }: SearchAddress): Promise<SearchClient> {
  const name = product === 'elasticsearch' ? '@elastic/elasticsearch' : '@opensearch-project/opensearch'
  const { Client } = await loaded(name)
  const isKeyElsewhere = product === 'opensearch' && auth !== undefined && 'apiKey' in auth
  const signIn = isKeyElsewhere ? { headers: { authorization: `ApiKey ${auth.apiKey}` } } : auth === undefined ? {} : { auth }
  return new Client({ node, ...signIn })
}

/** The packages are optional, and so are their types. */
async function loaded(name: string): Promise<{ readonly Client: new (options: object) => SearchClient }> {
  try {
    return await import(name)
  } catch {
    throw new ConfigurationError([{ path: ['retrieval', 'index'], message: `needs the package ${name}: npm install ${name}` }])
  }
}
