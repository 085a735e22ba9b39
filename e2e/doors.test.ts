import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { publicNames } from '../tools/types/doors.mjs'
import { root } from './support/places.ts'
import { requireBuilt } from './support/require-built.ts'

beforeAll(() => requireBuilt(['core', 'node', 'parser', 'ask', 'gateway', 'cli']))

const names = publicNames()

test('all packages together promise at most 300 names', () => {
  expect(names.length).toBeGreaterThan(200)
  expect(names.length).toBeLessThanOrEqual(300)
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
