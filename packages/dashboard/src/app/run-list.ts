import { batch, type ReadonlySignal, signal } from '@preact/signals'
import type { Client } from '../api/client.ts'
import { listenLive } from '../api/live.ts'
import type { Page, RunRow } from '../api/types.ts'

/** How the live updates are. */
type LiveState = 'off' | 'live' | 'lost'

/** The list of runs; it outlives its page, so that a reader who comes back finds it as it was. */
export interface RunList {
  readonly rows: ReadonlySignal<readonly RunRow[]>
  /** Runs that arrived while the reader was looking at others. */
  readonly waiting: ReadonlySignal<readonly RunRow[]>
  readonly isLoading: ReadonlySignal<boolean>
  readonly isEnd: ReadonlySignal<boolean>
  readonly error: ReadonlySignal<unknown>
  readonly live: ReadonlySignal<LiveState>
  /** Where the list was scrolled to, and which row was chosen. */
  readonly view: { top: number; chosen: number | undefined }
  /** Shows the runs of a query; the same query keeps what is there. */
  show(query: string): void
  /** Loads the first page again. */
  reload(): void
  /** Loads the next page. */
  more(): void
  /** Listens to new runs, until it is stopped. */
  listen(filters: URLSearchParams): () => void
  /** While it is held, new runs wait. */
  hold(isHeld: boolean): void
  /** Shows the runs that wait. */
  release(): void
}

/** The first page is quick, the next ones are large. */
const pageSizes = { first: 100, next: 200 }
/** A list that grows at its beginning drops its oldest rows beyond this; paging loads them again. */
const mostLive = 5000

/** Makes the list of runs. */
export function createRunList(client: Client): RunList {
  const rows = signal<readonly RunRow[]>([])
  const waiting = signal<readonly RunRow[]>([])
  const isLoading = signal(false)
  const isEnd = signal(false)
  const error = signal<unknown>(undefined)
  const live = signal<LiveState>('off')
  const known = new Set<string>()
  const view: RunList['view'] = { top: 0, chosen: undefined }
  let query: string | undefined
  /** The parameters of the next page; undefined before the first. */
  let next: Readonly<Record<string, string>> | undefined
  let current = new AbortController()
  let isHeld = false

  const load = async (): Promise<void> => {
    current.abort()
    const own = new AbortController()
    current = own
    isLoading.value = true
    const earlier = new Set(rows.peek())
    try {
      const from = next
      const parameters = new URLSearchParams(query)
      parameters.set('limit', String(from === undefined ? pageSizes.first : pageSizes.next))
      for (const [name, value] of Object.entries(from ?? {})) parameters.set(name, value)
      const page = await client.get<Page<RunRow>>(`runs?${parameters}`, own.signal)
      if (own.signal.aborted) return
      batch(() => {
        if (from === undefined) known.clear()
        const listed = new Set(page.items.map(({ id }) => id))
        // The first page takes the place of what was there, but not of what arrived while it was on its way.
        const before = rows.peek().filter((row) => from !== undefined || !(earlier.has(row) || listed.has(row.id)))
        rows.value = [...before, ...page.items.filter(({ id }) => !known.has(id))]
        for (const { id } of rows.peek()) known.add(id)
        next = { ...from, ...(page.next === undefined ? {} : { cursor: page.next }) }
        isEnd.value = page.next === undefined
        error.value = undefined
        isLoading.value = false
      })
    } catch (thrown) {
      if (own.signal.aborted) return
      batch(() => {
        error.value = thrown
        isLoading.value = false
      })
    }
  }

  const prepend = (fresh: readonly RunRow[]): void => {
    const all = [...fresh, ...rows.peek()]
    const dropped = all.splice(mostLive)
    rows.value = all
    // The chosen row stays the same run.
    if (view.chosen !== undefined) view.chosen += fresh.length
    if (view.chosen !== undefined && view.chosen >= all.length) view.chosen = undefined
    if (dropped.length > 0) pageFrom(dropped)
  }

  /** Lets the next page begin with rows that were dropped. */
  const pageFrom = (dropped: readonly RunRow[]): void => {
    forget(dropped)
    // A page on its way would leave a gap.
    current.abort()
    isLoading.value = false
    isEnd.value = false
    // Runs arrive in the order in which they end, so the newest of them need not be the first.
    next = { until: String(dropped.reduce((latest, { at }) => Math.max(latest, at), 0) + 1) }
  }

  const forget = (dropped: readonly RunRow[]): void => {
    for (const { id } of dropped) known.delete(id)
  }

  const reload = (): void => {
    next = undefined
    waiting.value = []
    void load()
  }

  return {
    ...{ rows, waiting, isLoading, isEnd, error, live, view, reload },

    show(wanted) {
      if (wanted === query) return
      query = wanted
      batch(() => {
        rows.value = []
        isEnd.value = false
        error.value = undefined
      })
      view.top = 0
      view.chosen = undefined
      reload()
    },

    more() {
      if (isLoading.peek() || isEnd.peek() || error.peek() !== undefined) return
      void load()
    },

    listen(filters) {
      const stop = listenLive(client, filters, {
        begun() {
          live.value = 'live'
          // What came between the list and the connection.
          if (!isLoading.peek() && view.top === 0) reload()
        },
        runs(items) {
          live.value = 'live'
          const fresh = items.filter(({ id }) => !known.has(id)).toReversed()
          for (const { id } of fresh) known.add(id)
          if (fresh.length === 0) return
          if (!isHeld) return batch(() => prepend(fresh))
          const all = [...fresh, ...waiting.peek()]
          forget(all.splice(mostLive))
          waiting.value = all
        },
        lost() {
          live.value = 'lost'
        },
      })
      return () => {
        stop()
        live.value = 'off'
      }
    },

    hold(held) {
      isHeld = held
    },

    release() {
      const fresh = waiting.peek()
      batch(() => {
        waiting.value = []
        if (fresh.length >= mostLive) reload()
        else prepend(fresh)
      })
    },
  }
}
