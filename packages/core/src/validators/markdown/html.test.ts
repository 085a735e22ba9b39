import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { HtmlRenderer, Parser } from 'commonmark'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../../../tools/tests/processor-ms.ts'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { markdown } from './index.ts'
import { markdownMessages } from './messages.ts'

const none = contract({ checks: [markdown({ html: 'none' })], retries: 0 })
const inert = contract({ checks: [markdown({ html: 'inert' })], retries: 0 })
const messages = async (rules: typeof none, text: string) => (await check(rules, text)).issues.map(({ message }) => message)

const fence = '```'
const noHtml = [
  'a < b and c > d, x <3, <- and <=',
  'if a <b, c> d',
  '`<script>` and `` <b> ``',
  `${fence}html\n<script>x</script>\n${fence}`,
  '~~~\n<div onclick=x>\n~~~\n',
  '<https://acme.com/x> and <jane@acme.com>',
  '\\<b> and &lt;script&gt;',
  '[a]: <https://acme.com> "t"',
  '<think><b> or List<String>, `<script>`\n\n```\n<script>\n```\n</think>text',
  '- a:\n  ```html\n  <b>x</b>\n\n  <p>\n  ```\n- b',
  '1. a\n\n   ~~~\n   <script>\n',
  'a <b',
]
const harmless = [
  'a<br>b<BR/>H<sub>2</sub>O x<sup>2</sup>',
  '<details open>\n<summary>More</summary>\n\n- a\n\n</details>',
  '<table><tr><td colspan="2" align=center>a</td></tr></table>',
  '<a href="https://acme.com" title=\'t\'>a</a> <a href="/x?a=javascript:b">b</a>',
  '<img src="a.png" alt="b" width=10>',
  '<!-- a note -->\n\ntext <!-- more -->',
  '<p\nalign="center"\n>a</p>',
  '<div>\n\n`<script>`\n\n</div>',
]
const active = [
  '<script>alert(1)</script>',
  '<ScRiPt\n>x',
  'a <script\nsrc=x>',
  '<script src=//x',
  '<iframe srcdoc="x"></iframe>',
  '<object data=x>',
  '<embed src=x>',
  '<style>a{}</style>',
  '<form action=x><input></form>',
  '<div onclick="x">',
  '<img src=x onerror=alert(1)>',
  '<img/src="x"/onerror=alert(1)>',
  '<div\u000conclick=x>',
  '<b ONMOUSEOVER=x>y</b>',
  '<b a="1"onclick=x>y</b>',
  '<a href="javascript:x">y</a>',
  '<think>x <script>y</script></think>z',
  ' <reasoning>\n```\n<img src=x onerror=y>\n```\n</reasoning>\n\nz',
  '<think>x <img src=x onerror=y',
  '<a href=" JaVaScRiPt:x">y</a>',
  '<a href="java\nscript:x">y</a>',
  '<a href="java&#115;cript&colon;x">y</a>',
  '<a href="&#x6a&#x61vascript:x">y</a>',
  '<a href="java&Tab;script:x">y</a>',
  '<a href="\u0001javascript:x">y</a>',
  '<a href="vbscript:x">y</a>',
  '<img src="data:text/html,x">',
  '<meta http-equiv=refresh content="0;url=x">',
  '<base href="//x">',
  '<svg><script>x</script></svg>',
  '<svg><animate onbegin=x /></svg>',
  '<math><mtext><table><mglyph><style><img src=x onerror=y></style></mglyph></table></mtext></math>',
  '<noscript><p title="</noscript><img src=x onerror=y>">',
  '<!--><img src=x onerror=y>-->',
  '<!-- <p title=" --> <script>x</script>">',
  '<script\0>x</script>',
  '<p style="background:url(x)">a</p>',
  '<div data-hx-get="/x">a</div>',
  '<div>\n```\n<script>x</script>\n```\n</div>',
  '<div>\n`<script>x</script>`\n</div>',
  '<div>\n\\<script>x</script>\n</div>',
  '> <div\n> onclick=x>',
  '- a\n\n  <script>x</script>',
  '| a |\n|---|\n| <script>x</script> |',
  '<?php x ?>',
  '<!DOCTYPE html>',
  '<![CDATA[x]]>',
  '<div title="\n\n" onclick=x>',
  '<div\n\ntext',
]

describe('html', () => {
  test.each(noHtml)('none and inert allow %j', async (text) => {
    expect([await messages(none, text), await messages(inert, text)]).toEqual([[], []])
  })

  test.each(harmless)('inert allows, and none forbids %j', async (text) => {
    expect(await messages(inert, text)).toEqual([])
    expect((await messages(none, text)).length).toBeGreaterThan(0)
  })

  test.each(active)('both forbid %j', async (text) => {
    for (const before of ['', 'Text\n\n', 'Text: '])
      if (before !== 'Text: ' || isActive(before + text)) expect((await messages(inert, before + text)).length, before).toBeGreaterThan(0)
    expect((await messages(none, text)).length).toBeGreaterThan(0)
  })

  test.each([...noHtml, ...harmless, ...active])('streams as whole: %j', async (text) => {
    for (const rules of [none, inert]) await assertStreamable(rules, `One.\n\n${text}\n\nTwo.\n`)
  })

  test.each([
    ['open tags', `<div>\n${'</'.repeat(12_500)}`],
    ['open attributes', '<p x="'.repeat(7000)],
    ['closed tags in tags', `<div>\n${'<div x="'.repeat(5000)}">`],
    ['closed tags in tags, with apostrophes', `<div>\n${"<a x='".repeat(6000)}'>`],
  ])('takes linear time for many %s', async (_name, text) => {
    for (const rules of [none, inert]) {
      const took = await processorMs(async () => expect((await messages(rules, text)).length).toBe(50))
      expect(took).toBeLessThan(4000)
    }
  })

  test('of many tags in one another, so many that they are not all read, none passes', async () => {
    const open = "<b title='".repeat(20_000)
    expect((await messages(inert, `<div>\n${open}'>\n<script>x</script>`)).length).toBeGreaterThan(0)
  })

  test('says what to leave out', async () => {
    const text = 'a <x-y> b\n\n<div onclick="x"><a href="javascript:x">y</a>\n\n<p'
    expect(await messages(inert, text)).toEqual([
      'Leave out the HTML tag in line 1; it is not allowed.',
      'Leave out the attribute "onclick" in line 3; it is not allowed.',
      'Give the HTML tag in line 3 another href; only http, https, mailto and tel addresses are allowed.',
      'Close the HTML tag in line 5; it is still open at the end.',
    ])
    expect(await messages(none, 'a\n\nvector<int> x')).toEqual(['Write no HTML; line 3 has a tag.'])
    expect(await messages(inert, '<script>x</script>')).toEqual([
      'Leave out the HTML tag in line 1; it is not allowed.',
      'Leave out the HTML tag in line 1; it is not allowed.',
    ])
  })

  test('back-ticks are advised only for what may be text', async () => {
    const { issues } = await check(inert, 'a <x-y> b\n\n<div onclick="x"><a href="javascript:x">y</a>\n\n<p')
    expect(issues.map(({ hint }) => hint?.includes('back-ticks'))).toEqual([true, undefined, undefined, true])
  })

  test('German declines what is not wanted', async () => {
    const options = { html: 'inert', numberedLists: { max: 0 }, numberedItems: { max: 0 }, highlights: { max: 0 } } as const
    const rules = contract({ checks: [markdown(options)], locale: 'de' })
    const expected = ['keine nummerierten Listen', 'keine nummerierten Listenpunkte', 'keine hervorgehobenen Stellen']
    const found = (await messages(rules, '1. *a*')).join(' ')
    const asked = markdownMessages.de.instruct(options)
    for (const words of expected) expect(found).toContain(words)
    for (const words of [...expected, 'Frames und kein anderes aktives HTML']) expect(asked).toContain(words)
  })
})

interface HtmlNode {
  readonly nodeName: string
  readonly attrs?: readonly { readonly name: string; readonly value: string }[]
  readonly childNodes?: readonly HtmlNode[]
  readonly content?: HtmlNode
}
/** The parser of HTML that browsers' behaviour is specified by; it comes without types. */
const { parseFragment } = createRequire(import.meta.url)('parse5') as { parseFragment(html: string): HtmlNode }
const marked = createRequire(import.meta.url)('marked') as { parse(text: string): string }

const raw = new MarkdownIt({ html: true })
const plain = new MarkdownIt({ html: false })
const renderers: readonly ((text: string) => string)[] = [
  (text) => raw.render(text),
  (text) => micromark(text, { allowDangerousHtml: true, extensions: [gfm()], htmlExtensions: [gfmHtml()] }),
  (text) => marked.parse(text),
  (text) => new HtmlRenderer().render(new Parser().parse(text)),
]

/** Whether a browser would run, load or submit something of what renderers make of a text. */
function isActive(text: string): boolean {
  const isActiveNode = (node: HtmlNode): boolean =>
    /^(?:script|iframe|frame|object|embed|applet|style|form|input|button|textarea|select|svg|math|base|meta|link|template|noscript|video|audio|source)$/.test(
      node.nodeName,
    ) ||
    (node.attrs ?? []).some(
      ({ name, value }) =>
        /^(?:on|style$|srcdoc$|formaction$)/.test(name) ||
        (/^(?:href|src|action|data|xlink:href)$/.test(name) && /^(?:javascript|vbscript|data):/i.test(value.replace(/[\0-\x20]/g, ''))),
    ) ||
    (node.childNodes ?? []).some(isActiveNode) ||
    (node.content !== undefined && isActiveNode(node.content))
  return renderers.some((render) => isActiveNode(parseFragment(render(text))))
}

const folder = process.env.STICKLER_CORPUS ?? fileURLToPath(new URL('../../../../../../shared/corpus', import.meta.url))
const file = `${folder}/real-answers.jsonl`
const answers = existsSync(file)
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { text: string }).text)
  : []
const name =
  answers.length > 0 ? 'recorded answers' : `recorded answers: there are none in ${folder}; name their folder with STICKLER_CORPUS`

describe('html and an independent parser', () => {
  const piece = fc.oneof(
    fc.constantFrom(...active, ...harmless, ...noHtml),
    fc.constantFrom(
      ...['<', '>', '</', '/>', '<!--', '-->', '--!>', '<a ', '<p', '<div', '<img ', '<script', '<svg>', '<br>', '<b>', '<x-y ', '<title>'],
      ...[
        'onclick=x',
        'src=x',
        'href=',
        'title="',
        "title='",
        '"',
        "'",
        '=',
        '/',
        ' ',
        '\n',
        '\n\n',
        '\t',
        '`',
        '``',
        '```\n',
        '\n~~~\n',
        '\\',
      ],
      ...[
        'javascript:',
        '&colon;',
        '\0',
        '\r',
        '\u000c',
        'a',
        'text:\n',
        '> ',
        '- ',
        '    ',
        '| ',
        '[a](',
        ')',
        '&lt;',
        '<?',
        '<![CDATA[',
        ']]>',
        '|a|b|\n|-|-|\n',
        '\n|-|\n',
        '|\n|-|-|\n',
        '<think>',
        '</think>',
        '</think>\n\n',
      ],
    ),
  )
  const texts = fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => pieces.join(''))

  test('nothing active passes', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        // A link of Markdown is the task of `links`.
        if (!/\]\(|\]:/.test(text) && isActive(text)) expect((await messages(inert, text)).length, JSON.stringify(text)).toBeGreaterThan(0)
      }),
      { numRuns: 1000 },
    )
  })

  test('nothing that is rendered as HTML passes where there may be none', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        // Of reasoning only what is active counts.
        const isReasoned = /^\s*<(?:think|thinking|reasoning)>/i.test(text)
        if (!isReasoned && raw.render(text) !== plain.render(text))
          expect((await messages(none, text)).length, JSON.stringify(text)).toBeGreaterThan(0)
      }),
      { numRuns: 1000 },
    )
  })

  test('any chunking gives the same verdict', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.boolean(), async (text, isStrict) => {
        if (text.trim() !== '') await assertStreamable(isStrict ? none : inert, text, [1, 3, 7])
      }),
      { numRuns: 150 },
    )
  })
})

test(`html of ${name}`, { timeout: 60_000 }, async () => {
  for (const text of answers) {
    const isHtml = raw.render(text) !== plain.render(text)
    if (isHtml) expect((await messages(none, text)).length, text).toBeGreaterThan(0)
    if (text.includes('<')) await assertStreamable(none, text, [9])
  }
})
