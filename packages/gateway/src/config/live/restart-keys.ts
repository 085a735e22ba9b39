import { isDeepStrictEqual } from 'node:util'
import { isFields, valueAt } from '@stickler/core/internal'
import * as z from 'zod'
import type { GatewayConfig } from '../resolved/gateway-config.ts'
import { configSchema } from '../schema/config-schema.ts'
import { atRestart } from '../schema/scalars.ts'

type Path = readonly string[]

/** A key that takes effect only at startup. */
interface RestartKey {
  readonly path: Path
  /** What the change waits for, where the key is otherwise live. */
  readonly only?: string
}

/**
 * What a gateway sets up at startup and cannot change while running: its sockets, its processes and
 * its database. Each is marked where the schema has it.
 */
export const restartKeys: readonly RestartKey[] = markedIn(configSchema, [])

function markedIn(schema: z.core.$ZodType, path: Path): RestartKey[] {
  if (atRestart.has(schema)) return [{ path, ...atRestart.get(schema) }]
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape).flatMap(([key, inner]) => markedIn(inner, [...path, key]))
  return schema instanceof z.ZodPrefault || schema instanceof z.ZodExactOptional ? markedIn(schema.unwrap(), path) : []
}

/**
 * Lists the keys that changed since the start and need a restart, each with its place in the file.
 */
export function restartNeeded(started: GatewayConfig, next: GatewayConfig): string[] {
  return restartKeys.flatMap(({ path, only }) => {
    // Without gRPC nothing waits; when it is added or removed, `grpc` itself is listed.
    if (only !== undefined && (started.grpc === undefined || next.grpc === undefined)) return []
    return changes(path, valueAt(started, path), valueAt(next, path)).map((changed) => {
      // An address may be in the environment instead, and its variable in the file.
      const written = placeOf(next, changed) === undefined && placeOf(next, envOf(changed)) !== undefined ? envOf(changed) : changed
      const notes = [only, placeOf(next, written)].filter((note) => note !== undefined)
      return `${written.join('.')}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}`
    })
  })
}

/** A written configuration with the values of the start where a change needs a restart. */
export function withStarted<Value>(started: Value, written: Value, path: Path = []): Value {
  const marked = restartKeys.filter(({ path: one, only }) => only === undefined && path.every((name, at) => one[at] === name))
  if (marked.some((one) => one.path.length === path.length)) return started
  if (marked.length === 0 || !isFields(started) || !isFields(written)) return written
  const names = new Set([...Object.keys(written), ...Object.keys(started)])
  const entries = [...names].map((name) => [name, withStarted(started[name], written[name], [...path, name])] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Value
}

function envOf(path: Path): Path {
  return [...path.slice(0, -1), `${path.at(-1)}Env`]
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
