import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root, scratchFolder, writeFiles } from './support/places.ts'
import { run } from './support/run.ts'

type Files = Readonly<Record<string, string>>

interface Complaint {
  readonly category: string
  readonly location: { readonly path: string }
}

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
const node = 'packages/node/src'
const parser = 'packages/parser/src'
const thing = 'export const thing = 1\n'
const importing = (from: string) => `import { thing } from '${from}'\n\nexport const other = thing\n`

const clean: Files = {
  [`${core}/answer/thing.ts`]: thing,
  [`${core}/engine/use.ts`]: importing('../answer/thing.ts'),
  [`${core}/engine/use.test.ts`]:
    "import { readFile } from 'node:fs/promises'\nimport { thing } from '../answer/thing.ts'\n\nawait readFile(thing)\n",
  [`${node}/files/use.ts`]: importing('node:fs'),
  [`${node}/claude/environment.ts`]: 'export const home = process.env.HOME\n',
  'vitest.config.ts': 'export default {}\n',
}

test('a clean tree passes', async () => {
  expect(await lint(clean)).toEqual([])
})

const offences: readonly (readonly [what: string, rule: string, path: string, text: string])[] = [
  ['the environment in another file of node', 'noProcessEnv', `${node}/bad.ts`, 'export const home = process.env.HOME\n'],
  ['the environment in the parser', 'noProcessEnv', `${parser}/bad.ts`, 'export const home = process.env.HOME\n'],
  ['a Node module in ask', 'noNodejsModules', `${ask}/bad.ts`, importing('node:fs/promises')],
  ['a Node module in core', 'noNodejsModules', `${core}/engine/bad.ts`, importing('node:fs/promises')],
  ['a Node module in an adapter', 'noNodejsModules', `${core}/adapters/node-bad.ts`, importing('node:fs')],
  ['a Node module in an ordinary runner', 'noNodejsModules', `${core}/runners/bad.ts`, importing('node:http')],
  ['the process in core', 'noProcessGlobal', `${core}/runners/bad.ts`, 'export const folder = process.cwd()\n'],
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
