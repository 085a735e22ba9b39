import { copyFile, cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root, writeFiles } from './support/places.ts'
import { recipes } from './support/recipes.ts'
import { requireBuilt } from './support/require-built.ts'
import { run } from './support/run.ts'
import { walk } from './support/walk.ts'

const packages = ['core', 'presets', 'node', 'parser', 'ask', 'gateway', 'cli'] as const
let folder = ''
let paths: readonly string[] = []
const added: string[] = []

/** A copy of the repository, built, to which one of everything is added as CONTRIBUTING.md describes it. */
beforeAll(async () => {
  requireBuilt(packages)
  folder = await realpath(await mkdtemp(join(tmpdir(), 'stickler-recipes-')))
  paths = await walk()
  await Promise.all([...new Set(paths.map((path) => dirname(path)))].map((path) => mkdir(join(folder, path), { recursive: true })))
  for (const path of paths) await copyFile(join(root, path), join(folder, path))
  await linkModules()
  for (const name of packages)
    await cp(join(root, `packages/${name}/dist`), join(folder, `packages/${name}/dist`), { recursive: true, preserveTimestamps: true })
  for (const [name, { edits }] of Object.entries(recipes)) {
    const fixtures = `e2e/fixtures/recipes/${name}`
    for (const fixture of paths.filter((path) => path.startsWith(`${fixtures}/`))) {
      const path = relative(fixtures, fixture).replace(/\.txt$/, '')
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await copyFile(join(root, fixture), join(folder, path))
      added.push(path)
      if (path.endsWith('/package.json')) await linkPackage(basename(dirname(path)))
    }
    for (const [path, from, to] of edits) {
      const text = await readFile(join(folder, path), 'utf8')
      expect(text.split(from), `${from} in ${path}`).toHaveLength(2)
      await writeFile(
        join(folder, path),
        text.replace(from, () => to),
      )
    }
  }
  for (const tool of ['build/references', 'types/validators']) await inCopy(process.execPath, `tools/${tool}.mjs`)
  await inCopy(bin('tsc'), '-b')
  for (const tool of ['build/bundle', 'types/describe', 'docs/lists']) await inCopy(process.execPath, `tools/${tool}.mjs`)
  await inCopy(bin('vitest'), 'run', 'e2e/configuration-parity.test.ts', '--update')
}, 900_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The modules of the repository, but for its own packages, which are those of the copy. */
async function linkModules(): Promise<void> {
  await mkdir(join(folder, 'node_modules/@stickler'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules'))) {
    if (name !== '@stickler') await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  }
  for (const name of packages) await linkPackage(name)
}

const linkPackage = (name: string) => symlink(join(folder, 'packages', name), join(folder, 'node_modules/@stickler', name))

const bin = (name: string) => join(root, 'node_modules/.bin', name)

async function inCopy(command: string, ...args: readonly string[]): Promise<void> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^VITEST|^NODE_ENV$/.test(name)))
  const { code, output } = await run(command, args, { cwd: folder, env, timeoutMs: 600_000 })
  expect(code, output).toBe(0)
}

const uses = Object.entries(recipes).flatMap(([name, recipe]) => (recipe.uses ?? []).map((use) => [name, use[0].join(' '), use] as const))

test.each(uses)('a new %s is used by stickler %s', { timeout: 120_000 }, async (_name, _words, [args, prints, files = {}]) => {
  const place = join(folder, '.docs-run', 'uses')
  await mkdir(place, { recursive: true })
  await writeFiles(place, files)
  const { output } = await run(process.execPath, [join(folder, 'packages/cli/bin/stickler.js'), ...args], { cwd: place })
  expect(output).toMatch(prints)
})

test('all of them pass the tests of their kinds, and the rules for lists, layers, names, English and code', {
  timeout: 600_000,
}, async () => {
  const sources = [...added, ...Object.values(recipes).flatMap(({ edits }) => edits.map(([path]) => path))]
  await inCopy(bin('biome'), 'ci', '--error-on-warnings', ...sources.filter((path) => path.endsWith('.ts')))
  const rules = ['lists', 'layers', 'names', 'english', 'regexes', 'tree', 'codes-parity', 'configuration-parity', 'languages-parity']
  const guards = Object.values(recipes).flatMap((recipe) => recipe.guards)
  // One run of all: each would load the sources anew.
  await inCopy(bin('vitest'), 'run', ...new Set([...guards, ...rules.map((name) => `e2e/${name}.test.ts`)]))
  await inCopy(bin('vitest'), 'run', 'e2e/docs.test.ts', '-t', added.filter((path) => path.endsWith('.md')).join('|'))
})

test('the validator that is added is the example of CONTRIBUTING.md', async () => {
  const definition = async (path: string) => /defineValidator\(\{\n.*?\n\}\)\n/s.exec(await readFile(join(root, path), 'utf8'))?.[0]
  const fixture = 'e2e/fixtures/recipes/validator/packages/core/src/validators/no-shouting.ts.txt'
  expect(await definition('CONTRIBUTING.md')).toBe((await definition(fixture)) ?? `there is no validator in ${fixture}`)
})

test('no other file is changed', async () => {
  const changed: string[] = []
  for (const path of paths) if ((await readFile(join(folder, path))).compare(await readFile(join(root, path))) !== 0) changed.push(path)
  const promised = Object.values(recipes).flatMap(({ edits, written }) => [...edits.map(([path]) => path), ...written])
  expect(changed.sort()).toEqual([...new Set(promised)].sort())
})
