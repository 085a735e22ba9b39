import type { SseWriter } from '../../front/replies/sse-writer.ts'
import type { RunFeed } from '../../records/store/queries/runs-since.ts'
import { type LiveListener, livePageSize, type RunSource } from './live-feed.ts'
import { isCursor } from './query-reader.ts'

/** A client that missed more should ask for the lists again. */
const mostMissed = 1000
const reconnectMs = 2000
const missed = 'event: missed\ndata: {}\n\n'

/** Pages go to many clients, so their frames are made once. */
const frames = new WeakMap<RunFeed, string>()

/** What one client is sent: first what it missed, then what the feed tells, each run once. */
export class LiveStream implements LiveListener {
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
      // The client comes back with its cursor, and finds the store well again or is told.
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

/** JSON has no line breaks of its own, so one line of data is one event whatever the runs hold. */
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
