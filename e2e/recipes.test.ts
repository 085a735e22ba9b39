import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { root, scratchFolder } from './support/places.ts'
import { requireBuilt } from './support/require-built.ts'
import { run } from './support/run.ts'
import { walk } from './support/walk.ts'

beforeAll(() => requireBuilt(['core']))

interface Recipe {
  /** Its new files, each with the fixture that it is copied from. */
  readonly files: Readonly<Record<string, string>>
  /** Lines that are put above the first line that begins with a text, in files that are there. */
  readonly lines: readonly (readonly [path: string, above: string, line: string])[]
  /** Files that commands write. */
  readonly written: readonly string[]
  /** The tests that know of all things of its kind. */
  readonly guards: readonly string[]
}

const index = 'packages/core/src/validators/index.ts'
const recipes: Readonly<Record<string, Recipe>> = {
  'a validator': {
    files: {
      'packages/core/src/validators/no-shouting.ts': 'no-shouting.ts.txt',
      'packages/core/src/validators/no-shouting.test.ts': 'no-shouting.test.ts.txt',
      'docs/reference/validators/no-shouting.md': 'no-shouting.md',
    },
    lines: [
      [index, 'import { oneOf }', "import { noShouting } from './no-shouting.ts'"],
      [index, '  oneOf,', '  noShouting,'],
    ],
    written: ['docs/README.md', 'docs/reference/codes.md'],
    guards: [
      ...['codes-parity', 'english', 'layers', 'names', 'regexes', 'tree'].map((name) => `e2e/${name}.test.ts`),
      ...['no-shouting', 'hostile-text', 'lazy-options'].map((name) => `packages/core/src/validators/${name}.test.ts`),
      'packages/core/src/engine/feedback/quoted-text.test.ts',
      'packages/cli/src/commands/list.test.ts',
    ],
  },
}

test.each(Object.entries(recipes))('%s needs no other edits', { timeout: 600_000 }, async (_name, { files, lines, written, guards }) => {
  const folder = await scratchFolder()
  const paths = await walk()
  await Promise.all([...new Set(paths.map((path) => dirname(path)))].map((path) => mkdir(join(folder, path), { recursive: true })))
  for (const path of paths) await copyFile(join(root, path), join(folder, path))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const [path, fixture] of Object.entries(files)) await copyFile(join(root, 'e2e/fixtures/recipes', fixture), join(folder, path))
  for (const [path, above, line] of lines) {
    const text = await readFile(join(folder, path), 'utf8')
    expect(text).toContain(`\n${above}`)
    await writeFile(join(folder, path), text.replace(`\n${above}`, `\n${line}\n${above}`))
  }
  const inCopy = async (command: string, ...args: readonly string[]) => {
    const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^VITEST|^NODE_ENV$/.test(name)))
    const { code, output } = await run(join(root, 'node_modules/.bin', command), args, { cwd: folder, env, timeoutMs: 500_000 })
    expect(code, output).toBe(0)
  }
  await inCopy('tsc', '-b', 'packages/core')
  expect((await run(process.execPath, ['tools/docs/lists.mjs'], { cwd: folder })).output).toBe('')
  await inCopy('biome', 'ci', '--error-on-warnings', ...Object.keys(files).filter((path) => path.endsWith('.ts')), index)
  await inCopy('vitest', 'run', ...guards)
  await inCopy(
    'vitest',
    'run',
    'e2e/docs.test.ts',
    '-t',
    Object.keys(files)
      .filter((path) => path.endsWith('.md'))
      .join('|'),
  )
  const changed: string[] = []
  for (const path of paths) if ((await readFile(join(folder, path))).compare(await readFile(join(root, path))) !== 0) changed.push(path)
  expect(changed.sort()).toEqual([...new Set([...lines.map(([path]) => path), ...written])].sort())
})
