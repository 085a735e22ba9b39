import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, scratchFolder, writeFiles } from './support/places.ts'
import { run } from './support/run.ts'

type Files = Readonly<Record<string, string>>

interface Complaint {
  readonly category: string
  readonly location: { readonly path: string }
}

/** The rooms of the gateway, each of which may import those before it; `observe` listens, and only `admin` shows what it has heard. */
const rooms = ['front', 'upstreams', 'records', 'config', 'services', 'requests', 'delivery', 'routes', 'admin']
const roomOffences = [
  ...rooms.flatMap((room, index) => [...rooms.slice(index + 1), ...(room === 'admin' ? [] : ['observe'])].map((other) => [room, other])),
  ...rooms.slice(3).map((room) => ['observe', room]),
] as [string, string][]

/** What `npm run lint` says of a tree with these files, as `path rule`, sorted. */
async function lint(files: Files): Promise<string[]> {
  const folder = await scratchFolder()
  await copyFile(join(root, 'biome.json'), join(folder, 'biome.json'))
  await writeFiles(folder, files)
  const args = ['ci', '--error-on-warnings', '--reporter=json', '--max-diagnostics=none', '--colors=off', '.']
  const { code, output } = await run(join(root, 'node_modules/.bin/biome'), args, { cwd: folder, stdoutOnly: true })
  const { diagnostics } = JSON.parse(output) as { diagnostics: Complaint[] }
  const complaints = diagnostics.map(({ category, location }) => `${location.path} ${category.split('/').at(-1)}`)
  expect(code === 0, 'the exit code agrees with the complaints').toBe(complaints.length === 0)
  return [...new Set(complaints)].sort()
}

const core = 'packages/core/src'
const ask = 'packages/ask/src'
const claude = 'packages/claude/src'
const parser = 'packages/parser/src'
const gateway = 'packages/gateway/src'
const thing = 'export const thing = 1\n'
const importing = (from: string) => `import { thing } from '${from}'\n\nexport const other = thing\n`

const clean: Files = {
  [`${core}/answer/thing.ts`]: thing,
  [`${core}/engine/use.ts`]: importing('../answer/thing.ts'),
  [`${core}/engine/repair/use.ts`]: importing('../decide/thing.ts'),
  [`${core}/engine/decide/thing.ts`]: thing,
  [`${core}/engine/judge.ts`]: importing('./repair/thing.ts'),
  [`${core}/engine/use.test.ts`]:
    "import { readFile } from 'node:fs/promises'\nimport { thing } from '../runners/thing.ts'\n\nawait readFile(thing)\n",
  [`${core}/repairs/json/thing.ts`]: thing,
  [`${core}/validators/index.ts`]: "export { thing } from './citations/inspect.ts'\n",
  [`${core}/validators/citations/inspect.ts`]: thing,
  [`${core}/validators/citations/deep/use.ts`]: importing('../inspect.ts'),
  [`${core}/validators/json/use.ts`]: importing('../../repairs/json/thing.ts'),
  [`${core}/validators/json/other-use.ts`]: importing('../shared/thing.ts'),
  [`${core}/validators/shared/thing.ts`]: thing,
  [`${core}/apis/thing.ts`]: thing,
  [`${core}/runners/thing.ts`]: thing,
  [`${core}/adapters/node-files.ts`]: importing('node:fs'),
  [`${core}/node.ts`]: "export { thing } from './runners/thing.ts'\n",
  [`${core}/index.ts`]: "export { thing } from './answer/thing.ts'\n",
  [`${ask}/question/seed.ts`]: importing('@stickler/core/citations'),
  [`${claude}/process.ts`]: importing('node:child_process'),
  [`${claude}/environment.ts`]: 'export const home = process.env.HOME\n',
  [`${claude}/use.ts`]: importing('@stickler/core/runners'),
  [`${parser}/languages/thing.ts`]: thing,
  [`${parser}/local/use.ts`]: importing('../languages/thing.ts'),
  [`${parser}/wire/thing.ts`]: thing,
  [`${parser}/grpc/thing.ts`]: importing('../wire/thing.ts').replace('const other', 'const server'),
  [`${parser}/service/use.ts`]: importing('../local/use.ts').replace('{ thing }', '{ other as thing }'),
  'packages/gateway/src/use.ts': importing('@stickler/ask'),
  'packages/gateway/src/other-use.ts': importing('@stickler/claude'),
  [`${gateway}/front/thing.ts`]: thing,
  [`${gateway}/requests/deep/use.ts`]: importing('../../front/thing.ts'),
  [`${gateway}/routes/chat/use.test.ts`]: importing('../../testing/thing.ts'),
  [`${gateway}/testing/thing.ts`]: thing,
  [`${gateway}/gateway.ts`]: importing('./front/thing.ts'),
  'packages/cli/src/main.ts':
    "import { thing } from '@stickler/core'\nimport { other } from '@stickler/core/node'\n\nexport const both = thing + other\n",
  'vitest.config.ts': 'export default {}\n',
}

test('a clean tree passes', async () => {
  expect(await lint(clean)).toEqual([])
})

const offences: readonly (readonly [what: string, rule: string, path: string, text: string])[] = [
  ['an import from a higher layer', 'noRestrictedImports', `${core}/engine/bad.ts`, importing('../runners/thing.ts')],
  [
    'a type import from a higher layer',
    'noRestrictedImports',
    `${core}/engine/bad.ts`,
    "import type { T } from '../runners/t.ts'\n\nexport type U = T\n",
  ],
  ['a re-export from a higher layer', 'noRestrictedImports', `${core}/engine/bad.ts`, "export { thing } from '../runners/thing.ts'\n"],
  [
    'a dynamic import from a higher layer',
    'noRestrictedImports',
    `${core}/engine/bad.ts`,
    "export const load = () => import('../runners/thing.ts')\n",
  ],
  ['a higher layer seen from a subfolder', 'noRestrictedImports', `${core}/engine/deep/bad.ts`, importing('../../runners/thing.ts')],
  ['the engine’s decision importing a repair', 'noRestrictedImports', `${core}/engine/decide/bad.ts`, importing('../repair/thing.ts')],
  ['the engine’s checks importing another room', 'noRestrictedImports', `${core}/engine/check/bad.ts`, importing('../tokens/thing.ts')],
  ['an attempt importing a repair', 'noRestrictedImports', `${core}/engine/attempt/bad.ts`, importing('../repair/thing.ts')],
  ['a room of the engine importing a runner', 'noRestrictedImports', `${core}/engine/stream/bad.ts`, importing('../../runners/thing.ts')],
  ['an API importing a runner', 'noRestrictedImports', `${core}/apis/chat/bad.ts`, importing('../../runners/thing.ts')],
  ['the engine importing an API', 'noRestrictedImports', `${core}/engine/bad.ts`, importing('../apis/thing.ts')],
  ['an entry point imported by a layer', 'noRestrictedImports', `${core}/engine/bad.ts`, importing('../index.ts')],
  [
    'a repair importing a validator',
    'noRestrictedImports',
    `${core}/repairs/deep/bad.ts`,
    importing('../../validators/citations/inspect.ts'),
  ],
  [
    'a validator reaching into another’s folder',
    'noRestrictedImports',
    `${core}/validators/json/bad.ts`,
    importing('../citations/inspect.ts'),
  ],
  [
    'a room of a validator reaching into another’s folder',
    'noRestrictedImports',
    `${core}/validators/json/deep/bad.ts`,
    importing('../../citations/inspect.ts'),
  ],
  [
    'what validators share reaching into one of them',
    'noRestrictedImports',
    `${core}/validators/shared/bad.ts`,
    importing('../citations/inspect.ts'),
  ],
  ['core importing the command', 'noRestrictedImports', `${core}/engine/bad.ts`, importing('stickler')],
  ['core importing ask', 'noRestrictedImports', `${core}/engine/bad.ts`, importing('@stickler/ask')],
  ['ask reaching into core', 'noRestrictedImports', `${ask}/bad.ts`, importing('../../core/src/answer/thing.ts')],
  ['ask using an inner path of core', 'noRestrictedImports', `${ask}/bad.ts`, importing('@stickler/core/dist/thing.js')],
  ['ask importing the gateway', 'noRestrictedImports', `${ask}/bad.ts`, importing('@stickler/gateway')],
  ['ask reaching into the gateway', 'noRestrictedImports', `${ask}/bad.ts`, importing('../../gateway/src/use.ts')],
  ['ask importing claude', 'noRestrictedImports', `${ask}/bad.ts`, importing('@stickler/claude')],
  ['core importing claude', 'noRestrictedImports', `${core}/runners/bad.ts`, importing('@stickler/claude')],
  ['claude reaching into core', 'noRestrictedImports', `${claude}/bad.ts`, importing('../../core/src/answer/thing.ts')],
  ['claude using an inner path of core', 'noRestrictedImports', `${claude}/bad.ts`, importing('@stickler/core/dist/thing.js')],
  ['claude importing ask', 'noRestrictedImports', `${claude}/bad.ts`, importing('@stickler/ask')],
  ['claude importing the gateway', 'noRestrictedImports', `${claude}/bad.ts`, importing('@stickler/gateway')],
  ['claude importing its own entry', 'noRestrictedImports', `${claude}/bad.ts`, importing('./index.ts')],
  ['the environment in another file of claude', 'noProcessEnv', `${claude}/bad.ts`, 'export const home = process.env.HOME\n'],
  ['the parser reaching into core', 'noRestrictedImports', `${parser}/bad.ts`, importing('../../core/src/answer/thing.ts')],
  ['the parser importing ask', 'noRestrictedImports', `${parser}/bad.ts`, importing('@stickler/ask')],
  ['the parser importing the gateway', 'noRestrictedImports', `${parser}/bad.ts`, importing('@stickler/gateway')],
  ['a language importing what runs it', 'noRestrictedImports', `${parser}/languages/json/bad.ts`, importing('../../local/thing.ts')],
  ['the local parser importing the service', 'noRestrictedImports', `${parser}/local/bad.ts`, importing('../service/thing.ts')],
  ['the client importing the local parser', 'noRestrictedImports', `${parser}/client/bad.ts`, importing('../local/thing.ts')],
  ['the service importing its client', 'noRestrictedImports', `${parser}/service/bad.ts`, importing('../client/thing.ts')],
  ['the plumbing of gRPC importing a service', 'noRestrictedImports', `${parser}/grpc/bad.ts`, importing('../service/thing.ts')],
  ['the client importing the plumbing of gRPC', 'noRestrictedImports', `${parser}/client/bad.ts`, importing('../grpc/thing.ts')],
  ['the environment in the parser', 'noProcessEnv', `${parser}/bad.ts`, 'export const home = process.env.HOME\n'],
  ['the gateway reaching into the parser', 'noRestrictedImports', 'packages/gateway/src/bad.ts', importing('../../parser/src/thing.ts')],
  ['the gateway reaching into claude', 'noRestrictedImports', 'packages/gateway/src/bad.ts', importing('../../claude/src/process.ts')],
  ['the command reaching into claude', 'noRestrictedImports', 'packages/cli/src/bad.ts', importing('../../claude/src/process.ts')],
  ['a Node module in ask', 'noNodejsModules', `${ask}/bad.ts`, importing('node:fs/promises')],
  ['the gateway reaching into ask', 'noRestrictedImports', 'packages/gateway/src/bad.ts', importing('../../ask/src/question/seed.ts')],
  [
    'the gateway using an inner path of ask',
    'noRestrictedImports',
    'packages/gateway/src/bad.ts',
    importing('@stickler/ask/dist/thing.js'),
  ],
  ['the command reaching into core', 'noRestrictedImports', 'packages/cli/src/bad.ts', importing('../../core/src/answer/thing.ts')],
  ['the command using an inner path of core', 'noRestrictedImports', 'packages/cli/src/bad.ts', importing('@stickler/core/dist/thing.js')],
  ['a Node module in core', 'noNodejsModules', `${core}/engine/bad.ts`, importing('node:fs/promises')],
  ['a Node module in an ordinary runner', 'noNodejsModules', `${core}/runners/bad.ts`, importing('node:http')],
  ['the environment in core', 'noProcessEnv', `${core}/node.ts`, 'export const home = process.env.HOME\n'],
  ['printing from core', 'noConsole', `${core}/engine/bad.ts`, "console.log('hello')\n\nexport const bad = 1\n"],
  ['a default export', 'noDefaultExport', `${core}/engine/bad.ts`, 'export default 1\n'],
  ['any', 'noExplicitAny', `${core}/engine/bad.ts`, 'export const bad = (value: any) => value.x\n'],
  ['export *', 'noReExportAll', `${core}/engine/bad.ts`, "export * from './use.ts'\n"],
  ['a focused test', 'noFocusedTests', `${core}/engine/bad.test.ts`, "import { test } from 'vitest'\n\ntest.only('one', () => {})\n"],
  ['a skipped test', 'noSkippedTests', `${core}/engine/bad.test.ts`, "import { test } from 'vitest'\n\ntest.skip('one', () => {})\n"],
  ['a value import of a type', 'useImportType', `${core}/engine/bad.ts`, "import { T } from './t.ts'\n\nexport type U = T\n"],
  ['an unused import', 'noUnusedImports', `${core}/engine/bad.ts`, "import { thing } from '../answer/thing.ts'\n\nexport const bad = 1\n"],
  ['an unused variable', 'noUnusedVariables', `${core}/engine/bad.ts`, 'const unused = 1\n\nexport const bad = 1\n'],
  [
    'a promise that nobody waits for',
    'noFloatingPromises',
    `${core}/engine/bad.ts`,
    'export const bad = () => {\n  Promise.resolve(1)\n}\n',
  ],
  ['semicolons', 'format', `${core}/engine/bad.ts`, 'export const bad = 1;\n'],
]

/** A file of its own for each offence, so that one run of the linter sees them all. */
const numbered = offences.map(([what, rule, path, text], index) => ({
  what,
  rule,
  path: path.replace('/bad.', `/bad-${index}.`),
  text,
}))

describe('one offence', () => {
  let run: Promise<string[]> | undefined
  const found = () => {
    run ??= lint({ ...clean, ...Object.fromEntries(numbered.map(({ path, text }) => [path, text])) })
    return run
  }

  test.each(numbered)('$what fails by $rule', async ({ path, rule }) => {
    const complaints = await found()
    expect(complaints.filter((complaint) => complaint.startsWith(`${path} `))).toEqual([`${path} ${rule}`])
  })

  test('makes no other file fail', async () => {
    expect(await found()).toHaveLength(numbered.length)
  })
})

test('an import cycle fails in every file of it', async () => {
  const one = `${core}/engine/one.ts`
  const two = `${core}/engine/two.ts`
  expect(await lint({ ...clean, [one]: importing('./two.ts'), [two]: "export { other as thing } from './one.ts'\n" })).toEqual([
    `${one} noImportCycles`,
    `${two} noImportCycles`,
  ])
})

test('no folder of a validator is open to the others', async () => {
  const entries = await readdir(join(root, core, 'validators'), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory() && entry.name !== 'shared').map(({ name }) => name)
  const path = (name: string) => `${core}/validators/from-${name}.ts`
  const complaints = await lint(Object.fromEntries(folders.map((name) => [path(name), importing(`./${name}/thing.ts`)])))
  expect(complaints).toEqual(folders.map((name) => `${path(name)} noRestrictedImports`).sort())
})

test('imports between layers go down or sideways, never up', async () => {
  const height = { answer: 0, contract: 1, repairs: 2, validators: 3, engine: 4, runners: 5, adapters: 5, testing: 6 }
  const pairs = Object.entries(height).flatMap(([from, low]) => Object.entries(height).map(([to, high]) => ({ from, to, up: high > low })))
  const path = ({ from, to }: { from: string; to: string }) => `${core}/${from}/from-${to}.ts`
  const things = Object.keys(height).map((layer) => [`${core}/${layer}/thing.ts`, thing])
  const files = Object.fromEntries([...things, ...pairs.map((pair) => [path(pair), importing(`../${pair.to}/thing.ts`)])])
  const wrong = pairs.filter(({ up }) => up).map((pair) => `${path(pair)} noRestrictedImports`)
  expect(wrong).toHaveLength(27)
  expect(await lint(files)).toEqual(wrong.sort())
})

test('no room of the gateway imports one that comes after it', async () => {
  const files: Record<string, string> = {}
  for (const [room, other] of roomOffences) {
    files[`${gateway}/${room}/${other}-here.ts`] = importing(`../${other}/thing.ts`)
    files[`${gateway}/${room}/deep/${other}-there.ts`] = importing(`../../${other}/thing.ts`)
  }
  for (const room of [...rooms, 'observe']) {
    files[`${gateway}/${room}/root.ts`] = importing('../gateway.ts')
    files[`${gateway}/${room}/kit.ts`] = importing('../testing/thing.ts')
  }
  expect(await lint({ ...clean, ...files })).toEqual(
    Object.keys(files)
      .map((path) => `${path} noRestrictedImports`)
      .sort(),
  )
})
