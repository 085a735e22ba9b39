import { HttpError } from '@stickler/core/internal/apis'
import { ownerOf } from '../../front/access/roles.ts'
import type { Exchange, Route } from '../../front/exchange.ts'
import { sendText } from '../../front/replies/json-response.ts'
import { openSse, type SseWriter } from '../../front/replies/sse-writer.ts'
import { askStore } from '../../records/store/ask-store.ts'
import type { RunFeed } from '../../records/store/queries/runs-since.ts'
import { type LiveFeed, type LiveListener, livePageSize, type RunSource } from './live-feed.ts'
import { isCursor, QueryReader } from './query-reader.ts'
import { liveDescription } from './run-descriptions.ts'

const mostListeners = 64
/** A client with more unread data is disconnected; it resumes with its cursor. */
const mostBuffered = 256 * 1024

/** What the live route needs. */
interface LiveRouteParts {
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
    throw new HttpError(503, 'Too many clients are listening; try again in a moment.', {
      code: 'overloaded',
      headers: { 'retry-after': '5' },
    })
  }
  const stream = new LiveStream(owner)
  // Joined before older runs are fetched, so that none is missed.
  const leave = feed.join(stream, now)
  try {
    // A cursor that the store rejects is reported before the stream starts.
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

/**
 * Browsers send the id of the last event in a header when they reconnect, but cannot set one on the
 * first request.
 */
function readCursor({ request, query }: Exchange): string | undefined {
  const asked = new QueryReader(query, ['cursor']).cursor('cursor')
  const last = request.headers['last-event-id']
  return typeof last === 'string' && last !== '' && isCursor(last) ? last : asked
}

/** A client that missed more should reload the lists. */
const mostMissed = 1000
const reconnectMs = 2000
const missed = 'event: missed\ndata: {}\n\n'

/** Pages go to many clients, so their frames are encoded once. */
const frames = new WeakMap<RunFeed, string>()

/** What one client is sent: first the runs it missed, then those of the feed, each run once. */
class LiveStream implements LiveListener {
  /** Pages of the feed that wait until older ones have been sent. */
  #waiting: RunFeed[] | undefined = []
  readonly #owner: string | undefined
  #overflowed = false
  #writer: SseWriter | undefined
  /** Runs that were sent as missed ones, and may come from the feed too. */
  readonly #sent = new Set<string>()
  readonly #ended: Promise<void>
  #end: () => void = () => {}

  /** Takes whose runs it sends; all when nothing is given. */
  constructor(owner?: string) {
    this.#owner = owner
    this.#ended = new Promise((resolve) => {
      this.#end = resolve
    })
  }

  page(page: RunFeed): void {
    if (this.#waiting === undefined) this.#send(page)
    else if (this.#waiting.length * livePageSize < mostMissed) this.#waiting.push(page)
    else this.#overflowed = true
  }

  end(): void {
    this.#end()
  }

  /** Sends until the client goes or the feed ends. */
  async run(writer: SseWriter, source: RunSource, first: RunFeed): Promise<void> {
    this.#writer = writer
    void writer.write(`retry: ${reconnectMs}\n${idOf(first)}event: ready\ndata: {}\n\n`)
    try {
      await this.#catchUp(writer, source, first)
    } catch {
      // The client resumes with its cursor, and gets either the runs or an error.
      return
    }
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    if (this.#overflowed) void writer.write(missed)
    for (const page of waiting) this.#send(page)
    await this.#ended
  }

  async #catchUp(writer: SseWriter, source: RunSource, first: RunFeed): Promise<void> {
    for (let page = first; page.runs.length > 0 && !writer.closed; page = await source.runsSince(page.cursor, livePageSize, this.#owner)) {
      await writer.write(frameOf(page))
      for (const { id } of page.runs) this.#sent.add(id)
      if (page.runs.length < livePageSize) return
      if (this.#sent.size >= mostMissed) return void writer.write(missed)
    }
  }

  #send(page: RunFeed): void {
    const own = this.#owner === undefined ? page.runs : page.runs.filter(({ key }) => key === this.#owner)
    const fresh = this.#sent.size === 0 ? own : own.filter(({ id }) => !this.#sent.delete(id))
    void this.#writer?.write(frameOf(fresh.length === page.runs.length ? page : { runs: fresh, cursor: page.cursor }))
  }
}

/** JSON contains no line breaks, so one line of data is one event. */
function frameOf(page: RunFeed): string {
  if (page.runs.length === 0) return ''
  const known = frames.get(page)
  if (known !== undefined) return known
  const made = `${idOf(page)}event: runs\ndata: ${JSON.stringify({ items: page.runs })}\n\n`
  frames.set(page, made)
  return made
}

function idOf({ cursor }: RunFeed): string {
  return isCursor(cursor) ? `id: ${cursor}\n` : ''
}
