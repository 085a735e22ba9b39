import { ApiError, type Client } from './client.ts'
import { createEventReader, type EventReader } from './event-reader.ts'
import type { RunRow } from './types.ts'

/** The callbacks of a listener. */
export interface LiveListener {
  /** Connected: runs arrive from now on; earlier ones must be requested. */
  begun(): void
  runs(runs: readonly RunRow[]): void
  /** The connection is lost, and is retried when `again` is set. */
  lost(error: unknown, again: boolean): void
}

const longestSilenceMs = 45_000
const longestPauseMs = 30_000

/** Listens to new runs, reconnects and misses none; returns what stops it. */
export function listenLive({ ask }: Pick<Client, 'ask'>, filter: URLSearchParams, listener: LiveListener): () => void {
  const stopper = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let failures = 0
  let cursor = ''

  const tell = (name: string, data: string, isFirst: boolean): void => {
    if (name === 'runs') listener.runs((JSON.parse(data) as { readonly items: readonly RunRow[] }).items)
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

  const listen = async (): Promise<void> => {
    // A connection that died silently is detected by missing heartbeats.
    const ends = new AbortController()
    const end = () => ends.abort()
    stopper.signal.addEventListener('abort', end)
    let silence = setTimeout(end, longestSilenceMs)
    const alive = () => {
      clearTimeout(silence)
      silence = setTimeout(end, longestSilenceMs)
    }
    try {
      const query = new URLSearchParams(filter)
      if (cursor !== '') query.set('cursor', cursor)
      const response = await ask(`live?${query}`, { signal: ends.signal })
      await read(response, createEventReader(cursor), alive)
      throw new ApiError('The gateway has ended the live updates.', 0)
    } catch (error) {
      if (stopper.signal.aborted) return
      const status = error instanceof ApiError ? error.status : 0
      const again = status !== 401 && status !== 403
      // A cursor of another store is invalid.
      if (status === 400) cursor = ''
      failures++
      if (again) timer = setTimeout(() => void listen(), Math.min(500 * 2 ** failures, longestPauseMs))
      listener.lost(error, again)
    } finally {
      clearTimeout(silence)
      stopper.signal.removeEventListener('abort', end)
      end()
    }
  }

  void listen()
  return () => {
    clearTimeout(timer)
    stopper.abort()
  }
}
