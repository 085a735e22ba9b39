import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCommands, writeShims } from './docs-harness/console-block.ts'
import { matches } from './docs-harness/expectation.ts'
import { findDeadLinks } from './docs-harness/links.ts'
import { readPage } from './docs-harness/page.ts'
import { preparePage, runPage } from './docs-harness/run-page.ts'
import { typecheck } from './docs-harness/typecheck.ts'
import { docsRun } from './support/places.ts'

const under = join(docsRun, 'harness')
type Fenced = readonly [info: string, ...lines: string[]]
const fenced = (...blocks: readonly Fenced[]) =>
  blocks.map(([info, ...lines]) => [`\`\`\`${info}`, ...lines, '```'].join('\n')).join('\n\nprose\n\n')

let count = 0
const pageOf = (...blocks: readonly Fenced[]) => ({ name: 'page.md', markdown: fenced(...blocks), folder: join(under, String(count++)) })

beforeAll(writeShims)
afterAll(() => rm(docsRun, { recursive: true, force: true }))

describe('reading a page', () => {
  test('finds blocks with their lines, in lists, in longer fences and in comments', () => {
    const markdown = [
      '1. item',
      '   ```ts file=a.ts',
      '   a',
      '     b',
      '   ```',
      '<!--',
      '````md',
      '```',
      'inner',
      '```',
      '````',
      '-->',
      '~~~text output',
    ].join('\n')
    expect(() => readPage('p.md', markdown)).toThrow('p.md:13: this fence is never closed')
    expect(readPage('p.md', markdown.split('\n').slice(0, -1).join('\n'))).toEqual([
      { line: 3, language: 'ts', text: 'a\n  b', file: 'a.ts', isOutput: false },
      { line: 8, language: 'md', text: '```\ninner\n```', isOutput: false },
    ])
  })

  test.each([
    ['ts no-run', 'no-run needs a reason'],
    ['console norun="x"', 'unknown word after console: norun'],
    ['md file=../a.md', 'file= needs the name of a file'],
    ['md file=/a.md', 'file= needs the name of a file'],
    ['md file=', 'file= needs the name of a file'],
    ['text output', 'an output block must follow'],
  ])('refuses %s', (info, message) => {
    expect(() => readPage('p.md', fenced([info, 'x']))).toThrow(`p.md:1: ${message}`)
  })

  test('takes a console block apart', () => {
    const [block] = readPage('p.md', fenced(['console', '$ a \\', '  b', 'out', '', '$ c', '[exit 2]', '']))
    expect(block && readCommands(block)).toEqual([
      { line: 2, command: 'a \\\n  b', expected: 'out', exitCode: 0 },
      { line: 6, command: 'c', expected: '', exitCode: 2 },
    ])
  })
})

test.each([
  ['a\nb', 'a\nb', true],
  ['a\nb\n\n', 'a\nb', true],
  ['a\nb', 'a', false],
  ['a', 'a\nb', false],
  ['', '', true],
  ['a', '', false],
  ['a\nb\nc', 'a\n…\nc', true],
  ['a\nc', 'a\n…\nc', true],
  ['a', 'a\n…\na', false],
  ['a\nx\nb\ny\nc', 'a\n…\nb\n…\nc', true],
  ['a\nx\ny\nc', 'a\n…\nb\n…\nc', false],
  ['a\nb', '…', true],
  ['', '…', true],
  ['a …', 'a …', true],
  ['a b', 'a …', false],
])('%j as %j: %s', (printed, expected, verdict) => {
  expect(matches(printed, expected)).toBe(verdict)
})

describe('a page that tells the truth passes', () => {
  test.each([
    [
      'code with output',
      pageOf(
        ['ts', 'const one: number = 1', "console.log('one', one, [2])", "process.stdout.write('three')"],
        ['text output', 'one 1 [ 2 ]', 'three'],
      ),
    ],
    ['code that awaits', pageOf(['js', 'console.log(await Promise.resolve(1))'], ['json output', '1'])],
    [
      'a file for code',
      pageOf(
        ['json file=in/a.json', '{ "a": 1 }'],
        ['ts', "import { readFileSync } from 'node:fs'", "console.log(readFileSync('in/a.json', 'utf8').trim())"],
        ['text output', '{ "a": 1 }'],
      ),
    ],
    [
      'a module for code',
      pageOf(
        ['ts file=two.ts', 'export const two = 2'],
        ['ts', "import { two } from './two.ts'", 'console.log(two)'],
        ['text output', '2'],
      ),
    ],
    ['a file for a command', pageOf(['md file=a.md', '# Hello'], ['console', '$ cat a.md', '# Hello', '$ pwd | sed "s:.*/::"', '…'])],
    ['both streams in order', pageOf(['console', '$ echo a; echo b >&2; echo c', 'a', 'b', 'c'])],
    ['an exit code', pageOf(['console', '$ echo no && exit 3', 'no', '[exit 3]'])],
    [
      'what is not run',
      pageOf(['ts no-run="needs a key"', 'throw new Error()'], ['console no-run="needs a key"', '$ false'], ['sh', 'false'], ['', 'x']),
    ],
  ])('%s', async (_, page) => {
    await runPage(page)
  })
})

describe('a page that does not tell the truth fails', () => {
  test.each([
    [
      'other output',
      pageOf(['ts', 'console.log(1)'], ['text output', '2']),
      "page.md:8: the block above prints something else: expected '1' to be '2'",
    ],
    ['no output', pageOf(['ts', ''], ['text output', '2']), 'page.md:8: the block above prints something else'],
    ['code that throws', pageOf(['ts', '', "throw new Error('boom')"]), 'page.md:2: the block throws: boom'],
    ['code that is none', pageOf(['ts', 'const = 1']), 'page.md:2: the block throws'],
    ['a rejection', pageOf(['ts', "await Promise.reject(new Error('boom'))"]), 'page.md:2: the block throws: boom'],
    [
      'a command with other output',
      pageOf(['console', '$ true', '$ echo a', 'b']),
      "page.md:3: $ echo a prints something else: expected 'a' to be 'b'",
    ],
    ['a command with more output', pageOf(['console', '$ echo a']), 'page.md:2: $ echo a prints something else'],
    ['a command that fails', pageOf(['console', '$ false']), 'page.md:2: exit code of $ false'],
    ['a command that should fail', pageOf(['console', '$ true', '[exit 1]']), 'page.md:2: exit code of $ true'],
    ['another package by npx', pageOf(['console', '$ npx cowsay']), 'the docs may only npx stickler'],
    ['output before a command', pageOf(['console', 'a', '$ echo a']), 'line 2: a console block begins with a command'],
  ])('%s', async (_, page, message) => {
    await expect(runPage(page)).rejects.toThrow(message)
  })

  test('types that do not fit are found on the line of the page, run or not', async () => {
    const folder = join(under, 'types')
    const page = pageOf(['ts', 'export const one: number = 1'], ['ts no-run="needs a key"', '', 'export const two: string = 2'])
    await preparePage({ ...page, folder })
    expect(await typecheck(folder)).toMatch(/^line-8\.ts\(9,14\): error TS2322/)
  })

  test('what a page prints does not stay captured', async () => {
    const { console: before } = globalThis
    const cwd = process.cwd()
    await runPage(pageOf(['ts', "throw new Error('boom')"])).catch(() => undefined)
    expect(globalThis.console).toBe(before)
    expect(process.cwd()).toBe(cwd)
  })

  test('dead links are found', async () => {
    const markdown =
      '# A `b` c!\n\n[ok](#a-b-c) [ok](LICENSE) [ok](https://example.org) `[code](x)`\n[no](#d) [no](nowhere.md) [no](README.md#nowhere)\n'
    expect(await findDeadLinks([{ name: 'page.md', markdown }])).toEqual([
      'page.md:4: #d',
      'page.md:4: nowhere.md',
      'page.md:4: README.md#nowhere',
    ])
  })
})
