import { constants, copyFile, cp, link, mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from './support/places.ts'
import { run } from './support/run.ts'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}

const bin = (name: string) => join(root, 'node_modules/.bin', name)
const manifestAt = async (folder: string): Promise<Manifest> => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
const tarballOf = ({ name, version }: Manifest) => `${name.replace('@', '').replace('/', '-')}-${version}.tgz`

const folders = (await readdir(join(root, 'packages'))).map((name) => join(root, 'packages', name))
const all = await Promise.all(folders.map(async (folder) => ({ folder, manifest: await manifestAt(folder) })))
// The dashboard is not published: the gateway has its built files.
const packages = all.filter(({ manifest }) => !manifest.private)

const scratch = await realpath(await mkdtemp(join(tmpdir(), 'stickler-')))
const tarballs = join(scratch, 'tarballs')
const project = join(scratch, 'project')
afterAll(() => rm(scratch, { recursive: true, force: true }))

async function succeed(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { code, output } = await run(command, args, { cwd, env: { ...process.env, FORCE_COLOR: '0' } })
  expect(code, output).toBe(0)
  return output
}

/** The packages from elsewhere that ours need, as they are installed here: the test then needs no network. */
async function foreignFolders(manifests: readonly Manifest[], found = new Set<string>()): Promise<Set<string>> {
  for (const name of manifests.flatMap(({ dependencies }) => Object.keys(dependencies ?? {}))) {
    const folder = join(root, 'node_modules', name)
    if (packages.some(({ manifest }) => manifest.name === name) || found.has(folder)) continue
    found.add(folder)
    await foreignFolders([await manifestAt(folder)], found)
  }
  return found
}

/** The same files at another place, without copying them where that can be. */
async function linkFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await linkFolder(source, target)
    else await link(source, target).catch(() => copyFile(source, target, constants.COPYFILE_FICLONE))
  }
}

beforeAll(async () => {
  await mkdir(tarballs)
  await cp(join(root, 'e2e/fixtures/installed'), project, { recursive: true })
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'somebody', private: true, type: 'module' }))
  const theirs = await foreignFolders(packages.map(({ manifest }) => manifest))
  for (const folder of theirs) await linkFolder(folder, join(project, folder.slice(root.length)))
  await succeed('npm', ['pack', ...packages.map(({ folder }) => folder)], tarballs)
  const ours = packages.map(({ manifest }) => join(tarballs, tarballOf(manifest)))
  // What is there already satisfies ours, or npm would want to fetch it.
  await succeed('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', ...ours], project)
}, 240_000)

describe.each(packages)('$manifest.name', ({ manifest }) => {
  test('holds what it should, and nothing else', async () => {
    const files = await readdir(join(project, 'node_modules', manifest.name), { recursive: true, withFileTypes: true })
    const installed = files
      .filter((file) => file.isFile())
      .map((file) => join(file.parentPath, file.name).slice(join(project, 'node_modules', manifest.name).length + 1))
    const strange = installed.filter(
      (path) =>
        !/^(?:README\.md|LICENSE|package\.json|bin\/[\w-]+\.js|proto\/[\w/]+\.proto|dist\/.*\.(?:js|d\.ts)|dist\/reference\/.*\.md|dist\/(?:node|records-thread|dashboard)\/(?:LICENSES\.txt|bundle\.json)|dist\/dashboard\/(?:(?:index|deeper)\.html|assets\/[\w.-]+)(?:\.br|\.gz)?)$/.test(
          path,
        ) || /\.test(-d)?\./.test(path),
    )
    expect(installed).toEqual(expect.arrayContaining(['README.md', 'LICENSE', 'package.json']))
    expect(
      installed.some((path) => path.startsWith('dist/')),
      'npm run build comes first',
    ).toBe(true)
    expect(strange).toEqual([])
  })

  test('has no faults for publint', async () => {
    await succeed(bin('publint'), ['run', '--strict', join(tarballs, tarballOf(manifest))], scratch)
  })

  test('has no faults for attw', { timeout: 60_000 }, async () => {
    const args = [
      '--profile',
      'esm-only',
      '--no-definitely-typed',
      '--format',
      'ascii',
      '--no-emoji',
      '--no-color',
      join(tarballs, tarballOf(manifest)),
    ]
    await succeed(bin('attw'), args, scratch)
  })
})

describe('installed from the tarballs', () => {
  test('the gateway has the dashboard with the licences of what is in it, and needs none of its libraries', async () => {
    const folder = join(project, 'node_modules/@stickler/gateway/dist/dashboard')
    const assets = await readdir(join(folder, 'assets'))
    const namesIn = async (page: string, address: RegExp) =>
      [...(await readFile(join(folder, page), 'utf8')).matchAll(address)].map(([, name = '']) => name)
    const named = await namesIn('index.html', /"assets\/([\w.-]+)"/g)
    expect(named).toHaveLength(3)
    // The page for addresses one step deeper.
    expect(await namesIn('deeper.html', /"\.\.\/assets\/([\w.-]+)"/g)).toEqual(named)
    for (const name of named) expect(assets).toEqual(expect.arrayContaining([name, `${name}.br`, `${name}.gz`]))
    const licences = await readFile(join(folder, 'LICENSES.txt'), 'utf8')
    for (const library of ['preact', '@preact/signals', 'uplot', 'diff']) {
      expect(licences).toContain(`${library}\n`)
      await expect(readdir(join(project, 'node_modules', library))).rejects.toThrow()
    }
  })

  test('the library keeps the contract', async () => {
    expect(await succeed(process.execPath, ['example.mjs'], project)).toBe(await readFile(join(project, 'expected.txt'), 'utf8'))
  })

  test('its types stand on their own', { timeout: 60_000 }, async () => {
    await succeed(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--pretty', 'false', '-p', '.'], project)
  })

  test('the command knows its version', async () => {
    const command = packages.find(({ manifest }) => manifest.name === 'stickler')
    expect(await succeed(join(project, 'node_modules/.bin/stickler'), ['--version'], project)).toBe(`${command?.manifest.version}\n`)
  })

  test('what the command points at is installed with it', async () => {
    for (const code of ['MAX_WORDS', 'UNCHECKED', 'REMOTE_RULE']) {
      const { docs } = JSON.parse(await succeed(join(project, 'node_modules/.bin/stickler'), ['explain', code, '--json'], project))
      expect(docs).toContain(join(project, 'node_modules/stickler/'))
      expect(await readFile(docs, 'utf8')).toContain(code)
    }
  })

  test('the command keeps the contract too', async () => {
    const { code, output } = await run(join(project, 'node_modules/.bin/stickler'), ['check', '--jsonl', 'answers.jsonl'], { cwd: project })
    const results = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(results).toMatchObject([
      { id: 'good', status: 'valid', issues: [] },
      { id: 'long', status: 'unresolved', issues: [{ code: 'MAX_WORDS' }] },
    ])
    expect(code, 'not every answer is valid').toBe(1)
  })
})
