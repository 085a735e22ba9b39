import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { check, type FilePort, type Issue, type Locale, type Ports, type Report } from '@stickler/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localeFaults } from '../../../../core/src/testing/locale-faults.ts'
import { nodeFiles } from '../../../../node/src/files/node-files.ts'
import { catalogue, contract } from '../../testing/contract.ts'
import { fileExistence } from './index.ts'

const base = mkdtempSync(join(tmpdir(), 'stickler-existence-'))
const root = join(base, 'root')
const fence = '```'

beforeAll(() => {
  mkdirSync(join(root, 'src/helix'), { recursive: true })
  for (const file of ['src/a.ts', 'src/helix/session.py', 'src/a b.ts', 'README.md'])
    writeFileSync(join(root, file), 'content that is never read')
  writeFileSync(join(base, 'secret.txt'), 'secret')
  symlinkSync('../secret.txt', join(root, 'out'))
  symlinkSync('../no-such-file', join(root, 'out-missing'))
  symlinkSync('src/a.ts', join(root, 'in'))
  symlinkSync('loop', join(root, 'loop'))
  symlinkSync('nothing', join(root, 'dangling'))
  execFileSync('mkfifo', [join(root, 'pipe')])
})

afterAll(() => rmSync(base, { recursive: true, force: true }))

function report(
  text: string,
  ports: Ports = { files: nodeFiles(root) },
  locale: Locale = 'en',
  options: Record<string, unknown> = {},
): Promise<Report> {
  return check(contract({ checks: [{ file_existence: options }], locale }), text, { ports })
}

async function issuesOf(text: string, ports?: Ports, locale?: Locale, options?: Record<string, unknown>): Promise<readonly Issue[]> {
  const result = await report(text, ports, locale, options)
  expect(result.unchecked).toEqual([])
  return result.issues
}

const header = (modify: string): string => `---\nfiles:\n  modify: ${modify}\n---\n\nText\n`

/** Entries as one line of JSON, which is YAML, so that any name can be written. */
const naming = (...paths: unknown[]): string => header(JSON.stringify(paths))

/** A port over a list of files that counts what it is asked. */
function fakeFiles(files: readonly string[]): FilePort & { readonly asked: string[]; lists: number; most: number } {
  const known = new Set(files)
  let running = 0
  return {
    asked: [],
    lists: 0,
    most: 0,
    async kind(path) {
      this.asked.push(path)
      this.most = Math.max(this.most, ++running)
      await Promise.resolve()
      running--
      return known.has(path) ? 'file' : 'missing'
    },
    async list() {
      this.lists++
      return files
    },
  }
}

/** As many entries as a header can hold. */
const flood = header(`[${Array.from({ length: 20_000 }, (_, index) => (index < 1000 ? `p${index.toString(36)}` : 'x')).join(',')}]`)

const crowd = Array.from({ length: 20_000 }, (_, index) => `src/folder${index % 90}/module-${index}.ts`)

describe('file_existence', () => {
  it.each([
    ['an existing file', header('[src/a.ts]')],
    ['a block list', '---\nfiles:\n  modify:\n    - src/a.ts\n    - README.md\n---\n'],
    ['a scalar is a list of one', header('src/a.ts')],
    ['null', header('null')],
    ['nothing behind the key', header('')],
    ['an empty list', header('[]')],
    ['an empty text', header('""')],
    ['no modify', '---\nfiles:\n  create: [new.ts]\n---\n'],
    ['files is null', '---\nfiles:\n---\n'],
    ['files is a list', '---\nfiles: [nothing.ts]\n---\n'],
    ['files is text', '---\nfiles: nothing.ts\n---\n'],
    ['no files', '---\ntitle: x\n---\n'],
    ['no header', 'Just text about files.modify: nothing.ts'],
    ['empty answer', ''],
    ['CRLF', '---\r\nfiles:\r\n  modify:\r\n    - src/a.ts\r\n---\r\n'],
    ['CR only', '---\rfiles:\r  modify:\r    - src/a.ts\r---\r'],
    ['a comment behind the entry', '---\nfiles:\n  modify:\n    - src/a.ts # why\n---\n'],
    ['dots and doubled slashes', naming('./src/a.ts', 'src//a.ts', 'src/helix/../a.ts', 'src/./a.ts')],
    ['a name with a space', naming('src/a b.ts')],
    ['a link that stays inside', naming('in')],
    ['rules that are no header', 'One\n\n---\n\nfiles:\n  modify: [nothing.ts]\n\n---\n\nTwo'],
    ['an example behind a header', `${header('[src/a.ts]')}\n${fence}yaml\nfiles:\n  modify: [nothing.ts]\n${fence}\n`],
    ['a key from the prototype', '---\n__proto__:\n  files:\n    modify: [nothing.ts]\n---\n'],
  ])('%s is fine', async (_, text) => {
    expect(await issuesOf(text)).toEqual([])
  })

  it.each([
    ['a missing file', header('[src/b.ts]'), ['FILE_NOT_FOUND']],
    ['a scalar', header('nothing.ts'), ['FILE_NOT_FOUND']],
    ['some of several', naming('src/a.ts', 'x.ts', 'README.md', 'y.ts'), ['FILE_NOT_FOUND', 'FILE_NOT_FOUND']],
    ['CRLF', '---\r\nfiles:\r\n  modify:\r\n    - nothing.ts\r\n---\r\n', ['FILE_NOT_FOUND']],
    ['CR only', '---\rfiles:\r  modify:\r    - nothing.ts\r---\r', ['FILE_NOT_FOUND']],
    ['after prose', `Here it is:\n\n${header('[nothing.ts]')}`, ['FILE_NOT_FOUND']],
    ['after reasoning', `<think>\n${header('[a]')}</think>\n${header('[nothing.ts]')}`, ['FILE_NOT_FOUND']],
    ['in a markdown fence', `${fence}markdown\n${header('[nothing.ts]')}${fence}\n`, ['FILE_NOT_FOUND']],
    ['in a yaml fence', `${fence}yaml\nfiles:\n  modify: [nothing.ts]\n${fence}\n`, ['FILE_NOT_FOUND']],
    ['in a fence in a quote', `> ${fence}yaml\n> files:\n>   modify: [nothing.ts]\n> ${fence}\n`, ['FILE_NOT_FOUND']],
    ['behind another header', `---\ntitle: x\n---\n\n${header('[nothing.ts]')}`, ['FILE_NOT_FOUND']],
    ['the second of two headers', `${header('[src/a.ts]')}\n${header('[nothing.ts]')}`, ['FILE_NOT_FOUND']],
    ['behind an alias', '---\nx: &x [nothing.ts]\nfiles:\n  modify: *x\n---\n', ['FILE_NOT_FOUND']],
    ['a directory', naming('src', 'src/', '.', ''), ['FILE_NOT_FOUND', 'FILE_NOT_FOUND', 'FILE_NOT_FOUND', 'FILE_NOT_FOUND']],
    ['a pipe, without blocking', naming('pipe'), ['FILE_NOT_FOUND']],
    ['a loop of links', naming('loop', 'loop/x'), ['FILE_NOT_FOUND', 'FILE_NOT_FOUND']],
    ['a dangling link', naming('dangling'), ['FILE_NOT_FOUND']],
    ['a file as a folder', naming('src/a.ts/b'), ['FILE_NOT_FOUND']],
    ['other case', naming('SRC/A.TS'), ['FILE_NOT_FOUND']],
    ['links that leave, whether to something or nothing', naming('out', 'out-missing'), ['FILE_OUTSIDE_ROOT', 'FILE_OUTSIDE_ROOT']],
    [
      'out of the root, whether to something or nothing',
      naming('../secret.txt', '../nothing.txt'),
      ['FILE_OUTSIDE_ROOT', 'FILE_OUTSIDE_ROOT'],
    ],
    ['absolute', naming('/etc/passwd', join(root, 'src/a.ts')), ['FILE_OUTSIDE_ROOT', 'FILE_OUTSIDE_ROOT']],
    ['too long', naming('x'.repeat(5000)), ['FILE_OUTSIDE_ROOT']],
    ['entries that are not text', naming(1, null, true, ['a'], { a: 'b' }), Array(5).fill('FILE_ENTRY_NOT_TEXT')],
    ['a value that is no list', header('{a: b}'), ['FILE_ENTRY_NOT_TEXT']],
    ['a number', header('5'), ['FILE_ENTRY_NOT_TEXT']],
    ['a remark that makes a mapping', '---\nfiles:\n  modify:\n    - src/a.ts: why\n---\n', ['FILE_ENTRY_NOT_TEXT']],
    [
      'all at once, in their order',
      naming('x.ts', '/y', 3, 'src/a.ts', 'x.ts'),
      ['FILE_NOT_FOUND', 'FILE_OUTSIDE_ROOT', 'FILE_ENTRY_NOT_TEXT', 'FILE_NOT_FOUND'],
    ],
  ])('%s is reported', async (_, text, codes) => {
    const issues = await issuesOf(text)
    expect(issues.map(({ code }) => code)).toEqual(codes)
    expect(issues.every(({ severity }) => severity === 'error')).toBe(true)
  })

  it("says it in the seed's words", async () => {
    const [found] = await issuesOf(naming('lib/other.rs'), undefined, 'de')
    expect(found?.message).toBe('files.modify referenziert nicht existierende Datei: lib/other.rs')
    expect(found?.hint).toBe("Entferne 'lib/other.rs' aus files.modify oder verschiebe nach files.create")
  })

  it.each([
    [
      'lib/other.rs',
      'Name only existing files in files.modify; lib/other.rs does not exist.',
      "Remove 'lib/other.rs' from files.modify or move it to files.create",
    ],
    ['src/helix', 'Name only files in files.modify; src/helix is a directory.', "Replace 'src/helix' with the files in it that change"],
    ['pipe', 'Name only regular files in files.modify; pipe is not one.', "Remove 'pipe' from files.modify"],
    [
      '/etc/passwd',
      'Name only files inside the project in files.modify; /etc/passwd is not allowed.',
      "Replace '/etc/passwd' with a path relative to the project, without '..'",
    ],
    [
      7,
      'Write every entry of files.modify as a path; entry 1 is a number.',
      'Write one path per entry, in quotes where needed, and comments after a #',
    ],
  ])('speaks to the model about %j', async (entry, message, hint) => {
    expect((await issuesOf(naming(entry))).map((issue) => [issue.message, issue.hint])).toEqual([[message, hint]])
  })

  it('suggests the closest file', async () => {
    const [en] = await issuesOf(naming('src/helix/sesion.py'))
    expect(en).toMatchObject({
      suggestion: 'src/helix/session.py',
      hint: expect.stringMatching(/; did you mean 'src\/helix\/session\.py'\?$/),
    })
    const [de] = await issuesOf(naming('session.py'), undefined, 'de')
    expect(de).toMatchObject({
      suggestion: 'src/helix/session.py',
      hint: expect.stringMatching(/files\.create; meintest du 'src\/helix\/session\.py'\?$/),
    })
    const [quoted] = await issuesOf(naming('src/ab.ts'))
    expect(quoted).toMatchObject({ hint: expect.stringMatching(/; did you mean "src\/a b\.ts"\?$/) })
    // What is named already is not what was meant.
    const [, taken] = await issuesOf(naming('src/helix/session.py', 'src/helix/sesion.py'))
    expect(taken).toBeUndefined()
    const [none] = await issuesOf(naming('src/helix/session.py', 'src/helix/sesion.py'))
    expect(none).not.toHaveProperty('suggestion')
  })

  it.each([
    ['a block list', '---\nfiles:\n  modify:\n    - src/a.ts\n    - "x.ts" # why\n---\n', '"x.ts"', 1],
    ['a flow list with CRLF', '---\r\nfiles: {modify: [src/a.ts, x.ts]}\r\n---\r\n', 'x.ts', 1],
    ['a scalar', `Prose\n\n${header('x.ts')}`, 'x.ts', 0],
    ['CR only', '---\rfiles:\r  modify:\r    - x.ts\r---\r', 'x.ts', 0],
    ['a fence', `${fence}yaml\nfiles:\n  modify: [x.ts]\n${fence}\n`, 'x.ts', 0],
    ['a header in a fence', `Look:\n\n${fence}md\n${header("['x.ts']")}${fence}\n`, "'x.ts'", 0],
  ])('tells where the entry stands in %s', async (_, text, source, index) => {
    const [found] = await issuesOf(text)
    expect(found?.path).toEqual(['files', 'modify', index])
    expect(text.slice(found?.span?.start, found?.span?.end)).toBe(source)
  })

  it.each([
    ['a fence in a quote', `> ${fence}yaml\n> files:\n>   modify: [x.ts]\n> ${fence}\n`],
    ['an alias of the list', '---\nx: &x [x.ts]\nfiles:\n  modify: *x\n---\n'],
    ['an alias of files', '---\nx: &x {modify: [x.ts]}\nfiles: *x\n---\n'],
  ])('does not tell where it cannot know: %s', async (_, text) => {
    const [found] = await issuesOf(text)
    expect(found?.path).toEqual(['files', 'modify', 0])
    if (found?.span) expect(text.slice(found.span.start, found.span.end)).toBe('*x')
  })

  it.each(['a"b\'c', 'a\nb', '`whoami`', '<script>', '\u202efdp.ts', 'x'.repeat(1000), 'y'.repeat(10_240), '---\nfiles: x', '%s'])(
    'fences the hostile name %j',
    async (path) => {
      for (const locale of ['en', 'de'] as const) {
        const [found] = await issuesOf(naming(path), undefined, locale)
        expect(found?.message).not.toMatch(/[\n\r\u202e]/)
        expect(found?.hint).not.toMatch(/[\n\r\u202e]/)
        expect(found?.message.length).toBeLessThan(300)
        expect(found?.hint?.length).toBeLessThan(300)
      }
    },
  )

  it('gives lexically outside paths to no port, and others in their plain form, each once', async () => {
    const files = fakeFiles(['a'])
    await issuesOf(naming('/etc/passwd', '..\\a', '..%2fa', '~/a', 'C:\\a', 'a\0b', './a', 'a', 'x/../a', 'b', '', '.'), { files })
    expect(files.asked).toEqual(['a', 'b'])
  })

  it('is unavailable without files, unless there is nothing to look up', async () => {
    expect((await report(naming('a.ts'), {})).unchecked).toMatchObject([
      { validator: 'file_existence', cause: 'unavailable', message: expect.stringMatching(/nodeFiles/) },
    ])
    expect(await report(naming('/a.ts', 5), {})).toMatchObject({
      unchecked: [],
      issues: [{ code: 'FILE_OUTSIDE_ROOT' }, { code: 'FILE_ENTRY_NOT_TEXT' }],
    })
    expect(await report(header('[]'), {})).toMatchObject({ unchecked: [], issues: [] })
    expect(await report('text', {})).toMatchObject({ unchecked: [], issues: [] })
  })

  it('is unchecked when the look-up fails, but not when only the list does', async () => {
    const broken: FilePort = { kind: () => Promise.reject(new Error('EACCES')), list: () => Promise.resolve([]) }
    expect((await report(naming('a.ts'), { files: broken })).unchecked).toMatchObject([{ cause: 'crash', message: 'EACCES' }])
    const unlisted: FilePort = { kind: () => Promise.resolve('missing'), list: () => Promise.reject(new Error('EACCES')) }
    expect((await issuesOf(naming('a.ts'), { files: unlisted })).map(({ code }) => code)).toEqual(['FILE_NOT_FOUND'])
  })

  it('looks up a bounded number of entries at a bounded rate, and says so', async () => {
    const files = fakeFiles(crowd)
    const issues = await issuesOf(flood, { files })
    expect(files).toMatchObject({ lists: 1, most: 8 })
    expect(files.asked.length).toBe(1000)
    expect(issues.length).toBe(1001)
    expect(issues.at(-1)).toMatchObject({
      code: 'FILE_ENTRY_LIMIT',
      path: ['files', 'modify'],
      message: 'Name at most 1000 files in files.modify; it has 20000.',
    })
    expect((await issuesOf(naming('src/a.ts', 'README.md', 'x'), undefined, 'de', { maxEntries: 2 })).map(({ code }) => code)).toEqual([
      'FILE_ENTRY_LIMIT',
    ])
  })

  it.each([
    ['many files to choose from', () => ({ files: fakeFiles(crowd) })],
    ['a real disk', () => ({ files: nodeFiles(root) })],
  ])('is bounded with %s', { timeout: 20_000 }, async (_, ports) => {
    expect(await issuesOf(flood, ports())).toHaveLength(1001)
  })

  it('does not accept a header that it cannot read', async () => {
    const twice = '---\nfiles:\n  modify: [a]\n  modify: [b]\n---\n'
    const report = await check(contract({ checks: ['file_existence'] }), twice)
    expect(report.unchecked).toEqual([])
    expect(report.issues).toMatchObject([{ code: 'FILE_HEADER_UNREADABLE', message: expect.stringContaining('Map keys must be unique') }])
  })

  it('does not accept a header that is too large to be read', async () => {
    const large = `---\nadr_id: 1\nfiles:\n  modify:\n${'    - src/missing/file.ts\n'.repeat(3000)}---\n`
    const report = await check(contract({ checks: ['file_existence', 'adr_structure'] }), large)
    expect(report.unchecked).toEqual([])
    expect(report.issues).toMatchObject([
      { code: 'TOO_COMPLEX', validator: 'file_existence' },
      { code: 'TOO_COMPLEX', validator: 'adr_structure' },
    ])
  })

  it('lists nothing when nothing is missing', async () => {
    const files = fakeFiles(['a'])
    await issuesOf(naming('a', '/b', 3), { files })
    expect(files.lists).toBe(0)
  })

  it('tells the model the rule', () => {
    const { instruct } = fileExistence.definition
    expect(instruct({ maxEntries: 1 }, 'en')).toMatch(/files\.modify.*files\.create/)
    expect(instruct({ maxEntries: 1 }, 'de')).toMatch(/files\.modify.*files\.create/)
  })
})

it('says everything in both languages', async () => {
  const modifies = (files: string) => ({ text: `---\nfiles:\n  modify: ${files}\n---\n` })
  expect(
    await localeFaults(
      'file_existence',
      [
        modifies('[src/b.ts]'),
        modifies('[../b.ts, /etc/passwd]'),
        modifies('[1, {a: b}]'),
        modifies('{a: b}'),
        { text: `---\nadr_id: 1\nfiles:\n  modify: [a]\n  modify: [b]\n---\n` },
        { options: { maxEntries: 2 }, ...modifies('[a, b, c]') },
      ],
      catalogue,
      ['FILE_NOT_FOUND'],
    ),
  ).toEqual([])
})
