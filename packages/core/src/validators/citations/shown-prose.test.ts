import { createRequire } from 'node:module'
import { HtmlRenderer, Parser } from 'commonmark'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { catalogue } from '../../catalogue.ts'
import { buildContract } from '../../contract/contract.ts'
import { check } from '../../engine/check/check.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { citations } from './index.ts'

interface HtmlNode {
  readonly nodeName: string
  readonly value?: string
  readonly childNodes?: readonly HtmlNode[]
}
/** The parser of HTML that browsers' behaviour is specified by; it comes without types. */
const { parse } = createRequire(import.meta.url)('parse5') as { parse(html: string): HtmlNode }

/** Whether a browser shows prose without a citation in what a renderer makes of a text. */
function showsUncited(markdown: string): boolean {
  const html = new HtmlRenderer().render(new Parser().parse(markdown))
  const exempt = /^(?:h[1-6]|ul|ol|menu|dl|li|dt|dd|table|caption|td|th|select|summary|figcaption|legend|title|svg|math|pre|textarea)$/
  const inline = /^(?:b|i|em|strong|span|a|code|img|br|#text)$/
  let uncited = false
  let run = ''
  const flush = (): void => {
    if (/[\p{L}\p{N}]/u.test(run) && !/\[\^[1-3]\]/.test(run)) uncited = true
    run = ''
  }
  const visit = ({ nodeName, value, childNodes = [] }: HtmlNode): void => {
    if (exempt.test(nodeName)) flush()
    if (exempt.test(nodeName) || /^(?:script|style|template|#comment)$/.test(nodeName)) return
    if (!inline.test(nodeName)) flush()
    if (nodeName === '#text') run += value ?? ''
    for (const child of childNodes) visit(child)
    if (!inline.test(nodeName)) flush()
  }
  visit(parse(html))
  flush()
  return uncited
}

test('prose is asked for a citation wherever a renderer shows it', async () => {
  const piece = fc.constantFrom(
    ...['One.', 'two', '[^1]', ' ', '\n', '\n', '\n\n', '\n\n', '<b>', '</b>', '<br>', '<img alt="x">', '<!-- x -->', '<!-- x\n\ny -->'],
    // At the start of a line, where they begin a block of HTML.
    ...['<p>', '</p>', '<div>', '</div>', '<section>', '<hr>', '<ul>', '<li>', '</li>', '</ul>'].map((tag) => `\n${tag}`),
    ...['<blockquote>', '<h2>x</h2>', '<table><tr><td>x</td></tr></table>', '<script>x</script>', '<pre>x</pre>'].map((tag) => `\n${tag}`),
    ...['<div><!-->', '<div><!--->', '<div><!-- x --!>', '<div><svg/>', '<div><!-- <p> -->'].map((tags) => `\n${tags}`),
    ...['</p><p>', '</div>'].map((tags) => `\n<div>a[^1]${tags}`),
  )
  const demanding = buildContract({ checks: [citations({ sources: 3, requireCitations: 'paragraph' })], retries: 0 }, catalogue)
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 12 }), async (pieces) => {
      const text = `Zero[^1].\n\n${pieces.join('')}`
      const { issues } = await check(demanding, text)
      // An element that is open across blank lines exempts only what is in the same block of HTML.
      if (showsUncited(text)) expect(issues, JSON.stringify(text)).not.toEqual([])
      await assertStreamable(demanding, text, [1, 5])
    }),
    { numRuns: 300 },
  )
})

test('a comment of many megabytes is read like any other', async () => {
  const demanding = buildContract({ checks: [citations({ sources: 3, requireCitations: 'paragraph' })], retries: 0 }, catalogue)
  const { issues, unchecked } = await check(demanding, `<div>\n<!--${'a'.repeat(9_000_000)}-->\n</div>\n\nA claim [^99].`)
  expect([issues.map(({ code }) => code), unchecked]).toEqual([expect.arrayContaining(['CITATION_OUT_OF_RANGE']), []])
})
