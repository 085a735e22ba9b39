import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Client, createClient } from '../api/client.ts'
import type { Me } from '../api/types.ts'
import { createFormat, type Format } from '../format/format.ts'
import type { Shortcut } from './keyboard.ts'
import { createRouter, type Router } from './router.ts'
import { createRunList, type RunList } from './run-list.ts'
import { createTheme, type Theme } from './theme.ts'

/** What the pages share. */
export interface Services {
  readonly client: Client
  readonly router: Router
  readonly theme: Theme
  readonly format: Format
  /** Who is looking; undefined until the gateway has said. */
  readonly me: Signal<Me | undefined>
  /** The gateway's time, which moves on once in a while; for relative times. */
  readonly now: ReadonlySignal<number>
  /** Takes over the gateway's time. */
  setClock(now: number): void
  /** The line that screen readers announce, such as "Copied". */
  readonly notice: Signal<string>
  readonly runList: RunList
  /** The ids of the runs that were listed last; a run's page leads to its neighbours. */
  readonly shownRuns: ReadonlySignal<readonly string[]>
  /** The keys that the components on the page listen to. */
  readonly shortcuts: Set<() => readonly Shortcut[]>
  /** Pixels for the content, beside the rail. */
  readonly space: ReadonlySignal<number>
  /** Where the gateway is, with the path of a proxy. */
  readonly origin: string
  readonly window: Window & typeof globalThis
}

const tickMs = 5000

/** Makes what the pages share, from the browser's window; `base` is the path of a proxy before the gateway, without a slash at its end. */
export function createServices(window: Window & typeof globalThis, base: string): Services {
  const now = signal(Date.now())
  let skew = 0
  window.setInterval(() => {
    now.value = Date.now() + skew
  }, tickMs)
  const space = signal(spaceOf(window.innerWidth))
  window.addEventListener('resize', () => {
    space.value = spaceOf(window.innerWidth)
  })
  const client = createClient({
    base,
    sessionStorage: window.sessionStorage,
    fetch: (address, options) => window.fetch(address, options),
  })
  const runList = createRunList(client)
  return {
    client,
    router: createRouter(
      {
        location: window.location,
        history: window.history,
        addEventListener: (type, listener) => window.addEventListener(type, listener),
      },
      base,
    ),
    theme: createTheme({
      document: window.document,
      localStorage: window.localStorage,
      matchMedia: (query) => window.matchMedia(query),
    }),
    format: createFormat(),
    me: signal(undefined),
    now,
    setClock(told) {
      skew = told - Date.now()
      now.value = told
    },
    notice: signal(''),
    runList,
    shownRuns: computed(() => runList.rows.value.map(({ id }) => id)),
    shortcuts: new Set(),
    space,
    origin: window.location.origin + base,
    window,
  }
}

/** As the style sheet has it: the rail and the edges, or the edges alone. */
function spaceOf(width: number): number {
  return width > 900 ? width - 216 - 48 - 16 : width - 32
}

/** Hands the services down to the pages. */
export const ServicesContext = createContext<Services | undefined>(undefined)

/** What the pages share. */
export function useServices(): Services {
  const services = useContext(ServicesContext)
  if (services === undefined) throw new Error('there are no services around this component')
  return services
}
