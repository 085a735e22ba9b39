import type { RunSummary } from '../../../records/run/run-record.ts'
import type { KeptRun } from '../../../records/run/stored-record.ts'
import type { Stats } from '../../../records/store/queries/stats.ts'
import type { ParserView } from '../../../services/parsing/circuit-changes.ts'
import { createApi } from './create-api.ts'
import { createEventReader } from './create-event-reader.ts'
import { createFormat } from './create-format.ts'
import { createGrouping } from './create-grouping.ts'
import { createLive } from './create-live.ts'
import { createRunsTable } from './create-runs-table.ts'
import { createView } from './create-view.ts'
import type { PageDialog, PageField, PageHost } from './page-host.ts'
import { type DescribedContract, showContracts, showParser } from './show-contracts.ts'
import { showRun } from './show-run.ts'
import { type ShownSession, showSession } from './show-session.ts'
import { showStats } from './show-stats.ts'

interface RunList {
  readonly items: readonly RunSummary[]
  readonly next?: string
}

/** Starts the page. */
export function startPage(host: PageHost): void {
  const firstRows = 100
  const olderRows = 200
  const mostRows = 1000
  const refreshMs = 5000
  const refreshAnywayMs = 300_000
  const { document } = host
  const format = createFormat()
  const grouping = createGrouping()
  const view = createView(host, format)
  const api = createApi(host)
  const placeOf = (kind: string, id: string): string => `#${kind}=${encodeURIComponent(id)}`
  const goTo = (kind: string) => (id: string) => {
    host.location.hash = placeOf(kind, id)
  }
  const table = createRunsTable(view, format, grouping, goTo('run'), goTo('session'))
  const { at } = view
  const dialog = at('run-dialog') as PageDialog
  const filter = at('status-filter') as PageField

  let runs: readonly RunSummary[] = []
  let room = firstRows
  let hasOlder = false
  let fresh = 0
  let calmMs = 0
  let retry: unknown
  /** Replies to outdated requests are ignored. */
  let turn = 0

  const say = (text: string): void => {
    if (at('status').textContent !== text) at('status').textContent = text
  }

  const fail = (error: unknown): void => {
    if (api.statusOf(error) !== 401) {
      say(error instanceof Error ? format.clamp(error.message, 300).shown : 'Something went wrong.')
      return
    }
    live.stop()
    say(api.hasKey() ? 'The gateway does not know this key.' : 'The gateway requires a key.')
    at('key-form').hidden = false
    at('content').hidden = true
    at('forget-key').hidden = true
    at('key').focus()
  }

  const add = (more: readonly RunSummary[]): void => {
    runs = grouping.merge(runs, more, room + 1)
    if (runs.length > room) hasOlder = true
    runs = runs.slice(0, room)
    table.show(runs)
    at('no-runs').hidden = runs.length > 0
    at('older').hidden = !hasOlder || room >= mostRows
  }

  const load = async (limit: number, until: string): Promise<void> => {
    const asked = turn
    const query = new URLSearchParams({ limit: String(limit), status: filter.value, until })
    const { items, next } = await api.get<RunList>(`api/v1/runs?${query}`)
    if (asked !== turn) return
    hasOlder = next !== undefined
    add(items)
  }

  const loadNewest = (): Promise<void> => {
    turn++
    runs = []
    room = firstRows
    return load(firstRows, '')
  }

  const loadStats = async (): Promise<void> => showStats(host, view, format, grouping, await api.get<Stats>('api/v1/stats'))

  const loadContracts = async (): Promise<void> => {
    try {
      const { items } = await api.get<{ readonly items: readonly DescribedContract[] }>('api/v1/contracts')
      showContracts(view, format, items)
      at('contracts-part').hidden = false
    } catch (error) {
      // Clients see their own runs, but no contracts.
      if (api.statusOf(error) !== 403) throw error
      at('contracts-part').hidden = true
    }
  }

  /** Clients cannot read it, and the rest of the page works without it. */
  const loadParser = async (): Promise<void> => {
    try {
      const { parser } = await api.get<{ readonly parser: ParserView | null }>('api/v1/parser')
      showParser(view, format, parser)
    } catch {
      at('parser-part').hidden = true
    }
  }

  const loadAll = async (): Promise<void> => {
    await Promise.all([loadNewest(), loadStats(), loadContracts(), loadParser()])
    at('key-form').hidden = true
    at('content').hidden = false
    at('forget-key').hidden = !api.hasKey()
    say('Live.')
  }

  const isSeen = (): boolean => document.visibilityState !== 'hidden'

  /** Numbers are refreshed slowly, to spare the gateway and screen readers. */
  const refresh = (): void => {
    host.setTimeout(refresh, refreshMs)
    calmMs += refreshMs
    if (!at('content').hidden && isSeen() && !at('parser-part').hidden) void loadParser()
    if (at('content').hidden || !isSeen() || (fresh === 0 && calmMs < refreshAnywayMs)) return
    if (fresh > 0) say(`Live. ${format.number(fresh)} new ${fresh === 1 ? 'run' : 'runs'}.`)
    fresh = 0
    calmMs = 0
    loadStats().catch(fail)
  }

  const live = createLive(host, api, createEventReader, {
    begun() {
      loadAll().catch((error: unknown) => {
        fail(error)
        host.clearTimeout(retry)
        if (api.statusOf(error) !== 401) retry = host.setTimeout(() => isSeen() && live.start(), refreshMs)
      })
    },
    runs(told) {
      fresh += told.length
      add(filter.value === '' ? told : told.filter(({ status }) => status === filter.value))
    },
    lost: (error, again) => (again && api.statusOf(error) === 0 ? say('Not connected; trying again.') : fail(error)),
  })

  const shown = {
    run: {
      title: 'Run',
      load: async (id: string) => {
        const run = await api.get<KeptRun>(`api/v1/runs/${encodeURIComponent(id)}`)
        return () => showRun(view, format, grouping, run)
      },
    },
    session: {
      title: 'Session',
      load: async (id: string) => {
        const session = await api.get<ShownSession>(`api/v1/sessions/${encodeURIComponent(id)}`)
        return () => showSession(view, format, grouping, session, goTo('run'))
      },
    },
  }

  const openDialog = async (kind: 'run' | 'session', id: string): Promise<void> => {
    at('run-title').textContent = shown[kind].title
    at('run').replaceChildren('Loading…')
    if (!dialog.open) dialog.showModal()
    try {
      const show = await shown[kind].load(id)
      if (host.location.hash === placeOf(kind, id)) show()
    } catch (error) {
      if (api.statusOf(error) === 401) dialog.close()
      at('run').replaceChildren(error instanceof Error ? format.clamp(error.message, 300).shown : '')
      if (api.statusOf(error) === 401) fail(error)
    }
  }

  const followHash = (): void => {
    const [, kind, coded] = /^#(run|session)=(.{1,2400})$/.exec(host.location.hash) ?? []
    let id = ''
    try {
      id = decodeURIComponent(coded ?? '')
    } catch {
      // Another tab may have written it.
    }
    if (id !== '') void openDialog(kind === 'session' ? 'session' : 'run', id)
    else if (dialog.open) dialog.close()
  }

  dialog.addEventListener('close', () => {
    if (host.location.hash !== '') host.location.hash = ''
  })
  at('close-run').addEventListener('click', () => dialog.close())
  at('older').addEventListener('click', () => {
    room = Math.min(mostRows, runs.length + olderRows)
    // Runs of the same millisecond arrive again, and are deduplicated.
    load(olderRows, String((runs.at(-1)?.at ?? 0) + 1)).catch(fail)
  })
  filter.addEventListener('change', () => void loadNewest().catch(fail))
  at('key-form').addEventListener('submit', (event) => {
    event.preventDefault()
    const field = at('key') as PageField
    const isKey = field.value.trim() !== '' && api.useKey(field.value)
    field.value = ''
    if (isKey) live.start()
    else say('This is not a valid key.')
  })
  at('forget-key').addEventListener('click', () => {
    api.useKey('')
    turn++
    runs = []
    add(runs)
    for (const id of ['totals', 'strip', 'usage', 'codes', 'contracts', 'parser', 'parser-changes', 'run']) at(id).replaceChildren()
    live.start()
  })
  // Browsers open few connections per host, so a hidden tab holds none.
  document.addEventListener('visibilitychange', () => (isSeen() ? live.start() : live.stop()))
  host.addEventListener('hashchange', followHash)
  live.start()
  refresh()
  followHash()
}
