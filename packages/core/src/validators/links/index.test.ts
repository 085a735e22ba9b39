import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { describe, expect, test } from 'vitest'
import { processorMs } from '../../../../../tools/tests/processor-ms.ts'
import { AnswerReader } from '../../answer/reader.ts'
import { catalogue } from '../../catalogue.ts'
import { buildContract } from '../../contract/contract.ts'
import { check } from '../../engine/check/check.ts'
import { settle } from '../../engine/repair/settle.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { links } from './index.ts'

const rulesFor = (options: Parameters<typeof links>[0], allow: 'lossless' | 'lossy' = 'lossless') =>
  buildContract({ checks: [links(options)], retries: 0, allow: [allow] }, catalogue)
const acme = { hosts: ['acme.com', '*.acme.com', 'bücher.example'] }
const rules = rulesFor(acme)
const lossy = rulesFor(acme, 'lossy')
const isWrong = async (text: string): Promise<boolean> => (await check(rules, text)).issues.length > 0

const wrong = [
  '[a](javascript:alert(1))',
  '[a](          javascript:alert(1))',
  '[a](\n<javascript:alert(1)>)',
  '[a](JaVaScRiPt:alert(1))',
  '[a](java&#115;cript:alert(1))',
  '[a](javascript&colon;alert(1))',
  '[a](javascript\\:alert(1))',
  '[a](java&Tab;script:alert(1))',
  '<a href="java\nscript:alert(1)">',
  '<a/href=" javascript:x">',
  '<p>\n<a href=javascript:alert(1)//\n\nClick here for the report.',
  '<a href=javascript:x>',
  '![a](data:image/svg+xml;base64,AAAA)',
  '<vbscript:x>',
  "<img src='data:text/html,x'>",
  '[a](https://evil.com/x "title")',
  '[a](//evil.com)',
  '[a](/\\evil.com)',
  '[a](https:evil.com)',
  '[a](https://acme.com@evil.com)',
  '[a](https://acme.com%40evil.com)',
  '[a](https:\\\\evil.com)',
  '[a](https://acme.com.evil.com)',
  '[a](https://evilacme.com)',
  '[a](https://acme.com\\@evil.com)',
  '[a](https://acme&period;com&commat;evil.com)',
  '[a](https://аcme.com)',
  '<https://evil.com>',
  '[a]\n\n[a]: https://evil.com',
  '> [a]: <https://evil.com>',
  '<a href="https://evil.com">x</a>',
  'See https://evil.com/path.',
  'See www.evil.com now',
  'See ftp://acme.com',
  '[`a`](javascript:x)',
  ']([a](javascript:x)',
  '](<[a](javascript:x)',
  '[x](https://acme.com](@evil.com)',
  '[x](https://acme.com/(a)](@evil.com)',
  '[x]: https://acme.com)](@evil.com',
  '[![x](https://acme.com@evil.com)](https://acme.com)',
  '[![x](https://acme.com)](https://acme.com@evil.com)',
  // As marked reads them.
  'awww.evil.com',
  'See www.evil.com\u200b.(',
  'href="</p> <a href="javascript:x">',
  'See https://www.acme.com:evil.com',
  'https://www.acme.com:@evil.com/',
  'https://www.evil.com: it is bad',
]

const right = [
  '[a](https://acme.com/x) and https://docs.acme.com/y.',
  '(see https://acme.com/a_(b)), [a](HTTPS://ACME.COM.), [b](https://b%C3%BCcher.example/x)',
  '[a](/relative), [b](#part), [c](other.md), [d](mailto:a@b.com), [e](?a=1&lt;=2)',
  '[![build](https://acme.com/badge.svg)](https://acme.com/build) [![a](https://acme.com/a_(b).svg "t")](/x "t")',
  '[![a]( https://acme.com/b.svg )](https://acme.com)',
  '`[a](javascript:x)` is how it is not done',
  '```md\n[a](https://evil.com)\n```',
  'A note: this is not a scheme. Ratio 3:4, time 10:30, host localhost:8080/x',
  'if (a[0](x)) return b[1]',
  'See https://www.acme.com: it is good. **https://www.acme.com:** (https://www.acme.com:)',
  'https://www.acme.com:\n- one\n- two https://www.acme.com:443: three',
  'The https scheme, www and javascript: the language',
  'vector<std::string> v; auto src = std::move(x); map[key]:std::string y',
  'data = s3:GetObject, "Action": ["s3:GetObject"], [a]: std::string',
]

describe('links', () => {
  test.each(wrong)('wrong: %s', async (text) => {
    expect(await isWrong(text)).toBe(true)
    const { status, text: after } = await settle(lossy, `Hi\n\n${text}`)
    expect(status).toBe('repaired')
    expect(await isWrong(after)).toBe(false)
  })

  test('of many tags in one another, so many that they are not all read, none passes', async () => {
    expect(await isWrong(`<div>\n${'<b '.repeat(20_000)}>\n<a href=javascript:x>y</a>`)).toBe(true)
    expect(await isWrong(`a ${'<b x="'.repeat(20_000)}"> <a href=javascript:x>y</a>`)).toBe(true)
  })

  test.each(right)('right: %s', async (text) => {
    expect((await check(rules, text)).issues).toEqual([])
    expect(await settle(lossy, text)).toMatchObject({ status: 'valid', text })
  })

  test('whatever markdown-it links to, and a browser would open elsewhere, is found', async () => {
    const reader = new MarkdownIt({ html: true })
    reader.validateLink = () => true
    const piece = fc.oneof(
      fc.constantFrom(...wrong, ...right),
      fc.constantFrom(
        '[',
        '[a]',
        '](',
        '(',
        ')',
        '<',
        '>',
        ']: ',
        'https://',
        'https:',
        '//',
        '\\',
        '@',
        'acme.com',
        'evil.com',
        '.',
        ' ',
        '\n',
      ),
      fc.constantFrom(
        '`',
        '"',
        'javascript',
        ':',
        'a',
        '&colon;',
        '&#58;',
        '&sol;',
        '\t',
        '\u200b',
        '%2e',
        '/',
        '!',
        '\n\n',
        '    ',
        '> ',
        '- ',
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 10 }), async (pieces) => {
        const text = pieces.join('')
        const tokens = reader.parse(text, {}).flatMap(({ children }) => children ?? [])
        const targets = tokens.flatMap((token) => token.attrGet('href') ?? token.attrGet('src') ?? []).map(String)
        const leadsAway = targets.some((target) => {
          // A name of C++ leads nowhere.
          if (!URL.canParse(target, 'https://acme.com/') || /^[a-z]+::/.test(target)) return false
          const { protocol, hostname } = new URL(target, 'https://acme.com/')
          if (protocol === 'mailto:' || protocol === 'tel:') return false
          return !/^https?:$/.test(protocol) || !/^(?:(?:.+\.)?acme\.com|xn--bcher-kva\.example)\.?$/.test(hostname)
        })
        if (leadsAway) expect(await isWrong(text), JSON.stringify([text, targets])).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('schemes, denied hosts and relative links', async () => {
    const messages = async (options: Parameters<typeof links>[0], text: string) =>
      (await check(rulesFor(options), text)).issues.map(({ message }) => message)
    expect(await messages({}, '[a](https://evil.com) [b](javascript:x)')).toEqual(['Do not link to "javascript:" addresses; line 1 does.'])
    expect(await messages({ denied: ['*.evil.com'] }, '[a](https://evil.com)\r\nhttps://a.evil.com\n\n<https://a.evil.com/x>')).toEqual([
      'Do not link to the host a.evil.com; the link in line 2 is not allowed.',
      'Do not link to the host a.evil.com; the link in line 4 is not allowed.',
    ])
    expect(await messages({ relative: false }, '[a](/docs) [b](#part)')).toEqual(['Link to a whole address; /docs in line 1 has no host.'])
    const images = 'https://acme.com/w_100,h_200/a.jpg 1x,https://acme.com/w_2,h_4/a.jpg (2,x) 2x, https://acme.com/c.jpg,'
    expect(await messages({ relative: false }, `<img srcset="${images}">`)).toEqual([])
    expect(await messages({ relative: false }, `<img srcset="${images} d,e.jpg 3x">\n<img srcset=" , f.jpg,">`)).toEqual([
      'Link to a whole address; "d,e.jpg" in line 1 has no host.',
      'Link to a whole address; f.jpg in line 2 has no host.',
    ])
  })

  test.each<[string, object, RegExp]>([
    ['no hosts', { hosts: [] }, /links\.hosts/],
    ['an address in place of a host', { hosts: ['https://acme.com'] }, /links\.hosts\.0: must be a host/],
    ['an unknown key', { host: ['acme.com'] }, /did you mean "hosts"/],
  ])('%s is a configuration error', (_name, options, message) => {
    expect(() => buildContract({ checks: [{ links: options as never }] }, catalogue)).toThrow(message)
  })

  test('any chunking gives the same verdict, and nothing that a repair would change is shown', async () => {
    const piece = fc.constantFrom(
      ...['a ', '[b]', '[', '(', ')', '](', ']: ', 'https:', '//', 'evil.com', 'acme.com', 'www.', '@', '&#91;', '\\', 'https://evil.com '],
      ...[
        '<',
        '>',
        '<svg',
        'url(',
        'href',
        '=',
        '"',
        "'",
        ' ',
        '\n',
        '\n\n',
        ': ',
        ']',
        '`',
        '```\n',
        '\n~~~\n',
        '- ',
        '> ',
        '---\n',
        'data',
        '<think>',
        '</think>',
      ],
      ...wrong,
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 14 }), fc.boolean(), async (pieces, isLossy) => {
        const text = pieces.join('')
        if (text.trim() !== '') await assertStreamable(isLossy ? lossy : rules, text)
      }),
      { numRuns: 150 },
    )
  })
})

describe('links in a stream', () => {
  /** What the machine releases of a text, character by character, and its edits. */
  const feed = (text: string, edits = true) => {
    const prepared = links.definition.prepare(links.definition.options.parse(acme))
    const context = { locale: 'en' as const, context: {}, ports: {}, signal: new AbortController().signal }
    const allow = edits ? (['lossy'] as const) : []
    const machine = prepared.incremental?.(context, { repairs: edits, edits, allow, allowNow: allow })
    const reader = new AnswerReader()
    const steps = [...text].map((chunk) => {
      reader.push(chunk)
      return machine?.push(chunk, reader)
    })
    return { safe: steps.at(-1)?.safe, after: steps.flatMap((step) => step?.edits ?? []).map(({ after }) => after), steps }
  }

  test('takes linear time for lines of a tag that stays open', async () => {
    const took = await processorMs(() => feed('<div\n'.repeat(6400)))
    expect(took).toBeLessThan(3000)
  })

  test.each<[string, string, number, number]>([
    ['text before a link', 'a b [a](https://acme.com) b c ', 6, 0],
    ['text after a right link in another paragraph', '[a](https://acme.com)\n\nb c ', 27, 0],
    ['text after a wrong link in another paragraph', '[a](https://evil.com)\n\nb c ', 27, 1],
    ['a line of code', 'a `https://evil.com` b\n\nc ', 26, 0],
    ['code', '```\nhttps://evil.com <a href="\nb', 32, 0],
    ['text after code', '```\nhttps://evil.com\n```\nb ', 27, 0],
    ['not an open attribute', 'b <a href="https://acme.com b c ', 2, 0],
    ['text without spaces', '请看这里的说明文字', 9, 0],
  ])('releases %s', (_name, text, safe, edits) => {
    const fed = feed(text)
    expect([fed.safe, fed.after.length]).toEqual([safe, edits])
  })

  test('fails with the first wrong link where nothing may be removed', () => {
    const { steps } = feed('a https://evil.com b c\n\nd', false)
    expect(steps.findIndex((step) => step?.failure)).toBe(23)
    expect(steps.at(-1)).toMatchObject({
      safe: 2,
      failure: { at: 18, final: true, issues: [{ code: 'LINK_NOT_ALLOWED', span: { start: 2, end: 18 } }] },
    })
  })
})

test('says everything in both languages', async () => {
  expect(
    await localeFaults('links', [{ options: { hosts: ['a.com'], relative: false }, text: '[a](javascript:x) https://b.com [c](/d)' }]),
  ).toEqual([])
})
