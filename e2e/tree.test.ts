import { readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from './support/places.ts'
import { walk } from './support/walk.ts'

const text = (path: string) => readFile(join(root, path), 'utf8')
const all = await Promise.all((await walk()).map(async (path) => ({ path, text: await text(path) })))
const lines = (source: string) => source.replace(/\n$/, '').split('\n').length
const inSources = all.filter(({ path }) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path))
const sources = inSources.filter(({ path }) => !/\.test(-d)?\.ts$/.test(path))

describe('files are small', () => {
  test('none has more than 400 lines', () => {
    expect(inSources.filter((file) => lines(file.text) > 400).map(({ path }) => path)).toEqual([])
  })

  test('few sources have more than 200', () => {
    const long = sources.filter((file) => lines(file.text) > 200).map(({ path }) => path)
    expect(long.length / sources.length, long.join('\n')).toBeLessThan(0.1)
  })

  test('half of the sources have fewer than 80', () => {
    const sizes = sources.map((file) => lines(file.text)).sort((a, b) => a - b)
    expect(sizes[Math.floor(sizes.length / 2)]).toBeLessThan(80)
  })

  test('the front door has fewer than 100', async () => {
    expect(lines(await text('packages/core/src/index.ts'))).toBeLessThan(100)
  })
})

describe('a folder of more than 25 files is two rooms', () => {
  const most = 25
  const counts = new Map<string, number>()
  for (const { path } of inSources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  /** Folders that are still too large, with the number of files that they have: it may only fall. */
  const large: Readonly<Record<string, number>> = {}

  test('none grows beyond it', () => {
    expect([...counts].filter(([folder, count]) => count > (large[folder] ?? most))).toEqual([])
  })

  test('no exception is needless', () => {
    expect(Object.keys(large).filter((folder) => (counts.get(folder) ?? 0) <= most)).toEqual([])
  })
})

test('the path of a request leads to files and methods that are there', async () => {
  const page = await text('docs/guide/lifecycle.md')
  const names = [...page.matchAll(/`([^`\s]+)`/g)].map(([, name = '']) => name)
  const files = names.filter((name) => /^[\w./-]+(?:\.ts|\/)$/.test(name) && !name.startsWith('/'))
  const methods = names.filter((name) => /^[A-Z]\w+\.[a-z]\w*$/.test(name)).map((name) => name.split('.') as [string, string])
  expect([files.length > 40, methods.length > 1]).toEqual([true, true])
  const isThere = (name: string) =>
    inSources.some(({ path }) => (name.endsWith('/') ? `/${path}`.includes(`/${name}`) : `/${path}`.endsWith(`/${name}`)))
  expect(files.filter((name) => !isThere(name))).toEqual([])
  const has = (one: string, method: string) =>
    sources.some((file) => file.text.includes(`class ${one}`) && new RegExp(`^  (?:async )?${method}\\(`, 'm').test(file.text))
  expect(methods.filter(([one, method]) => !has(one, method))).toEqual([])
})

test('the scanners whose time is measured are in files that are there, with the names that are taken from them', async () => {
  const loaded = [
    ...(await text('bench/complexity/scanners.mjs')).matchAll(/const (?:\{ ([\w, ]+) \}|\w+) = await load\('(\w+)', '([\w/-]+)'\)/g),
  ]
  const missing = loaded.filter(([, names = '', from, path]) => {
    const file = sources.find((source) => source.path === `packages/${from}/src/${path}.ts`)
    return !names.split(', ').every((name) => new RegExp(`^export .*\\b${name}\\b`, 'm').test(file?.text ?? ''))
  })
  expect(loaded.length).toBeGreaterThan(30)
  expect(missing.map(([statement]) => statement)).toEqual([])
})

test('one function tells whether a value has fields, and one for schemas, which know nothing of answers', () => {
  const telling = sources.filter((file) => /!== null && !Array\.isArray\(|\bis(Record|Object) = \(/.test(file.text.replace(/\s+/g, ' ')))
  expect(telling.map(({ path }) => path).sort()).toEqual([
    'packages/core/src/answer/tool-shapes/fields.ts',
    'packages/core/src/json/json-value.ts',
  ])
})

describe('every export has its sentence', () => {
  const doors = all
    .filter(({ path }) => /^packages\/[^/]+\/package\.json$/.test(path))
    .flatMap((file) =>
      Object.values((JSON.parse(file.text) as { exports: Readonly<Record<string, { readonly types?: string }>> }).exports).flatMap(
        ({ types }) => (types === undefined ? [] : [join(dirname(file.path), types.replace('dist/', 'src/').replace(/d\.ts$/, 'ts'))]),
      ),
    )

  test.each(doors)('%s', async (door) => {
    const silent = (await exportsOf(door))
      .filter(({ source, name }) => !hasSentence(source, name))
      .map(({ path, name }) => `${path}: ${name}`)
    expect(silent).toEqual([])
  })

  test('one without is found', () => {
    const source =
      '/** Says it. */\nexport function one() {}\n\nexport async function two() {}\n/**\n * Says it.\n */\nexport const three = 3\n// no\nexport class Four {}\n'
    expect(['one', 'two', 'three', 'Four', 'Five'].filter((name) => !hasSentence(source, name))).toEqual(['two', 'Four', 'Five'])
  })
})

interface Export {
  readonly path: string
  readonly name: string
  readonly source: string
}

/** What a module exports, with the file in which it is defined; re-exports are followed. */
async function exportsOf(path: string): Promise<Export[]> {
  const source = await text(path)
  const own = [...source.matchAll(/^export (?:declare |abstract |async )*(?:function\*?|const|class|interface|type) (\w+)/gm)].map(
    ([, name = '']) => ({ path, name, source }),
  )
  const passedOn = [...source.matchAll(/^export (?:type )?\{([^}]*)\} from '(\.[^']+)'/gm)].map(async ([, list = '', from = '']) => {
    const names = list.split(',').map(
      (item) =>
        item
          .trim()
          .replace(/^type /, '')
          .split(' as ')[0] ?? '',
    )
    const target = join(dirname(path), from)
    const there = await exportsOf(target)
    return names.filter(Boolean).map((name) => there.find((one) => one.name === name) ?? { path: target, name, source: '' })
  })
  return [...own, ...(await Promise.all(passedOn)).flat()]
}

/** Whether a TSDoc comment stands right above the definition of a name, but for comments to the linter. */
function hasSentence(source: string, name: string): boolean {
  const definition = new RegExp(`^export (?:declare |abstract |async )*(?:function\\*?|const|class|interface|type) ${name}\\b`, 'm').exec(
    source,
  )
  if (!definition) return false
  const above = source.slice(0, definition.index).replace(/(?:\/\/.*\n)+$/, '')
  return /^\/\*\*\s[\s\S]*\w[\s\S]*\*\/\n$/.test(above.slice(above.lastIndexOf('/*')))
}

describe('the repository is at home everywhere', () => {
  // Answers in fixtures and the seeds' own texts may say what they like.
  const ours = all.filter(({ path }) => !/(^|\/)(fixtures|corpus)\//.test(path))
  const saying = (pattern: RegExp) => ours.flatMap((file) => (file.text.match(pattern) ?? []).map((found) => `${file.path}: ${found}`))

  test('no file names a folder of somebody’s machine', () => {
    expect(saying(/(?<![\w.~-])\/(?:home|root|Users|work)\/[\w.-]+/g)).toEqual([])
    expect(saying(/\b[A-Z]:\\Users\\\w+/g)).toEqual([])
  })

  test('no file names a registry', () => {
    expect(saying(/\b(?:https?:\/\/)?(?:registry|nexus|artifactory|verdaccio)\.[\w-]+\.[a-z]{2,}/g)).toEqual([])
  })

  test.each(all.flatMap(({ path }) => (basename(path) === 'package-lock.json' ? [path] : [])))(
    '%s holds no addresses, the hash of every package, and every platform',
    async (path) => {
      const { packages } = JSON.parse(await text(path)) as { packages: Record<string, LockEntry> }
      const addresses = Object.values(packages).filter(({ resolved }) => resolved?.includes(':'))
      const unhashed = Object.entries(packages).filter(
        ([at, { link, integrity = '' }]) => isInstalled(at) && !link && !isHash.test(integrity),
      )
      const missing = Object.entries(packages).flatMap(([at, { optionalDependencies = {} }]) =>
        Object.keys(optionalDependencies).filter(
          (name) => !(`node_modules/${name}` in packages || `${at}/node_modules/${name}` in packages),
        ),
      )
      expect(addresses).toEqual([])
      expect(
        unhashed.map(([at]) => at),
        'node .ci/complete-lock.mjs adds them; npm ci would install whatever it is given',
      ).toEqual([])
      expect(missing, 'node .ci/complete-lock.mjs adds them; npm ci fails without').toEqual([])
    },
  )

  test('every package carries the licence', async () => {
    const licence = await text('LICENSE')
    for (const { path } of all.filter((file) => /^packages\/[^/]+\/package\.json$/.test(file.path))) {
      expect(await text(join(dirname(path), 'LICENSE'))).toBe(licence)
    }
  })
})

const isInstalled = (path: string): boolean => path.includes('node_modules/')
const isHash = /^sha512-[A-Za-z0-9+/]{86}==$/

interface LockEntry {
  readonly link?: true
  readonly integrity?: string
  readonly resolved?: string
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
