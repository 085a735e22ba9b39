import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SearchIndex, type Source } from './search-index.ts'
import { Refusal } from './search-refusal.ts'

/** A server on loopback that speaks the part of the protocol of Elasticsearch and OpenSearch that our engine uses: it stores, refreshes, ranks and refuses as they do. */
export interface SearchServer {
  /** Such as `elasticsearch+http://127.0.0.1:1234`. */
  readonly url: string
  /** What was asked, such as `POST /_bulk`. */
  readonly requests: string[]
  readonly authorizations: (string | undefined)[]
  /** Answers in place of the server; gives nothing to let it answer. */
  intercept: ((call: string, response: ServerResponse) => boolean) | undefined
  close(): Promise<void>
}

/** Starts a server that holds nothing. */
export async function startSearch(product: 'elasticsearch' | 'opensearch'): Promise<SearchServer> {
  const indexes = new Map<string, SearchIndex>()
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://server')
    const call = `${request.method} ${pathname}`
    started.requests.push(call)
    started.authorizations.push(request.headers.authorization)
    if (started.intercept?.(call, response)) return
    // The client refuses to talk to anything that does not name itself.
    if (product === 'elasticsearch') response.setHeader('x-elastic-product', 'Elasticsearch')
    const { status, reply } = answered(() => answer(call, body, searchParams, product, indexes))
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const started: SearchServer = {
    url: `${product}+http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    authorizations: [],
    intercept: undefined,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return started
}

function answered(work: () => unknown): { status: number; reply: unknown } {
  try {
    return { status: 200, reply: work() }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return { status: error.status, reply: { error: { type: error.type, reason: error.message }, status: error.status } }
  }
}

function answer(call: string, body: string, query: URLSearchParams, product: string, indexes: Map<string, SearchIndex>): unknown {
  const indexAt = (name = ''): SearchIndex => {
    const index = indexes.get(name)
    if (index === undefined) throw new Refusal(404, 'index_not_found_exception', `no such index [${name}]`)
    return index
  }
  if (call === 'POST /_bulk') return bulk(body, indexAt, query.get('refresh') === 'true', indexes)
  const [, method, name = '', action] = /^(PUT|POST) \/([a-z0-9_-]+)(?:\/(_\w+))?$/.exec(call) ?? []
  const parsed = JSON.parse(body || '{}')
  switch (`${method} ${action}`) {
    case 'PUT undefined':
      if (indexes.has(name)) throw new Refusal(400, 'resource_already_exists_exception', `index [${name}] already exists`)
      indexes.set(name, new SearchIndex(parsed.mappings.properties, product))
      return { acknowledged: true }
    case 'PUT _mapping':
      indexAt(name).addFields(parsed.properties)
      return { acknowledged: true }
    case 'POST _mget':
      return { docs: (parsed.ids as string[]).map((id) => ({ _index: name, ...indexAt(name).get(id) })) }
    case 'POST _search':
      return indexAt(name).search(parsed)
    case 'POST _delete_by_query':
      return { deleted: indexAt(name).deleteByQuery(parsed.query, query.get('refresh') === 'true'), failures: [] }
    default:
      throw new Refusal(400, 'illegal_argument_exception', `unknown call ${call}`)
  }
}

function bulk(body: string, indexAt: (name?: string) => SearchIndex, refresh: boolean, indexes: ReadonlyMap<string, SearchIndex>): unknown {
  const lines = body.split('\n').filter((line) => line !== '')
  const items: Record<string, { status: number }>[] = []
  const touched = new Set<string>()
  for (let at = 0; at < lines.length; at++) {
    const [[action = '', target] = []] = Object.entries(JSON.parse(lines[at] ?? '')) as [
      string,
      { _index: string; _id: string; if_seq_no?: number },
    ][]
    if (target === undefined) throw new Refusal(400, 'illegal_argument_exception', 'malformed action')
    const source = action === 'delete' ? undefined : (JSON.parse(lines[++at] ?? '') as Source)
    const { status, reply } = answered(() => indexAt(target._index).write(action, target._id, source, target.if_seq_no))
    items.push({ [action]: { _index: target._index, _id: target._id, ...(reply as object), status } as { status: number } })
    touched.add(target._index)
  }
  if (refresh) for (const name of touched) indexes.get(name)?.refresh()
  return { errors: items.some((item) => Object.values(item).some(({ status }) => status >= 300)), items }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const piece of request) body += piece
  return body
}
