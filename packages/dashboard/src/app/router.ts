import { computed, type ReadonlySignal, signal } from '@preact/signals'

/** The address of the page. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

/** What the router needs from the browser. */
interface RouterHost {
  readonly location: Pick<Location, 'pathname' | 'search' | 'origin'>
  readonly history: Pick<History, 'pushState' | 'replaceState'>
  addEventListener(type: 'popstate', listener: () => void): void
}

/** Where the page is, and how it gets elsewhere. */
export interface Router {
  readonly place: ReadonlySignal<Place>
  /** A path of this page as the browser has it, below the path of a proxy. */
  href(address: string): string
  /** Opens a path of this page. */
  go(address: string, how?: { readonly replace?: boolean }): void
  /** Changes parameters of the address; an empty value removes one. */
  change(values: Readonly<Record<string, string | readonly string[]>>, how?: { readonly replace?: boolean }): void
}

/** Makes the router: the address holds everything that a link to a view needs; `base` is the path of a proxy, before all others. */
export function createRouter(host: RouterHost, base = ''): Router {
  const read = (): string => {
    const { pathname, search } = host.location
    return (pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname) + search
  }
  const href = (address: string): string => base + address
  const address = signal(read())
  const place = computed<Place>(() => {
    const mark = address.value.indexOf('?')
    return {
      path: mark === -1 ? address.value : address.value.slice(0, mark),
      query: new URLSearchParams(mark === -1 ? '' : address.value.slice(mark + 1)),
    }
  })
  host.addEventListener('popstate', () => {
    address.value = read()
  })
  const go: Router['go'] = (to, { replace = false } = {}) => {
    if (to === address.peek()) return
    host.history[replace ? 'replaceState' : 'pushState'](null, '', href(to))
    address.value = to
  }
  return {
    place,
    href,
    go,
    change(values, how) {
      const { path, query } = place.peek()
      go(withQuery(path, changed(query, values)), how)
    },
  }
}

/** A copy of parameters with some of them replaced. */
export function changed(query: URLSearchParams, values: Readonly<Record<string, string | readonly string[]>>): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(values)) {
    next.delete(name)
    for (const one of typeof value === 'string' ? [value] : value) if (one !== '') next.append(name, one)
  }
  return next
}

/** The address of a path with parameters. */
export function withQuery(path: string, query: URLSearchParams): string {
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/** The path of something with a name: `/runs/ID`. */
export function pathOf(room: string, name: string): string {
  return `/${room}/${segmentOf(name)}`
}

/** A name as part of a path; the gateway accepts none that could be read as a path, so these are encoded twice, after a tilde. */
export function segmentOf(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is the pattern.
  const isPlain = !/[/\\\u0000-\u001f\u007f]|^(?:~.*|\.\.?)$/.test(name)
  return encodeURIComponent(isPlain ? name : `~${encodeURIComponent(name)}`)
}

/** The name in part of a path; throws if it is not encoded correctly. */
export function nameIn(segment: string): string {
  const name = decodeURIComponent(segment)
  return name.startsWith('~') ? decodeURIComponent(name.slice(1)) : name
}
