import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { configJsonSchema } from '@stickler/gateway/config'
import { expect, test } from 'vitest'
import { configurationKeys, keysPage } from './support/configuration-keys.ts'
import { root } from './support/places.ts'

type Schema = Readonly<Record<string, unknown>>

/** The names of all keys that a part of a schema knows at its top, whatever its kinds. */
function keysOf(schema: unknown): string[] {
  const {
    properties = {},
    anyOf = [],
    oneOf = [],
    items,
  } = schema as { properties?: Schema; anyOf?: unknown[]; oneOf?: unknown[]; items?: unknown }
  return [...Object.keys(properties), ...[...anyOf, ...oneOf, ...(items === undefined ? [] : [items])].flatMap(keysOf)]
}

test.each(['upstreams', 'routes', 'parser', 'retrieval', 'grpc'])(
  'every key of %s is in the reference of the configuration',
  async (part) => {
    const text = await readFile(join(root, 'docs/reference/configuration.md'), 'utf8')
    const section = text.split(/^## /m).find((one) => one.startsWith(`\`${part}\``)) ?? ''
    const keys = [...new Set(keysOf((configJsonSchema().properties as Schema)[part]))]
    expect(keys).toContain({ upstreams: 'cwd', routes: 'root', parser: 'breaker', retrieval: 'reformulation', grpc: 'tls' }[part])
    expect(keys.filter((key) => !section.includes(`\`${key}\``))).toEqual([])
  },
)

test('the list of keys is that of the schema, with defaults and when a change takes effect', async () => {
  // `vitest -u` writes it.
  await expect(keysPage()).toMatchFileSnapshot(join(root, 'docs/reference/configuration-keys.md'))
})

test('every key says what it means', () => {
  const silent = configurationKeys().filter(({ description }) => description === '')
  expect(silent.map(({ name }) => name)).toEqual([])
})
