import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readCommands, writeShims } from './docs-harness/console-block.ts'
import { matches } from './docs-harness/expectation.ts'
import { findDeadLinks } from './docs-harness/links.ts'
import { missingInstalls } from './docs-harness/needs.ts'
import { readPage } from './docs-harness/page.ts'
import { type Page, preparePage, runPage } from './docs-harness/run-page.ts'
import { typecheck } from './docs-harness/typecheck.ts'
import { docsRun } from './support/places.ts'

const under = join(docsRun, 'harness')
type Fenced = readonly [info: string, ...lines: string[]]
const fenced = (...blocks: readonly Fenced[]) =>
  blocks.map(([info, ...lines]) => [`\`\`\`${info}`, ...lines, '```'].join('\n')).join('\n\nprose\n\n')

/** What the compiler says of a page, without its sentences. */
async function complaints(page: Page): Promise<string[]> {
  await preparePage(page)
  let kind = ''
  return (await typecheck(page.folder, [page])).split('\n').flatMap((line) => {
    if (/^[\w-]+:$/.test(line)) kind = line
    return /error TS/.test(line) ? [`${kind} ${line.replace(/(TS\d+):.*/, '$1')}`] : []
  })
}

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
        ['ts', "import { two } from './two.js'", 'console.log(two)'],
        ['text output', '2'],
      ),
    ],
    [
      'a client with a provider that plays a file, whole and streamed',
      pageOf(
        [
          'ts answers=answers.txt',
          "import OpenAI from 'openai'",
          'const client = new OpenAI()',
          "const asked = { model: 'm', messages: [{ role: 'user' as const, content: 'Hi' }] }",
          'console.log((await client.chat.completions.create(asked)).choices[0]?.message.content)',
          "for await (const { choices } of await client.chat.completions.create({ ...asked, stream: true })) console.log(choices[0]?.delta.content ?? 'end')",
          'console.log(await client.chat.completions.create(asked, { maxRetries: 0 }).catch(({ status }) => status))',
        ],
        ['text output', 'One.', 'Two and ', 'three.', 'end', '400'],
        ['text file=answers.txt', 'One.', 'Two and three.'],
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

  test('answers of a file that the page does not have', async () => {
    await expect(runPage(pageOf(['ts answers=a.txt', '']))).rejects.toThrow('page.md:1: the page has no file a.txt')
  })

  test('types that do not fit are found on the line of the page, run or not, in both kinds of project', async () => {
    const page = pageOf(['ts', 'export const one: number = 1'], ['ts no-run="needs a key"', '', 'export const two: string = 2'])
    expect(await complaints(page)).toEqual(['init: line-8.ts(9,14): error TS2322', 'next: line-8.ts(9,14): error TS2322'])
  })

  test('so is what compiles in one kind of project only', async () => {
    const other = ['ts file=other.ts', 'export const one = 1', 'export type One = typeof one'] as const
    const page = pageOf(
      other,
      ['ts', "import { one } from './other.ts'", 'console.log(one)'],
      ['ts', "import { one } from './other'", 'console.log(one)'],
      ['ts', "import { One } from './other.js'", 'export const two: One = 1'],
      ['ts', "console.log(/./s.test('a'))"],
      ['ts', 'console.log(process.pid)'],
    )
    expect(await complaints(page)).toEqual([
      'init: line-16.ts(16,21): error TS2835',
      'init: line-23.ts(23,10): error TS1484',
      'init: line-36.ts(36,13): error TS2591',
      'init: line-9.ts(9,21): error TS5097',
      'next: line-30.ts(30,16): error TS1501',
      'next: line-9.ts(9,21): error TS5097',
    ])
  })

  test('what readers are not told to install', () => {
    const programs = fenced(
      [
        'ts',
        "import { json } from '@stickler/core/validators'",
        "import { z } from 'zod'",
        "import a from '@a/b/c'",
        'import d, {',
        '  type E',
        "} from 'd'",
      ],
      ['ts', "import { join } from 'node:path'", "import './file.js'"],
      ['js', 'process.exit()'],
    )
    const told = (text: string) => missingInstalls({ name: 'page.md', markdown: `${text}\n\n${programs}` })
    expect(told('')).toEqual(['@a/b', 'd', '@types/node'].map((one) => `page.md: npm install ${one}`))
    expect(told('`npm install d`, `npm install -D @types/node @a/b`.')).toEqual([])
    expect(told('<!-- npm install d @types/node @a/b -->')).toHaveLength(3)
    expect(missingInstalls({ name: 'page.md', markdown: `<!--\n${programs}\n-->` })).toEqual([])
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
