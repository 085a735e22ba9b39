import { HttpError } from '@stickler/core/internal/apis'
import type { Exchange, Route } from '../../front/exchange.ts'
import { sendText } from '../../front/replies/json-response.ts'
import { openSse, type SseWriter } from '../../front/replies/sse-writer.ts'
import { askStore } from '../../records/store/ask-store.ts'
import type { RunFeed } from '../../records/store/queries/list-runs.ts'
import type { RunMatch } from '../../records/store/queries/run-filter.ts'
import { type LiveFeed, type LiveListener, livePageSize, type RunSource } from './live-feed.ts'
import { isCursor } from './query-reader.ts'
import { type FilterSettings, owned, readLiveFilter } from './read-filter.ts'
import { liveDescription } from './run-descriptions.ts'

const mostListeners = 64
/** One key cannot take the places of all others. */
const mostOfOneKey = 16
/** A client with more unread data is disconnected; it resumes with its cursor. */
const mostBuffered = 256 * 1024

/** What the live route needs. */
interface LiveRouteParts extends FilterSettings {
  readonly queries: RunSource
  readonly feed: LiveFeed
  readonly heartbeatMs?: number
}

/** Makes the route that sends runs as they are committed, as server-sent events with the cursor as their id. */
export function liveRoute(parts: LiveRouteParts): Route {
  const listeners = new Map<string, number>()
  return {
    method: 'GET',
    path: '/api/v1/live',
    access: 'read',
    description: liveDescription,
    handler: (exchange) => send(exchange, parts, listeners),
  }
}

async function send(
  exchange: Exchange,
  { queries, feed, heartbeatMs = 15_000, ...settings }: LiveRouteParts,
  listeners: Map<string, number>,
): Promise<void> {
  const { key } = exchange.identity
  const { match: given, cursor } = readLiveFilter(exchange.query, settings)
  const match: RunMatch = { ...given, ...owned(exchange.identity) }
  const asked = resumedFrom(exchange) ?? cursor
  if (exchange.method === 'HEAD') return sendText(exchange, 200, '', 'text/event-stream; charset=utf-8')
  const { cursor: now } = await askStore(queries.runsSince(undefined, 0))
  const own = listeners.get(key) ?? 0
  if (feed.size >= mostListeners || (key !== '' && own >= mostOfOneKey)) {
    throw new HttpError(503, 'Too many clients are listening; try again in a moment.', {
      code: 'overloaded',
      headers: { 'retry-after': '5' },
    })
  }
  const stream = new LiveStream(match, queries)
  // Joined before older runs are fetched, so that none is missed.
  const leave = feed.join(stream, now)
  listeners.set(key, own + 1)
  try {
    // A cursor that the store rejects is reported before the stream starts.
    const first = await askStore(queries.runsSince(asked ?? now, livePageSize, match))
    if (exchange.signal.aborted) return
    const writer = openSse(exchange, { heartbeatMs, heartbeat: () => ': \n\n', maxBufferedBytes: mostBuffered })
    exchange.signal.addEventListener('abort', () => stream.end())
    exchange.response.once('close', () => stream.end())
    await stream.run(writer, first)
    writer.end()
  } finally {
    leave()
    const left = (listeners.get(key) ?? 1) - 1
    if (left > 0) listeners.set(key, left)
    else listeners.delete(key)
  }
}

/** Browsers send the id of the last event in a header when they reconnect, but cannot set one on the first request. */
function resumedFrom({ request }: Exchange): string | undefined {
  const last = request.headers['last-event-id']
  return typeof last === 'string' && last !== '' && isCursor(last) ? last : undefined
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
  readonly #match: RunMatch
  readonly #source: RunSource
  /** Whether only the store can tell which runs match. */
  readonly #isFiltered: boolean
  #overflowed = false
  #writer: SseWriter | undefined
  /** Runs that were sent as missed ones, and may come from the feed too. */
  readonly #sent = new Set<string>()
  /** The cursor up to which a filtered stream has been sent. */
  #cursor = ''
  #reading: Promise<void> = Promise.resolve()
  readonly #ended: Promise<void>
  #end: () => void = () => {}

  /** Takes which runs it sends, and where they come from. */
  constructor(match: RunMatch, source: RunSource) {
    const { owner: _owner, ...others } = match
    this.#match = match
    this.#source = source
    this.#isFiltered = Object.keys(others).length > 0
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
  async run(writer: SseWriter, first: RunFeed): Promise<void> {
    this.#writer = writer
    void writer.write(`retry: ${reconnectMs}\n${idOf(first)}event: ready\ndata: {}\n\n`)
    try {
      await this.#catchUp(writer, first)
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

  async #catchUp(writer: SseWriter, first: RunFeed): Promise<void> {
    for (let page = first; !writer.closed; page = await this.#source.runsSince(page.cursor, livePageSize, this.#match)) {
      this.#cursor = page.cursor
      if (page.runs.length === 0) return
      await writer.write(frameOf(page))
      for (const { id } of page.runs) this.#sent.add(id)
      if (page.runs.length < livePageSize) return
      if (this.#sent.size >= mostMissed) return void writer.write(missed)
    }
  }

  #send(page: RunFeed): void {
    if (this.#isFiltered) {
      this.#reading = this.#reading.then(() => this.#readUpTo(page)).catch(() => this.end())
      return
    }
    const { owner } = this.#match
    const own = owner === undefined ? page.runs : page.runs.filter(({ key }) => key === owner)
    const fresh = this.#sent.size === 0 ? own : own.filter(({ id }) => !this.#sent.delete(id))
    void this.#writer?.write(frameOf(fresh.length === page.runs.length ? page : { runs: fresh, cursor: page.cursor }))
  }

  /** The page only says that there are new runs; the store reads those that match. */
  async #readUpTo({ cursor }: RunFeed): Promise<void> {
    while (Number(this.#cursor) < Number(cursor) && this.#writer?.closed === false) {
      const page = await this.#source.runsSince(this.#cursor, livePageSize, this.#match)
      if (page.cursor === this.#cursor) return
      this.#cursor = page.cursor
      await this.#writer.write(frameOf(page))
    }
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
