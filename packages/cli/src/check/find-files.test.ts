import { execFileSync } from 'node:child_process'
import { mkdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { folderWith } from '../testing/run-cli.ts'
import { findFiles, type Search } from './find-files.ts'

const tree = {
  ...{ 'a.md': '', 'b.txt': '', 'B.MD': '', 'c.json': '', 'note.markdown': '', '[x].md': '', 'with space.md': '', 'émile.md': '' },
  ...{ 'docs/z.md': '', 'docs/a.md': '', 'docs/deep/er/x.md': '', 'docs/deep/y.txt': '', 'docs/.hidden/h.md': '', 'docs/.h.md': '' },
  ...{ 'docs/node_modules/p/readme.md': '', 'node_modules/q/readme.md': '', '.git/HEAD.md': '', 'docs/image.png': '', 'src/a.md': '' },
}

async function grow(): Promise<string> {
  const cwd = await folderWith(tree)
  await symlink('..', join(cwd, 'docs/up'))
  await symlink('../a.md', join(cwd, 'docs/link.md'))
  await symlink('nowhere', join(cwd, 'docs/dangling.md'))
  await mkdir(join(cwd, 'folder.md'))
  execFileSync('mkfifo', [join(cwd, 'docs/pipe.md')])
  return cwd
}

const search = (cwd: string, more: Partial<Search> = {}): Search => ({
  cwd,
  endings: ['.md', '.markdown', '.txt'],
  ignore: [],
  signal: new AbortController().signal,
  ...more,
})

test('folders give their files by ending, without hidden ones, node_modules, links, pipes; each once and in order', async () => {
  const cwd = await grow()
  const docs = ['docs/a.md', 'docs/deep/er/x.md', 'docs/deep/y.txt', 'docs/z.md']
  const find = async (...written: string[]) => (await findFiles(written, search(cwd))).files
  expect(await find('docs')).toEqual(docs)
  expect(await find('./docs/')).toEqual(docs)
  expect(await find('docs/z.md', 'docs', 'docs/deep')).toEqual(['docs/z.md', 'docs/a.md', 'docs/deep/er/x.md', 'docs/deep/y.txt'])
  expect(await find('.')).toEqual(['B.MD', '[x].md', 'a.md', 'b.txt', ...docs, 'note.markdown', 'src/a.md', 'with space.md', 'émile.md'])
  // What is named is meant, a link and what is hidden too.
  expect(await find('docs/link.md', 'docs/.hidden', 'node_modules/q', '[x].md')).toEqual([
    'docs/link.md',
    'docs/.hidden/h.md',
    'node_modules/q/readme.md',
    '[x].md',
  ])
  expect((await findFiles(['docs'], search(cwd, { endings: ['.png'] }))).files).toEqual(['docs/image.png'])
})

test('ignored files are left out however they were named, by patterns as in .gitignore', async () => {
  const cwd = await grow()
  const find = async (written: string[], ignore: string[] = []) => (await findFiles(written, search(cwd, { ignore }))).files
  expect(await find(['docs', '!deep'])).toEqual(['docs/a.md', 'docs/z.md'])
  expect(await find(['docs', 'a.md'], ['a.md'])).toEqual(['docs/deep/er/x.md', 'docs/deep/y.txt', 'docs/z.md'])
  expect(await find(['docs', 'a.md'], ['docs/a.md', '/docs/deep/'])).toEqual(['docs/z.md', 'a.md'])
  expect(await find(['docs/**/*.md', '!docs/**/{x,z}.md'])).toEqual(['docs/a.md'])
  expect(await findFiles(['docs', 'gone/*.md', 'a.md'], search(cwd, { ignore: ['*.md', '*.txt'] }))).toEqual({
    files: [],
    faults: [],
    unmatched: ['docs', 'gone/*.md', 'a.md'],
  })
})

/** Bash reads the same patterns; it takes links and what is not a regular file too, and `node_modules`. */
function byBash(pattern: string, cwd: string): string[] {
  const script = `shopt -s nullglob globstar; for f in ${pattern}; do [ -f "$f" ] && [ ! -L "$f" ] && printf '%s\\n' "$f"; done; true`
  const lines = execFileSync('bash', ['-c', script], { cwd, env: { ...process.env, LC_ALL: 'C.UTF-8' } })
    .toString()
    .split('\n')
    .slice(0, -1)
  return [...new Set(lines)]
    .filter((one) => !one.includes('/up/') && (pattern.includes('node_modules') || !one.includes('node_modules')))
    .sort()
}

test.each([
  ...[
    '*.md',
    '**/*.md',
    'docs/*',
    'docs/**',
    'docs/**/*.{md,txt}',
    '{docs,src}/a.md',
    'docs/*/*/x.md',
    '**/[ay].*',
    '**/[!a].md',
    'docs/d??p/*',
  ],
  ...[
    'docs/.hidden/*',
    'docs/.*/h.md',
    '*/node_modules/**/*.md',
    'docs/deep/**/x.md',
    '{a,{b,c}}.{md,txt,json}',
    './docs/*.md',
    'nothing/*.md',
  ],
])('the glob %s finds what bash finds', async (pattern) => {
  const cwd = await grow()
  const { files, faults } = await findFiles([pattern], search(cwd))
  expect([[...files].sort(), faults]).toEqual([byBash(pattern, cwd).map((one) => one.replace(/^\.\//, '')), []])
})
