import { createParser } from 'eventsource-parser'
import { ApiError, type Client } from './client.ts'
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
/** The gateway writes no longer lines. */
const longestLine = 4_194_304

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

  /** The browser's own reader cannot send a key. */
  const read = async (response: Response, alive: () => void): Promise<void> => {
    const isFirst = cursor === ''
    const events = createParser({
      maxBufferSize: longestLine,
      onEvent({ event = 'message', data, id = cursor }) {
        tell(event, data, isFirst)
        cursor = id
      },
      onError(error) {
        if (error.type === 'max-buffer-size-exceeded') throw error
      },
    })
    const bytes = response.body?.getReader()
    const decoder = new TextDecoder()
    while (bytes !== undefined) {
      const { done, value } = await bytes.read()
      if (done) return
      alive()
      failures = 0
      events.feed(decoder.decode(value, { stream: true }))
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
      await read(response, alive)
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
