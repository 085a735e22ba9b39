import { createRequire } from 'node:module'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { describe, expect, test } from 'vitest'
import { catalogue } from '../../catalogue.ts'
import { buildContract } from '../../contract/contract.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { scripted } from '../../runners/scripted.ts'
import { links } from './index.ts'

interface HtmlNode {
  readonly attrs?: readonly { readonly name: string; readonly value: string }[]
  readonly childNodes?: readonly HtmlNode[]
}
const { parse } = createRequire(import.meta.url)('parse5') as { parse(html: string): HtmlNode }

const linkifying = new MarkdownIt({ html: true, linkify: true })
linkifying.validateLink = () => true
const matches = linkifying.linkify.match.bind(linkifying.linkify)
// Hosts without a scheme are not covered, but for those that begin with `www.`.
linkifying.linkify.match = (text) => matches(text)?.filter(({ schema, text: shown }) => schema !== '' || /^www\./i.test(shown)) ?? null

/** What three renderers link to. */
function rendered(text: string): string[] {
  const found: string[] = []
  const visit = (node: HtmlNode): void => {
    found.push(...(node.attrs ?? []).filter(({ name }) => /^(?:href|src)$/.test(name)).map(({ value }) => value))
    node.childNodes?.forEach(visit)
  }
  visit(parse(linkifying.render(text)))
  visit(
    parse(micromark(text, { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true, allowDangerousProtocol: true })),
  )
  const walk = (node: { readonly url?: string; readonly children?: readonly object[] }): void => {
    if (node.url !== undefined) found.push(node.url)
    node.children?.forEach(walk)
  }
  walk(fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as object)
  return found
}

/** Whether a browser leaves for evil.com, or a host below it, from a page of either scheme. */
const leads = (text: string): boolean =>
  rendered(text).some((address) =>
    ['https://acme.com/', 'http://acme.com/'].some(
      (page) => URL.canParse(address, page) && /(?:^|\.)evil\.com\.?$/.test(new URL(address, page).hostname),
    ),
  )

const pieces = [
  ...['https://', 'http://', 'https:', '//', 'www.', 'WWW.', 'ftp://', 'mailto:', 'acme.com', 'evil.com', 'acme.com', 'evil.com'],
  ...['www.evil.com', 'https://evil.com', 'https://acme.com', 'https://www.acme.com', 'see', ' ', '\n', '\n\n', '\t', '\u00a0', '\u200b'],
  ...['(', ')', '[', ']', '{', '}', '<', '>', '"', "'", '`', '*', '_', '~', '|', '.', ',', ';', ':', '!', '?', '#', '/', '\\', '@', '='],
  ...['-', '+', '&', '%', '$', '^', '\u2026', '\u201c', '\u201d', '\u00ab', '\u00bb', '\uff08', '\uff09', '\u3001', '\u3002', '\uff0c'],
  ...['\uff1a', '\u00e9', '\u6f22', '1', 'a', '\u00ad', '\uff5c', 'x@', '**', '~~', '%40', '&amp;', '&colon;', '&quot;', '&#46;'],
  ...['<b>', '</b>', '<br>', '<!-- ', '-->', '<a href="', '">', '](', '](<', '[a]', '![', '> ', '- ', '| a | b |\n|---|---|\n| '],
  ...['<div>\n', '</div>', '[^1]', '[^1]: ', '``'],
]
const texts = fc.array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 8 }).map((parts) => parts.join(''))

describe('addresses that renderers find in hostile text', () => {
  test.each([
    ['hosts', { hosts: ['acme.com', '*.acme.com'] }],
    ['denied', { denied: ['evil.com', '*.evil.com'] }],
  ])('whatever leads away is found by %s', async (_name, given) => {
    const rules = buildContract({ checks: [links(given)], retries: 0 }, catalogue)
    let led = 0
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        // Texts in quotation marks, as in JSON and tables, end with theirs.
        if (!text.includes('evil') || /["'`][,:;|]/.test(text) || !leads(text)) return
        led++
        expect((await check(rules, text)).issues.length, JSON.stringify([text, rendered(text)])).toBeGreaterThan(0)
      }),
      { numRuns: 15_000 },
    )
    expect(led).toBeGreaterThan(500)
  })

  test('cut at every character, a stream shows nothing that leads away', async () => {
    const rules = buildContract({ checks: [links({ hosts: ['acme.com', '*.acme.com'] })], retries: 0 }, catalogue)
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        if (!leads(text)) return
        let shown = ''
        const stream = enforceStream({ contract: rules, runner: scripted([{ chunks: [...text] }]), prompt: '' })
        for await (const chunk of stream) shown += chunk
        const { ok } = await stream.outcome
        expect([leads(shown), ok], JSON.stringify(text)).toEqual([false, false])
      }),
      { numRuns: 1500 },
    )
  })
})
