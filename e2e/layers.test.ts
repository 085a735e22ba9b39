import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderCycles, type Import, importsOf, paidDebts, wrongImports } from './layers/check.ts'
import { doors, rooms } from './layers/table.ts'
import { root } from './support/places.ts'
import { walk } from './support/walk.ts'

const files = (await walk('packages')).filter((path) => /\.[cm]?[jt]sx?$/.test(path))
const imports = (await Promise.all(files.map(async (path) => importsOf(path, await readFile(join(root, path), 'utf8'))))).flat()

test('every import follows the table', () => {
  expect(imports.length).toBeGreaterThan(5000)
  expect(wrongImports(imports)).toEqual([])
})

test('no import closes a cycle of folders, and no debt is listed that is paid', () => {
  expect([folderCycles(imports), paidDebts(imports)]).toEqual([[], []])
})

test('the table itself has no cycle of packages or rooms', () => {
  const names = Object.keys(doors)
  expect(
    Object.entries(doors).flatMap(([name, uses]) =>
      Object.keys(uses).filter((other) => names.indexOf(other) >= names.indexOf(name) && !/^(src\/\w+ ?)+$/.test(uses[other] ?? '')),
    ),
  ).toEqual([])
  const allowed = Object.entries(rooms).flatMap(([folder, table]) =>
    Object.entries(table).flatMap(([room, row]) =>
      row.split(' ').flatMap((other): Import[] => (/^\w+$/.test(other) ? [[`${folder}/${room}/a.ts`, `${folder}/${other}/b.ts`]] : [])),
    ),
  )
  expect(folderCycles(allowed)).toEqual([])
})

const importing = (specifier: string) => `import { thing } from '${specifier}'\n`
const [core, node, ask, parser, gateway, cli] = ['core', 'node', 'ask', 'parser', 'gateway', 'cli'].map((name) => `packages/${name}/src`)

test.each([
  ['an import', importing('../runners/thing.ts')],
  ['an import of a type', "import type { T } from '../runners/t.ts'\n"],
  ['a re-export', "export { thing } from '../runners/thing.ts'\n"],
  ['an import at run time', "export const load = () => import('../runners/thing.ts')\n"],
  ['a type that is imported where it is used', "export type T = import('../runners/t.ts').T\n"],
  ['an import for its effects', "import '../runners/thing.ts'\n"],
])('%s from a higher layer is found', (_what, text) => {
  expect(wrongImports(importsOf(`${core}/engine/bad.ts`, text))).toHaveLength(1)
})

test.each([
  ['a higher layer seen from a subfolder', `${core}/engine/deep/bad.ts`, '../../runners/thing.ts'],
  ['the engine’s decision importing a repair', `${core}/engine/decide/bad.ts`, '../repair/thing.ts'],
  ['the engine’s checks importing another room', `${core}/engine/check/bad.ts`, '../tokens/thing.ts'],
  ['an attempt importing a repair', `${core}/engine/attempt/bad.ts`, '../repair/thing.ts'],
  ['a room of the engine importing a runner', `${core}/engine/stream/bad.ts`, '../../runners/thing.ts'],
  ['an API importing a runner', `${core}/apis/chat/bad.ts`, '../../runners/thing.ts'],
  ['the engine importing an API', `${core}/engine/bad.ts`, '../apis/thing.ts'],
  ['schemas importing more of answers than spans', `${core}/schema/bad.ts`, '../answer/text.ts'],
  ['an entry point imported by a layer', `${core}/engine/bad.ts`, '../index.ts'],
  ['another entry point imported by a layer', `${core}/engine/bad.ts`, '../runners.ts'],
  ['a source importing a test kit', `${core}/runners/bad.ts`, '../testing/thing.ts'],
  ['a source importing the test kit of its room', `${core}/apis/bad.ts`, './testing/thing.ts'],
  ['a source importing what lies outside of the packages', `${core}/runners/bad.ts`, '../../../../e2e/support/run.ts'],
  ['a room without a row', `${core}/new-room/bad.ts`, '../answer/thing.ts'],
  ['a repair importing a validator', `${core}/repairs/deep/bad.ts`, '../../validators/citations/inspect.ts'],
  ['a validator reaching into another’s folder', `${core}/validators/json/bad.ts`, '../citations/inspect.ts'],
  ['a validator of one file reaching into another’s folder', `${core}/validators/bad.ts`, './citations/inspect.ts'],
  ['a room of a validator reaching into another’s folder', `${core}/validators/json/deep/bad.ts`, '../../citations/inspect.ts'],
  ['what validators share reaching into one of them', `${core}/validators/shared/bad.ts`, '../citations/inspect.ts'],
  ['core importing the command', `${core}/engine/bad.ts`, 'stickler'],
  ['core importing ask', `${core}/engine/bad.ts`, '@stickler/ask'],
  ['core importing what only its tests may', `${core}/runners/bad.ts`, '../../../node/src/files/thing.ts'],
  ['core importing itself by name', `${core}/engine/bad.ts`, '@stickler/core'],
  ['core importing node', `${core}/runners/bad.ts`, '@stickler/node'],
  ['ask reaching into core', `${ask}/bad.ts`, '../../core/src/answer/thing.ts'],
  ['ask using an inner path of core', `${ask}/bad.ts`, '@stickler/core/dist/thing.js'],
  ['ask importing the gateway', `${ask}/bad.ts`, '@stickler/gateway'],
  ['a test of ask importing the gateway', `${ask}/bad.test.ts`, '@stickler/gateway'],
  ['ask reaching into the gateway', `${ask}/bad.ts`, '../../gateway/src/use.ts'],
  ['ask importing claude', `${ask}/bad.ts`, '@stickler/node/claude'],
  ['a room of ask importing the entry point', `${ask}/reply/bad.ts`, '../index.ts'],
  ['node reaching into core', `${node}/bad.ts`, '../../core/src/answer/thing.ts'],
  ['node using an inner path of core', `${node}/bad.ts`, '@stickler/core/dist/thing.js'],
  ['node importing ask', `${node}/bad.ts`, '@stickler/ask'],
  ['node importing the parser', `${node}/bad.ts`, '@stickler/parser'],
  ['node importing the gateway', `${node}/bad.ts`, '@stickler/gateway'],
  ['workers importing a room that uses them', `${node}/workers/bad.ts`, '../claude/thing.ts'],
  ['a room of node importing an entry', `${node}/rules/bad.ts`, '../index.ts'],
  ['the parser reaching into core', `${parser}/bad.ts`, '../../core/src/answer/thing.ts'],
  ['the parser importing ask', `${parser}/bad.ts`, '@stickler/ask'],
  ['the parser importing the gateway', `${parser}/bad.ts`, '@stickler/gateway'],
  ['a language importing what runs it', `${parser}/languages/json/bad.ts`, '../../local/thing.ts'],
  ['the local parser importing the service', `${parser}/local/bad.ts`, '../service/thing.ts'],
  ['the client importing the local parser', `${parser}/client/bad.ts`, '../local/thing.ts'],
  ['the service importing its client', `${parser}/service/bad.ts`, '../client/thing.ts'],
  ['the server of gRPC importing rules', `${node}/grpc/bad.ts`, '../rules/thing.ts'],
  ['the client importing the service', `${parser}/client/bad.ts`, '../service/thing.ts'],
  ['the gateway reaching into the parser', `${gateway}/bad.ts`, '../../parser/src/thing.ts'],
  ['the gateway reaching into node', `${gateway}/bad.ts`, '../../node/src/workers/process.ts'],
  ['the gateway reaching into ask', `${gateway}/bad.ts`, '../../ask/src/question/seed.ts'],
  ['the gateway using an inner path of ask', `${gateway}/bad.ts`, '@stickler/ask/dist/thing.js'],
  ['a room of the gateway importing what connects them', `${gateway}/routes/bad.ts`, '../gateway.ts'],
  ['a room of the gateway importing who listens', `${gateway}/routes/deep/bad.ts`, '../../observe/thing.ts'],
  ['the command reaching into node', `${cli}/bad.ts`, '../../node/src/workers/process.ts'],
  ['the command reaching into core', `${cli}/bad.ts`, '../../core/src/answer/thing.ts'],
  ['the command using an inner path of core', `${cli}/bad.ts`, '@stickler/core/dist/thing.js'],
  ['the command reaching into the test kit of the gateway', `${cli}/bad.ts`, '../../gateway/src/testing/thing.ts'],
])('%s is found', (_what, path, specifier) => {
  expect(wrongImports(importsOf(path, importing(specifier)))).toHaveLength(1)
})

test.each([
  ['a lower layer', `${core}/engine/fine.ts`, '../answer/thing.ts'],
  ['a test', `${core}/engine/fine.test.ts`, '../runners/thing.ts'],
  ['an entry point', `${core}/internal.ts`, './runners/thing.ts'],
  ['a file of the same room', `${core}/validators/citations/deep/fine.ts`, '../inspect.ts'],
  ['a file that the row names', `${core}/schema/fine.ts`, '../answer/span.ts'],
  ['the index of validators', `${core}/validators/index.ts`, './citations/inspect.ts'],
  ['what validators share', `${core}/validators/json/fine.ts`, '../shared/thing.ts'],
  ['an entry of another package', `${ask}/question/fine.ts`, '@stickler/core/validators'],
  ['a package of others', `${gateway}/fine.ts`, '@langchain/core/messages'],
  ['what connects the rooms', `${gateway}/gateway.ts`, './front/thing.ts'],
  ['a test with the kit of another package', `${cli}/fine.test.ts`, '../../gateway/src/testing/thing.ts'],
])('%s passes', (_what, path, specifier) => {
  expect(wrongImports(importsOf(path, importing(specifier)))).toEqual([])
})

const inOrder = ['front', 'upstreams', 'records', 'config', 'services', 'requests', 'delivery', 'routes', 'admin']

test.each([
  [core, ['answer', 'json', 'contract', 'repairs', 'validators', 'engine', 'apis', 'runners', 'adapters', 'testing']],
  [gateway, [...inOrder, 'testing']],
])('no room of %s imports one that comes after it', (folder = '', order) => {
  const pairs = order
    .flatMap((from, low) => order.map((to, high) => ({ from, to, isUp: high > low })))
    .filter(({ from, to }) => from !== 'testing' && from !== to)
  const found = pairs.filter(({ from, to }) => wrongImports([[`${folder}/${from}/a.ts`, `${folder}/${to}/b.ts`]]).length > 0)
  expect(found).toEqual(pairs.filter(({ isUp }) => isUp))
})

test('a cycle of folders is found, wherever it is, and told once', () => {
  const cycle: Import[] = [
    [`${cli}/run/one/a.ts`, `${cli}/run/two/b.ts`],
    [`${cli}/run/two/c.ts`, `${cli}/run/three.ts`],
    [`${cli}/run/three.ts`, `${cli}/run/one/d.ts`],
  ]
  expect(folderCycles(cycle)).toEqual([`${cli}/run: one/a.ts > two/b.ts, two/c.ts > three.ts, three.ts > one/d.ts`])
  expect(folderCycles(cycle.slice(1))).toEqual([])
  expect(folderCycles([...cycle.slice(1), [`${cli}/run/one/a.test.ts`, `${cli}/run/two/b.ts`]])).toEqual([])
})
