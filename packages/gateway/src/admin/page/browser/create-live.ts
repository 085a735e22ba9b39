import type { RunSummary } from '../../../records/run/run-record.ts'
import type { Api } from './create-api.ts'
import type { createEventReader, EventReader } from './create-event-reader.ts'
import type { PageHost } from './page-host.ts'

/** The callbacks of a listener. */
interface LiveListener {
  /** Connected: runs arrive from now on; earlier ones must be requested. */
  begun(): void
  runs(runs: readonly RunSummary[]): void
  /** The connection is lost, and is retried when `again` is set. */
  lost(error: unknown, again: boolean): void
}

/** Makes a listener to new runs, which reconnects and misses none. */
export function createLive(
  host: Pick<PageHost, 'setTimeout' | 'clearTimeout'>,
  { ask, statusOf }: Pick<Api, 'ask' | 'statusOf'>,
  makeReader: typeof createEventReader,
  listener: LiveListener,
) {
  const longestSilenceMs = 45_000
  const longestPauseMs = 30_000
  let stopper = new AbortController()
  let timer: unknown
  let failures = 0
  let cursor = ''

  const tell = (name: string, data: string, isFirst: boolean): void => {
    if (name === 'runs') listener.runs((JSON.parse(data) as { readonly items: readonly RunSummary[] }).items)
    else if (name === 'missed' || (name === 'ready' && isFirst)) listener.begun()
  }

  const read = async (response: Response, events: EventReader, alive: () => void): Promise<void> => {
    const isFirst = cursor === ''
    const bytes = response.body?.getReader()
    const decoder = new TextDecoder()
    while (bytes !== undefined) {
      const { done, value } = await bytes.read()
      if (done) return
      alive()
      failures = 0
      for (const { name, data } of events.push(decoder.decode(value, { stream: true }))) tell(name, data, isFirst)
      cursor = events.lastId
    }
  }

  const listen = async (own: AbortController): Promise<void> => {
    // A connection that died silently is detected by missing heartbeats.
    const ends = new AbortController()
    const end = () => ends.abort()
    own.signal.addEventListener('abort', end)
    let silence = host.setTimeout(end, longestSilenceMs)
    const alive = () => {
      host.clearTimeout(silence)
      silence = host.setTimeout(end, longestSilenceMs)
    }
    try {
      const response = await ask(`api/v1/live${cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`}`, { signal: ends.signal })
      await read(response, makeReader(cursor), alive)
      throw new Error('The gateway has ended the live updates.')
    } catch (error) {
      if (own.signal.aborted) return
      const status = statusOf(error)
      const again = status !== 401 && status !== 403
      // A cursor of another store is invalid.
      if (status === 400) cursor = ''
      failures++
      if (again) timer = host.setTimeout(() => void listen(own), Math.min(500 * 2 ** failures, longestPauseMs))
      listener.lost(error, again)
    } finally {
      host.clearTimeout(silence)
      own.signal.removeEventListener('abort', end)
      end()
    }
  }

  const stop = (): void => {
    host.clearTimeout(timer)
    stopper.abort()
  }

  return {
    stop,

    /** Starts over: missed runs are requested again. */
    start(): void {
      stop()
      stopper = new AbortController()
      cursor = ''
      failures = 0
      void listen(stopper)
    },
  }
}
