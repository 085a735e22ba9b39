import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../../catalogue.ts'
import { buildContract } from '../../contract/contract.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import { scripted } from '../../runners/scripted.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { links } from './index.ts'

const folder = process.env.STICKLER_CORPUS ?? fileURLToPath(new URL('../../../../../../shared/corpus', import.meta.url))
const file = `${folder}/real-answers.jsonl`
const recorded = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
const answers = recorded.map((line) => (JSON.parse(line) as { text: string }).text).filter((text) => /:\/\/|www\.|\]\(|href/.test(text))
const name =
  answers.length > 0 ? 'recorded answers' : `recorded answers: there are none in ${folder}; name their folder with STICKLER_CORPUS`

const rules = buildContract({ checks: [links({ hosts: ['acme.com'] })], retries: 0, allow: ['lossy'] }, catalogue)

/** A document as an independent parser reads it: its code, where it leads to, and everything else without addresses. */
function read(text: string): { code: string[]; targets: string[]; rest: string } {
  const code: string[] = []
  const targets: string[] = []
  const rest: string[] = []
  const walk = (node: Nodes): void => {
    if (node.type === 'code' || node.type === 'inlineCode') code.push(node.value)
    else if ('url' in node) targets.push(node.url)
    // What shows an address by itself is a link of some renderers and text of others.
    const isShown = node.type === 'link' && !slice(text, node).startsWith('[')
    if (!isShown && node.type !== 'text') rest.push(node.type === 'heading' ? `h${node.depth}` : node.type)
    if (node.type === 'text' || node.type === 'html') rest.push(node.value)
    if ('children' in node) for (const child of node.children) walk(child)
  }
  walk(fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }))
  const plain = rest.join(' ').replace(/<?(?:[a-z][a-z0-9+.-]*:\/\/|www\.)(?:\([^\s()]*\)|[^\s<>"'\])(])*>?|#/gi, '')
  return { code, targets, rest: plain.replace(/\s+/g, '') }
}

const slice = (text: string, { position }: Nodes): string => text.slice(position?.start.offset, position?.end.offset)

function leadsAway(target: string): boolean {
  if (!URL.canParse(target, 'https://acme.com/')) return false
  const { protocol, hostname } = new URL(target, 'https://acme.com/')
  return protocol !== 'mailto:' && protocol !== 'tel:' && hostname !== 'acme.com'
}

async function expectWhole(text: string): Promise<string> {
  const settled = await settle(rules, text)
  expect(settled.status, text).toMatch(/^(?:valid|repaired)$/)
  expect((await check(rules, settled.text)).issues).toEqual([])
  const [before, after] = [read(text), read(settled.text)]
  expect(after.code, text).toEqual(before.code)
  expect(after.targets.filter(leadsAway), text).toEqual([])
  expect(after.rest, `${text}\n=>\n${settled.text}`).toBe(before.rest)
  return settled.text
}

describe('a repair of links', () => {
  test.each([
    ['a link', 'See [the guide](https://evil.com/x "T").', 'See [the guide](# "T").'],
    ['nested brackets', '[a [b] `c`](https://evil.com)', '[a [b] `c`](#)'],
    ['parentheses', '[a](https://evil.com/b_(c)) d', '[a](#) d'],
    ['a parenthesis too few', '[a](https://evil.com/b_(c) d', '[a](#) d'],
    ['a target in angle brackets', '[a](<https://evil.com/b c>)', '[a](<#>)'],
    ['an address in angle brackets', 'See <https://evil.com/x>.', 'See #.'],
    ['an image in a link', '[![a](https://evil.com/a.png)](https://evil.com)', '[![a](#)](#)'],
    ['a definition', '[a][1]\n\n[1]: https://evil.com "T"\n', '[a][1]\n\n[1]: # "T"\n'],
    ['HTML', '<a href="https://evil.com" title="t">a</a>', '<a href="#" title="t">a</a>'],
    ['an address at the start of a line', 'https://evil.com is wrong', '\\# is wrong'],
    ['an address that is an item', '- https://evil.com\n- b', '- \\#\n- b'],
    ['a target on a line of its own', '[a](\nhttps://evil.com\n)', '[a](\n\\#\n)'],
    [
      'an attribute that is not closed',
      'href="https://evil.com\n\nText\n\n```html\n<a href="x">\n```\n',
      'href="#\n\nText\n\n```html\n<a href="x">\n```\n',
    ],
    ['an attribute before code', 'href="https://evil.com `a` b', 'href="# `a` b'],
    ['a back-tick in a target', '[a](https://evil.com/`) b` c', '[a](#) b` c'],
    ['code after a target that is not one', '[a](https://evil.com/ `b` c', '[a](# `b` c'],
    [
      'a style sheet in code',
      '```html\n<style>a { }</style>\n```\n\nurl(https://evil.com/x)',
      '```html\n<style>a { }</style>\n```\n\nurl(#)',
    ],
  ])('leaves %s whole', async (_name, text, expected) => {
    const settled = await settle(rules, text)
    expect([settled.text, settled.status]).toEqual([expected, 'repaired'])
    await assertStreamable(rules, text)
  })

  test('leaves whatever is not wrong as it is, in any Markdown', async () => {
    const line = fc.constantFrom(
      '[a](https://evil.com/x)',
      '[a](https://acme.com/x "t")',
      '![i](//evil.com/i.png)',
      '[![i](https://evil.com/i.png)](https://acme.com)',
      '[a [b]](<https://evil.com>)',
      'https://evil.com/x_(y).',
      '(see https://evil.com)',
      '<https://evil.com/>',
      '[1]: https://evil.com "t"',
      '[x][1]',
      '<a href="https://evil.com">b</a>',
      '`https://evil.com`',
      '```\nhttps://evil.com\n```',
      '**https://evil.com**',
      '| https://evil.com | b |',
      '# A https://evil.com',
      'text',
      '1) https://evil.com',
    )
    const indent = fc.constantFrom('', '', '- ', '> ', '  ')
    const documents = fc
      .array(fc.tuple(indent, line, fc.constantFrom('\n', '\n\n', ' ')), { minLength: 1, maxLength: 7 })
      .map((parts) =>
        parts.map(([before, said, after]) => `${before}${before.trim() ? said.replaceAll('\n', '\n  ') : said}${after}`).join(''),
      )
    await fc.assert(
      fc.asyncProperty(documents, async (text) => void (await expectWhole(text))),
      { numRuns: 300 },
    )
  })
})

describe(name, () => {
  test('keep everything but wrong links, whole and as streams', { timeout: 120_000 }, async () => {
    for (const text of answers) {
      const expected = await expectWhole(text)
      const stream = enforceStream({ contract: rules, runner: scripted([{ text, chunkSize: 5 }]), prompt: '' })
      let shown = ''
      for await (const piece of stream) shown += piece
      expect(shown).toBe(expected)
    }
  })
})
