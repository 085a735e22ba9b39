import { isDeepStrictEqual } from 'node:util'
import { isFields } from '@stickler/core/runners'
import type { GatewayConfig } from '../resolved/gateway-config.ts'

type Path = readonly string[]

/** A key that takes effect only at startup. */
export interface RestartKey {
  /** The key, or several alternatives. */
  readonly keys: readonly [Path, ...Path[]]
  value(config: GatewayConfig): unknown
  /** What the change waits for, where the key is otherwise live. */
  readonly only?: string
}

/**
 * What a gateway sets up at startup and cannot change while running: its sockets, its processes and
 * its database.
 */
export const restartKeys: readonly RestartKey[] = [
  { keys: [['server', 'host']], value: ({ server }) => server.host },
  { keys: [['server', 'port']], value: ({ server }) => server.port },
  { keys: [['server', 'admin']], value: ({ server }) => server.admin },
  { keys: [['server', 'workers']], value: ({ server }) => server.workers },
  // The gRPC server sets its largest message once.
  { keys: [['server', 'bodyLimit']], value: ({ server, grpc }) => grpc && server.bodyLimit, only: 'over gRPC' },
  { keys: [['grpc']], value: ({ grpc }) => grpc },
  {
    keys: [
      ['store', 'url'],
      ['store', 'urlEnv'],
    ],
    value: ({ store }) => store.url,
  },
]

/**
 * Lists the keys that changed since the start and need a restart, each with its place in the file.
 */
export function restartNeeded(started: GatewayConfig, next: GatewayConfig): string[] {
  return restartKeys.flatMap(({ keys, value, only }) => {
    // Without gRPC nothing waits; when it is added or removed, `grpc` itself is listed.
    if (only !== undefined && (started.grpc === undefined || next.grpc === undefined)) return []
    const [first, ...others] = keys
    return changes(first, value(started), value(next)).map((path) => {
      const written = [path, ...others].find((one) => placeOf(next, one) !== undefined) ?? path
      const notes = [only, placeOf(next, written)].filter((note) => note !== undefined)
      return `${written.join('.')}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
    })
  })
}

/**
 * The keys that differ between two values, or the key itself when it was added, removed or is a
 * plain value.
 */
function changes(path: Path, before: unknown, after: unknown): Path[] {
  if (isDeepStrictEqual(before, after)) return []
  if (!isFields(before) || !isFields(after)) return [path]
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name) => changes([...path, name], before[name], after[name]))
}

/** The place of a key; undefined when it is not in the file. */
function placeOf({ file, positionOf }: GatewayConfig, path: Path): string | undefined {
  const own = positionOf?.(path)
  const above = positionOf?.(path.slice(0, -1))
  return own === undefined || isDeepStrictEqual(own, above) ? undefined : `${file}:${own.line}:${own.column}`
}
