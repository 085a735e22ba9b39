import { type ReadonlySignal, type Signal, signal } from '@preact/signals'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Client, createClient } from '../api/client.ts'
import type { Me } from '../api/types.ts'
import { createFormat, type Format } from '../format/format.ts'
import { createRouter, type Router } from './router.ts'
import { createTheme, type Theme } from './theme.ts'

/** What the pages share. */
export interface Services {
  readonly client: Client
  readonly router: Router
  readonly theme: Theme
  readonly format: Format
  /** Who is looking; undefined until the gateway has said. */
  readonly me: Signal<Me | undefined>
  /** Moves on once in a while, for relative times. */
  readonly now: ReadonlySignal<number>
  /** The runs that a list showed last, for the way from one to the next. */
  readonly shownRuns: Signal<readonly string[]>
  /** The one line that screen readers are told, such as "Copied". */
  readonly notice: Signal<string>
  readonly window: Window
}

const tickMs = 10_000

/** Makes what the pages share, from the browser's window. */
export function createServices(window: Window & typeof globalThis): Services {
  const now = signal(Date.now())
  window.setInterval(() => {
    now.value = Date.now()
  }, tickMs)
  return {
    client: createClient({ sessionStorage: window.sessionStorage, fetch: (address, options) => window.fetch(address, options) }),
    router: createRouter({
      location: window.location,
      history: window.history,
      addEventListener: (type, listener) => window.addEventListener(type, listener),
    }),
    theme: createTheme({
      document: window.document,
      localStorage: window.localStorage,
      matchMedia: (query) => window.matchMedia(query),
    }),
    format: createFormat(),
    me: signal(undefined),
    now,
    shownRuns: signal([]),
    notice: signal(''),
    window,
  }
}

/** Hands the services down to the pages. */
export const ServicesContext = createContext<Services | undefined>(undefined)

/** What the pages share. */
export function useServices(): Services {
  const services = useContext(ServicesContext)
  if (services === undefined) throw new Error('there are no services around this component')
  return services
}
