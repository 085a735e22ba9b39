import { createRequire } from 'node:module'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { describe, expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { AnswerReader } from '../../answer/reader.ts'
import { catalogue } from '../../catalogue.ts'
import { buildContract } from '../../contract/contract.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import { scripted } from '../../runners/scripted.ts'
import { links } from './index.ts'

interface HtmlNode {
  readonly nodeName?: string
  readonly value?: string
  readonly attrs?: readonly { readonly name: string; readonly value: string }[]
  readonly childNodes?: readonly HtmlNode[]
}
/** The parser of HTML that browsers' behaviour is specified by; it comes without types. */
const { parse } = createRequire(import.meta.url)('parse5') as { parse(html: string): HtmlNode }

const rulesFor = (options: Parameters<typeof links>[0], allow: 'lossless' | 'lossy' = 'lossless') =>
  buildContract({ checks: [links(options)], retries: 0, allow: [allow] }, catalogue)
const denying = rulesFor({ denied: ['evil.com'] })
const strict = rulesFor({ hosts: ['acme.com'] })
const repairing = rulesFor({ denied: ['evil.com'] }, 'lossy')

const zeros = '0'.repeat(40)

/** Each leads a reader to evil.com. */
const leading = [
  '[a](https:evil.com)',
  '[a](https:/evil.com/x)',
  '[a](HTTPS:\\evil.com)',
  '<https:evil.com>',
  '<https:/evil.com>',
  'See https:evil.com/x',
  'See https:/evil.com.',
  'See //evil.com/x',
  'See https:evil\u3002com and //evil\uff0ecom',
  'See //evil\uff61com/x',
  'See \u00abhttps://evil.com\u00bb now',
  'See \u201chttps://evil.com\u201d, https://evil.com\u2014now',
  '\u89c1https://evil.com\u5427',
  '|https://evil.com|x|',
  'See "//evil.com/x" and=\'//evil.com\'',
  'See _https://evil.com_ and more',
  'See 1https://evil.com',
  'See https&#58;//evil.com',
  'See https\\://evil.com',
  'See http:\\/\\/evil.com',
  'See &#104;ttps://evil.com',
  'See https://acme.com]@evil.com',
  'See https://acme.com"@evil.com',
  'See (https://acme.com)@evil.com',
  'See www.acme.com"@evil.com',
  '[a](<https://acme.com\\>@evil.com>)',
  '[a]: https://acme.com)@evil.com',
  '[https://acme.com](https://evil.com)',
  `[a](https://evil&#${zeros}46;com)`,
  `<a href="https&#x${zeros}3a;//evil.com">x</a>`,
  `<a href="https&#${zeros}58//evil.com">x</a>`,
  '<a href="https&colon;&sol;&sol;evil&period;com">x</a>',
  '<a href="https://acme.com&SOL;@evil.com">x</a>',
  '<a href="&Tab;ht&NewLine;tps://evil.com">x</a>',
  '<a href="//evil&shy;.com">x</a>',
  '<a href="//evil&shy.com">x</a>',
  '<a href="/\\evil.com">x</a>',
  '<img srcset="https://acme.com/a.png 1x, https:/evil.com/b.png 2x">',
  '<img srcset="https://acme.com/a.png 1x&#44; //evil.com/b.png 2x">',
  '<img srcset="a.png,b.png 1x, //evil.com/a,b.png">',
  '<img srcset="a.png (1,2) 1x,//evil.com/x">',
  '<img srcset=//evil.com/b.png>',
  '<source srcset="a.png, //evil.com/b.png">',
  '<link imagesrcset="a.png 1x,\n//evil.com/b.png 2x">',
  '<a href="/x" ping="/a https:/evil.com/b">x</a>',
  '<a ping="/a\t//evil.com/b /c">x</a>',
  '<meta http-equiv="refresh" content="0;url=//evil.com">',
  '<meta http-equiv=refresh content="0; URL=\'//evil.com\'">',
  '<base href="//evil.com">',
  '<p style="background:url(//evil.com/x.png)">',
  '<p style="background:url(&quot;//evil.com/x.png&quot;)">',
  '<svg><a xlink:href="//evil.com">x</a></svg>',
  '<button formaction=//evil.com>',
  '<video poster="//evil.com/x">',
  '<object data="//evil.com/x">',
  '<div>\n<a href=//acme.com<@evil.com>x</a>\n</div>',
  '<meta http-equiv=refresh content="0;url=//acme.com\'@evil.com">',
  '<a attributionsrc="/a //evil.com/b">x</a>',
  '<svg><a><animate attributeName=href values="#;//evil.com;#"/>x</a></svg>',
  '<svg><a><animate attributeName="xlink:href" from="#" to="//evil.com"/>x</a></svg>',
  '<svg><a><set attributeName="&#104;ref" to=//evil.com />x</a></svg>',
  "<svg>\n<a><set\nto='//evil.com'\nattributeName='href'/>x</a>\n</svg>",
  '<svg><image href="//evil.com/x"/></svg>',
  '<svg><use xlink:href="//evil.com/x#y"/></svg>',
  '<svg><feImage href=//evil.com/x /></svg>',
  '<svg><rect fill="url(//evil.com/x#y)"/></svg>',
  '<svg><rect filter="url(&quot;//evil.com/x#y&quot;)"/></svg>',
  '<p style="background:u\\72l(&quot;//evil.com&quot;)">',
  '<style>p { background: url("//evil.com/x.png") }</style>',
  "<style>@import '//evil.com/x.css';</style>",
  '<iframe srcdoc="&lt;a href=&quot;//evil.com&quot;>x&lt;/a>"></iframe>',
  '<iframe srcdoc=\'&lt;iframe srcdoc="&amp;lt;a href=&amp;quot;//evil.com&amp;quot;>x">\'></iframe>',
  '<?xml-stylesheet href="//evil.com/x.css"?>',
  '<body background="//evil.com/x">',
  '<html manifest="//evil.com/x">',
  '<blockquote cite="//evil.com/x">',
  '<img longdesc="//evil.com/x">',
  'See (https://acme.com)https://evil.com',
  'https://acme.com?(https://evil.com',
  'https://acme.com/??https://evil.com',
  'https://acme.com/*https://evil.com*',
  'https://acme.com/__https://evil.com__',
  'https://acme.com,https://evil.com',
  'https://acme.com|https://evil.com|',
  'https://acme.com\uff08https://evil.com\uff09',
  'www.acme.com:http://evil.com',
  'www.http://evil.com',
  '//acme.com(//evil.com',
  'See "https://acme.com"@evil.com',
  'See [https://acme.com]x@evil.com',
  'See [https://acme.com](@evil.com',
  'See [https://acme.com][@evil.com]',
  'See <a "https://acme.com">@evil.com',
  `See ${'x'.repeat(40)}https://evil.com`,
  'See http://evil.com\u3002next',
  'See http://evil.com@next',
  'See http://evil.com@acme.com',
  'See 0http://acme.com/http://evil.com',
  'See //evil.com\uff08x',
  '<applet codebase="//evil.com/x" archive="a.jar, //evil.com/b.jar">',
]

/** Each leads a reader to www.evil.com, or to another host below evil.com. */
const below = [
  'See www.acme.com/https://evil.com',
  'See www.acme.com/login?next=https://evil.com/pay',
  '-https://acme.com/https://evil.com',
  '.https://acme.com#https://evil.com',
  '+https://acme.com#https://evil.com',
  'see:www.evil.com',
  'a/www.evil.com and -www.evil.com',
  '@www.evil.com',
  'www.evil.com://',
  'www.evil.com:/x',
  '(www.acme.com)www.evil.com',
  'www.acme.com,www.evil.com',
  "https://acme.com'.evil.com",
  '"https://acme.com".evil.com',
  'https://acme.com).evil.com',
  'fetch("https://acme.com").then(x.evil.com)',
  'https://acme.com\uff09\u3002evil.com',
]

/** None leads away from acme.com. */
const staying = [
  '[https://acme.com](https://acme.com) ok',
  '[https://acme.com/a_(b)](https://acme.com)',
  '[see https://acme.com](mailto:jane@other.com) ok',
  '[https://acme.com][1]\n\n[1]: https://acme.com/x',
  '[1: https://acme.com] and [https://acme.com].',
  '"https://acme.com","jane@other.com"',
  "'https://acme.com','jane@other.com'",
  '<a href="https://acme.com">jane@other.com</a>',
  '<a href=https://acme.com>jane@other.com</a>',
  '<https://acme.com>,jane@other.com',
  '<img srcset="https://acme.com/a.png 1x, b.png 2x, /c.png?x=1,2 3x">',
  '<a ping="/a /b https://acme.com/c">x</a>',
  '[a](https://acme.com/x&eacute;y?a=1&amp;b=2&copy=3)',
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  'Use // for comments and //button[@id="x"] to find it; a // b',
  'The schemes http: and https: are http:80 and https:443 by default',
  ...[
    '\u201chttps://acme.com\u201d',
    '\u00abhttps://acme.com\u00bb',
    '\u300chttps://acme.com/x\u300d',
    '|https://acme.com| x|',
    '{https://acme.com}',
  ],
  ...[
    'https://acme.com[^1] and https://acme.com[2].',
    'https://acme.com\u2026',
    'Write http:// or https://, not file://.',
    'https://<host>/x',
  ],
  'https://acme.com/login?next=https://evil.com/x and https://acme.com/web/2020/www.evil.com/',
  'https://acme.com/a-b_c.d/https://evil.com:443/x;y=1,2!3',
  '{"home":"https://acme.com","mail":"jane@other.com","list":["https://acme.com","a.b"]}',
  '(https://acme.com).Next and (https://acme.com), https://acme.com"; then.',
  ...['fetch("https://acme.com").then(x.y.z)', "get('https://acme.com').json().a.b;", 'x = "https://acme.com";a.b.c=d.e.f'],
  'AT&T &amp; others &#169; 2024, &nbsp;x',
  '<svg><rect fill="url(#paint)" style="fill:url(#paint)"><animate attributeName="x" from="0" to="a:b" values="0;//1"/></rect></svg>',
  'A message from="a:b" to="c:d" and values="e:f" is not a drawing',
  '<style>p { background: url("/x.png") }</style><iframe srcdoc="&lt;a href=&quot;/docs&quot;>x"></iframe>',
]

/** Where a browser goes from the HTML of a text: every address that it would load, send to or open. */
function destinations(html: string): string[] {
  const found: string[] = []
  const visit = (node: HtmlNode, parent?: HtmlNode): void => {
    const values = new Map(node.attrs?.map(({ name, value }) => [name, value]))
    for (const [name, value] of values) {
      if (name === 'srcset' || name === 'imagesrcset')
        found.push(...value.split(/,\s+|,$/).map((candidate) => candidate.trim().split(/\s/)[0] ?? ''))
      else if (name === 'ping') found.push(...value.trim().split(/[ \t\n\f\r]+/))
      else if (/^(?:href|xlink:href|src|action|formaction|poster|data|cite)$/.test(name)) found.push(value)
      else if (/^(?:style|fill|filter|mask)$/.test(name)) found.push(...styled(value))
      else if (name === 'srcdoc') found.push(...destinations(value))
    }
    if (/^(?:set|animate)$/.test(node.nodeName ?? '') && /^(?:xlink:)?href$/.test(values.get('attributeName') ?? ''))
      for (const name of ['to', 'from', 'by', 'values']) found.push(...(values.get(name)?.split(/\s*;\s*/) ?? []))
    if (parent?.nodeName === 'style') found.push(...styled(node.value ?? ''))
    for (const child of node.childNodes ?? []) visit(child, node)
  }
  visit(parse(html))
  return found
}

/** The addresses of a style sheet, as a tokenizer of CSS reads them. */
function styled(css: string): string[] {
  const plain = css.replace(/\\(?:([0-9a-f]{1,6})\s?|(.))/gi, (_all, hex?: string, unit?: string) =>
    hex === undefined ? (unit ?? '') : String.fromCodePoint(Number.parseInt(hex, 16)),
  )
  return [...plain.matchAll(/(?:url\(|@import)\s*["']?([^"')]+)/gi)].map(({ 1: address = '' }) => address.trim())
}

/** The hosts that they are on, from a page of either scheme. */
function hostsOf(addresses: readonly string[]): string[] {
  const pages = ['https://acme.com/', 'http://acme.com/']
  return addresses.flatMap((address) =>
    pages.flatMap((page) => (URL.canParse(address, page) ? [new URL(address, page).hostname.replace(/\.$/, '')] : [])),
  )
}

const linkifying = new MarkdownIt({ html: true, linkify: true })
linkifying.validateLink = () => true
const { linkify } = linkifying
const matches = linkify.match.bind(linkify)
// Hosts without a scheme are not covered, but for those that begin with `www.`.
linkify.match = (text) => matches(text)?.filter(({ schema, text: shown }) => schema !== '' || /^www\./i.test(shown)) ?? null
const markdown = {
  extensions: [gfm()],
  htmlExtensions: [gfmHtml()],
  allowDangerousHtml: true,
  allowDangerousProtocol: true,
}

/** What three renderers link to. */
function rendered(text: string): string[] {
  const found = [...destinations(linkifying.render(text)), ...destinations(micromark(text, markdown))]
  const visit = (node: { readonly url?: string; readonly children?: readonly object[] }): void => {
    if (node.url !== undefined) found.push(node.url)
    for (const child of node.children ?? []) visit(child)
  }
  visit(fromMarkdown(text, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] }) as object)
  return found
}

describe('links as a browser follows them', () => {
  test.each(leading)('%s is found, and its repair leaves no way there', async (text) => {
    for (const rules of [denying, strict]) expect((await check(rules, text)).issues.map(({ code }) => code)).toContain('LINK_NOT_ALLOWED')
    const { status, text: after } = await settle(repairing, `Hi\n\n${text}`)
    expect(status).toBe('repaired')
    expect(hostsOf(rendered(after))).not.toContain('evil.com')
  })

  test.each(below)('%s is found, since a renderer leads a browser there', async (text) => {
    expect(hostsOf(rendered(text)).some((host) => host.endsWith('evil.com'))).toBe(true)
    const lossy = rulesFor({ hosts: ['acme.com', '*.acme.com'] }, 'lossy')
    expect((await check(lossy, text)).issues).not.toEqual([])
    const { status, text: after } = await settle(lossy, `Hi\n\n${text}`)
    expect(status).toBe('repaired')
    expect(hostsOf(rendered(after)).filter((host) => host.endsWith('evil.com'))).toEqual([])
  })

  test.each(staying)('%s is right', async (text) => {
    for (const rules of [denying, strict]) expect((await check(rules, text)).issues).toEqual([])
    expect(await settle(repairing, text)).toMatchObject({ status: 'valid', text })
  })

  test.each([
    ['[https://evil.com](https://evil.com) ok', '[#](#) ok'],
    ['[https://acme.com](https://evil.com "t") ok', '[https://acme.com](# "t") ok'],
    ['<img srcset="a.png 1x, //evil.com/b.png 2x, c.png">', '<img srcset="a.png 1x, # 2x, c.png">'],
    ['<a href="/x" ping="/a //evil.com /b">x</a>', '<a href="/x" ping="/a # /b">x</a>'],
    ['[a [https://evil.com] b]', '[a [#] b]'],
  ])('the repair of %s leaves the rest', async (text, after) => {
    expect((await settle(repairing, text)).text).toBe(after)
  })

  const piece = fc.oneof(
    fc.constantFrom(...leading, ...staying),
    fc.constantFrom('[', ']', '](', '(', ')', '<', '>', ']: ', 'https', ':', '/', '//', '\\', '@', 'acme.com', 'evil.com', ' ', '\n', '"'),
    fc.constantFrom('www.', '&colon;', '&#58;', '&#0058;', '&sol;', '&#x2f', '_', '*', 'a', '.', ',', '\u200b', '\t', "'", '?', '#'),
    fc.constantFrom('<svg>', '<a>', '<set attributeName=href to="', '<animate values="#;', ' attributeName=href ', '<style>', 'url('),
    fc.constantFrom(
      '<a href="',
      '<iframe srcdoc="',
      '&quot;',
      '&lt;a href=',
      ' style="',
      ' fill="url(',
      '<img srcset="',
      ' 1x, ',
      '<a ping=',
      '">',
      'src=',
      '=',
      'https://',
      'http:',
      '`',
    ),
  )
  const texts = fc.array(piece, { minLength: 1, maxLength: 9 }).map((pieces) => pieces.join(''))

  test('whatever three renderers lead a browser to is found', async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const addresses = rendered(text)
        if (hostsOf(addresses).includes('evil.com'))
          expect((await check(denying, text)).issues.length, JSON.stringify([text, addresses])).toBeGreaterThan(0)
      }),
      { numRuns: 300 },
    )
  })

  test('however a stream is cut, nothing of a wrong address is shown', async () => {
    const strict = links.definition.prepare(links.definition.options.parse({ hosts: ['acme.com'], schemes: ['https'], relative: false }))
    const context = { locale: 'en' as const, context: {}, ports: {}, signal: new AbortController().signal }
    fc.assert(
      fc.property(texts, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 }), (text, sizes) => {
        const found = [...(strict.check(new Answer(text), context) as Iterable<{ span?: { start: number } }>)]
        const first = Math.min(text.length, ...found.map(({ span }) => span?.start ?? 0))
        for (const cuts of [[1], sizes]) {
          const stream = strict.incremental?.(context)
          const reader = new AnswerReader()
          for (let at = 0, turn = 0; at < text.length; turn++) {
            const chunk = text.slice(at, at + (cuts[turn % cuts.length] ?? 1))
            reader.push(chunk)
            expect(stream?.push(chunk, reader).safe, JSON.stringify([text, cuts])).toBeLessThanOrEqual(first)
            at += chunk.length
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  test.each(leading.filter((text) => !text.includes('zeros')).map((text) => `See ${text}`))(
    '%s is never shown, cut at each character',
    async (text) => {
      for (let at = 1; at < text.length; at++) {
        let shown = ''
        for await (const chunk of enforceStream({
          contract: denying,
          runner: scripted([{ chunks: [text.slice(0, at), text.slice(at)] }]),
          prompt: '',
        }))
          shown += chunk
        expect(shown).not.toContain('evil')
      }
    },
  )
})
