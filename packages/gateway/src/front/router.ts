import { ConfigurationError } from '@stickler/core'
import { HttpError } from '@stickler/core/internal/apis'
import type { Route } from './exchange.ts'

/** The routes of one path. */
interface PathEntry {
  readonly methods: ReadonlyMap<string, Route>
  /** Value of the `allow` header. */
  readonly allow: string
  /** Any of the routes, for the shape of errors. */
  readonly first: Route
}

/** The match of a path. */
interface Match {
  readonly entry: PathEntry
  readonly params: Readonly<Record<string, string>>
}

/** Finds routes by path. */
export interface Router {
  /** Only exact spellings match; nothing is normalised, so no other spelling reaches a route. */
  find(path: string): Match | undefined
}

const noParams: Readonly<Record<string, string>> = Object.freeze(Object.create(null))

/** Prepares the maps of a router once. */
export function createRouter(routes: readonly Route[]): Router {
  const exact = new Map<string, Match>()
  const patterns = new Map<number, Pattern[]>()
  const prefixes: (readonly [prefix: string, match: Match])[] = []
  for (const [path, group] of groupByPath(routes)) {
    const entry = pathEntry(path, group)
    const segments = path.split('/')
    if (path.endsWith('/*')) prefixes.push([path.slice(0, -1), { entry, params: noParams }])
    else if (!path.includes('/:')) exact.set(path, { entry, params: noParams })
    else patterns.set(segments.length, [...(patterns.get(segments.length) ?? []), { segments, entry }])
  }
  const findPattern = (path: string): Match | undefined => {
    if (patterns.size === 0) return undefined
    const segments = path.split('/')
    for (const { segments: wanted, entry } of patterns.get(segments.length) ?? []) {
      const params = matchSegments(wanted, segments)
      if (params !== undefined) return { entry, params }
    }
    return undefined
  }
  const findBelow = (path: string): Match | undefined => prefixes.find(([prefix]) => `${path}/`.startsWith(prefix))?.[1]
  return {
    find(path) {
      const match = exact.get(path)
      if (match !== undefined) return match
      try {
        return findPattern(path) ?? findBelow(path)
      } catch (error) {
        const below = findBelow(path)
        if (below === undefined) throw error
        return below
      }
    },
  }
}

interface Pattern {
  readonly segments: readonly string[]
  readonly entry: PathEntry
}

function groupByPath(routes: readonly Route[]): Map<string, Route[]> {
  const groups = new Map<string, Route[]>()
  for (const route of routes) {
    if (!/^\/(?:[\w.~-]+|:\w+)?(?:\/(?:[\w.~-]+|:\w+))*(?:\/\*)?$/.test(route.path)) throw wrongRoute(route, 'is not a path')
    const group = groups.get(route.path)
    if (group === undefined) groups.set(route.path, [route])
    else group.push(route)
  }
  return groups
}

function pathEntry(path: string, routes: readonly Route[]): PathEntry {
  const methods = new Map<string, Route>()
  const [first] = routes
  if (first === undefined) throw new RangeError(`no route for ${path}`)
  for (const route of routes) {
    if (methods.has(route.method)) throw wrongRoute(route, 'is duplicated')
    methods.set(route.method, route)
    if (route.method === 'GET') methods.set('HEAD', route)
  }
  return { methods, allow: [...methods.keys()].join(', '), first }
}

function wrongRoute({ method, path }: Route, what: string): ConfigurationError {
  return new ConfigurationError([{ message: `the route ${method} ${path} ${what}`, path: ['routes'] }])
}

function matchSegments(wanted: readonly string[], segments: readonly string[]): Readonly<Record<string, string>> | undefined {
  const params: Record<string, string> = Object.create(null)
  for (const [index, want] of wanted.entries()) {
    const segment = segments[index] ?? ''
    if (!want.startsWith(':')) {
      if (want !== segment) return undefined
      continue
    }
    const value = decodeSegment(segment)
    if (!isPlainSegment(value)) return undefined
    params[want.slice(1)] = value
  }
  return params
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new HttpError(400, 'The path is not encoded correctly.', { code: 'invalid_path' })
  }
}

// A value that could be read as a path is not accepted.
function isPlainSegment(value: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is the pattern.
  return value !== '' && value !== '.' && value !== '..' && !/[/\\\u0000-\u001f\u007f]/.test(value)
}
