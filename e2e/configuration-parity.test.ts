import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { configJsonSchema, readConfigFile } from '@stickler/gateway/internal/config'
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
  // `npm run lists` writes it.
  await expect(keysPage()).toMatchFileSnapshot(join(root, 'docs/reference/configuration-keys.md'))
})

test('every key says what it means', () => {
  const silent = configurationKeys().filter(({ description }) => description === '')
  expect(silent.map(({ name }) => name)).toEqual([])
})

test('the pages agree with the reader on the largest configuration and the largest schema', async () => {
  const [cli = '', reference = ''] = await Promise.all(
    ['cli', 'configuration'].map((name) => readFile(join(root, `docs/reference/${name}.md`), 'utf8')),
  )
  const told = /Configurations and contracts may have up to ([\d ]+) characters, files of schemas up to ([\d ]+),/.exec(cli) ?? []
  const [file = 0, schema = 0] = told.slice(1).map((number) => Number(number.replaceAll(' ', '')))
  expect(reference).toContain(`a file larger than ${told[1]} characters`)
  expect(reference).toContain(`a JSON file of at most ${told[2]} characters`)
  const contract = 'contracts: { a: { checks: [{ json: { schemaFile: s.json } }] } }\n'
  const read = (size: number, schemaSize: number) =>
    readConfigFile(contract.padEnd(size, '#'), 'stickler.yaml', { env: {}, cwd: '/', readFile: async () => '{}'.padEnd(schemaSize) })
  await expect(read(file, schema)).resolves.toBeDefined()
  await expect(read(file + 1, schema)).rejects.toThrow(`the file is larger than ${file} characters`)
  await expect(read(file, schema + 1)).rejects.toThrow(`s.json is larger than ${schema} characters`)
})
