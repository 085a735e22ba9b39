import { configJsonSchema, restartKeys } from '@stickler/gateway/internal/config'

/** One key of `stickler.yaml`. */
export interface ConfigurationKey {
  /** Such as `upstreams[].timeouts.idle`. */
  readonly name: string
  readonly description: string
  /** As JSON; nothing when there is none. */
  readonly usual: string
  /** Whether a reload puts a new value into effect. */
  readonly isLive: boolean
  /** A value other than the default; undefined where the schema alone does not tell one. */
  readonly other: unknown
}

type Schema = Readonly<Record<string, unknown>>

/** The reference page that lists every key. */
export function keysPage(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
  const rows = configurationKeys().map(
    ({ name, usual, isLive, description }) =>
      `| \`${name}\` | ${usual === '' ? '' : `\`${cell(usual)}\``} | ${isLive ? 'reload' : 'restart'} | ${cell(description)} |`,
  )
  return `${head}${rows.join('\n')}\n`
}

const head = `# Keys of the configuration

A list of all config options: every key of \`stickler.yaml\` with its default value, generated from the schema that validates the file; [Configuration](configuration.md) explains them. \`[]\` stands for each item of a list, \`*\` for a name of your own.
*Takes effect* says when a changed value takes effect: at a *reload* (SIGHUP), or at the next *restart*, which the reload then reports by key. \`server.bodyLimit\` waits for a restart over gRPC.

| key | default | takes effect | meaning |
| --- | --- | --- | --- |
`

/** Every key that is written as a value, from the schema that files are checked with; contracts are the library's. */
export function configurationKeys(): ConfigurationKey[] {
  const found = new Map<string, ConfigurationKey>()
  walk(configJsonSchema(), '', (name, schema) => {
    const { description, default: usual } = schema
    const before = found.get(name)
    found.set(name, {
      name,
      // Kinds of upstreams may mean different things by one key.
      description: [...new Set([...(before?.description.split(' / ') ?? []), typeof description === 'string' ? description : ''])]
        .filter(Boolean)
        .join(' / '),
      usual: before?.usual || (usual === undefined ? '' : JSON.stringify(usual)),
      isLive: !restartKeys.some(({ path, only }) => only === undefined && isWithin(name, path.join('.'))),
      other: before?.other ?? otherThan(usual, schema),
    })
  })
  return [...found.values()]
}

/** A value that a schema allows, other than this one. */
function otherThan(usual: unknown, schema: Schema): unknown {
  const { enum: allowed, type, items, minimum, exclusiveMinimum = 0, maximum = Number.MAX_SAFE_INTEGER } = schema as ValueSchema
  const kind = Array.isArray(type) ? type[0] : type
  if (allowed !== undefined) return allowed.find((one) => one !== usual)
  if (kind === 'boolean') return usual !== true
  if (kind === 'array') return items === undefined ? undefined : [otherThan(undefined, items)]
  if (kind === 'string') return 'other'
  if (kind !== 'integer' && kind !== 'number') return undefined
  if (typeof usual !== 'number') return minimum ?? exclusiveMinimum + 1
  return usual + 1 <= maximum ? usual + 1 : usual - 1
}

interface ValueSchema {
  readonly enum?: readonly unknown[]
  readonly type?: string | readonly string[]
  readonly items?: Schema
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
}

function isWithin(name: string, key: string): boolean {
  return name === key || name.startsWith(`${key}.`)
}

interface SchemaParts {
  readonly properties?: Schema
  readonly items?: unknown
  readonly additionalProperties?: unknown
  readonly anyOf?: readonly unknown[]
  readonly oneOf?: readonly unknown[]
}

function walk(schema: unknown, name: string, visit: (name: string, schema: Schema) => void): void {
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema as SchemaParts
  const kinds = [...anyOf, ...oneOf]
  const inner: (readonly [string, unknown])[] = [
    ...Object.entries(properties).map(([key, one]) => [name === '' ? key : `${name}.${key}`, one] as const),
    ...(isPlain(items) ? [] : [[`${name}[]`, items] as const]),
    ...(isPlain(additionalProperties) || name === 'contracts' ? [] : [[`${name}.*`, additionalProperties] as const]),
  ]
  // A value, a list of values, or one of several kinds of which one is a value.
  if (inner.length === 0 && (kinds.length === 0 || kinds.some(isPlain))) visit(name, schema as Schema)
  for (const kind of kinds) if (!isPlain(kind)) walk(kind, name, visit)
  for (const [key, one] of inner) walk(one, key, visit)
}

/** Whether a part of a schema has no keys of its own. */
function isPlain(schema: unknown): boolean {
  return typeof schema !== 'object' || schema === null || !/"properties"|"additionalProperties":\{/.test(JSON.stringify(schema))
}
