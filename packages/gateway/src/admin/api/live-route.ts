import { ownerOf } from '../../front/access/roles.ts'
import type { Exchange, Route } from '../../front/exchange.ts'
import { HttpError } from '../../front/replies/http-error.ts'
import { sendText } from '../../front/replies/json-response.ts'
import { openSse } from '../../front/replies/sse-writer.ts'
import { askStore } from '../../records/store/ask-store.ts'
import { type LiveFeed, livePageSize, type RunSource } from './live-feed.ts'
import { LiveStream } from './live-stream.ts'
import { isCursor, QueryReader } from './query-reader.ts'
import { liveDescription } from './run-descriptions.ts'

const mostListeners = 64
/** A client that leaves more unread is cut off; it comes back with its cursor. */
const mostBuffered = 256 * 1024

/** What the live route needs. */
export interface LiveRouteParts {
  readonly queries: RunSource
  readonly feed: LiveFeed
  readonly heartbeatMs?: number
}

/** Makes the route that sends runs as they are committed, as server-sent events with the cursor as their id. */
export function liveRoute(parts: LiveRouteParts): Route {
  return { method: 'GET', path: '/api/v1/live', access: 'read', description: liveDescription, handler: (exchange) => send(exchange, parts) }
}

async function send(exchange: Exchange, { queries, feed, heartbeatMs = 15_000 }: LiveRouteParts): Promise<void> {
  const asked = readCursor(exchange)
  const owner = ownerOf(exchange.identity)
  if (exchange.method === 'HEAD') return sendText(exchange, 200, '', 'text/event-stream; charset=utf-8')
  const { cursor: now } = await askStore(queries.runsSince(undefined, 0))
  if (feed.size >= mostListeners) {
    throw new HttpError(503, 'Too many clients listen already; try again in a moment.', {
      code: 'overloaded',
      headers: { 'retry-after': '5' },
    })
  }
  const stream = new LiveStream(owner)
  // Joined before older runs are fetched, so that none can fall between.
  const leave = feed.join(stream, now)
  try {
    // A cursor that the store refuses is told before the stream begins.
    const first = await askStore(queries.runsSince(asked ?? now, livePageSize, owner))
    if (exchange.signal.aborted) return
    const writer = openSse(exchange, { heartbeatMs, heartbeat: () => ': \n\n', maxBufferedBytes: mostBuffered })
    exchange.signal.addEventListener('abort', () => stream.end())
    exchange.response.once('close', () => stream.end())
    await stream.run(writer, queries, first)
    writer.end()
  } finally {
    leave()
  }
}

/** Browsers bring the id of the last event in a header when they come back, and cannot set one when they come first. */
function readCursor({ request, query }: Exchange): string | undefined {
  const asked = new QueryReader(query, ['cursor']).cursor('cursor')
  const last = request.headers['last-event-id']
  return typeof last === 'string' && last !== '' && isCursor(last) ? last : asked
}
