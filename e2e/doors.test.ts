import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { catalogue } from '../packages/presets/src/index.ts'
import { publicNames } from '../tools/types/doors.mjs'
import { withValidators } from '../tools/types/validators.mjs'
import { root } from './support/places.ts'
import { requireBuilt } from './support/require-built.ts'

beforeAll(() => requireBuilt(['core', 'presets', 'node', 'parser', 'ask', 'gateway', 'cli']))

const names = publicNames()

test('all packages together promise at most 330 names beside the validators and the presets', () => {
  const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  const own = new Set([...catalogue.validators.map(({ definition }) => camel(definition.name)), ...Object.keys(catalogue.presets)])
  const others = names.filter(({ name }) => !own.has(name))
  expect(names.length - others.length).toBe(own.size)
  expect(others.length).toBeGreaterThan(200)
  expect(others.length).toBeLessThanOrEqual(330)
})

test('every validator has its function in the public entry point: npm run lists', async () => {
  const written = await readFile(join(root, 'packages/core/src/validators.ts'), 'utf8')
  expect(withValidators(written)).toBe(written)
  const without = written.replace(/^export \{ maxWords \}.*\n/m, '').replace(/^export \{ affixes \}.*\n/m, '')
  expect(without).not.toBe(written)
  expect(withValidators(without)).toBe(written)
})

test('the root of the core has at most 30 values', () => {
  const values = names.filter(({ doors, isValue }) => isValue && doors.includes('@stickler/core')).map(({ name }) => name)
  expect(values).toEqual(expect.arrayContaining(['check', 'contract', 'enforce']))
  expect(values.length, values.join(' ')).toBeLessThanOrEqual(30)
})

test('every name comes from one entry point', () => {
  expect(names.filter(({ doors }) => doors.length > 1).map(({ name, doors }) => [name, ...doors])).toEqual([])
})

test('every name is in the reference, with what it is and where it comes from', async () => {
  const page = await readFile(join(root, 'docs/reference/api.md'), 'utf8')
  const listed = new Map(page.split(/^## /m).map((part) => [part.slice(1, part.indexOf('`', 1)), part]))
  const row = ({ name, isValue, sentence }: (typeof names)[number]) =>
    `| \`${name}\` | ${isValue ? 'value' : 'type'} | ${sentence.replaceAll('|', '\\|')} |\n`
  const missing = names.filter((one) => one.sentence === '' || !one.doors.every((door) => listed.get(door)?.includes(row(one))))
  expect(missing.map(({ package: from, name }) => `${from}: ${name}`)).toEqual([])
})
