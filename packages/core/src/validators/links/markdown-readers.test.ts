import { HtmlRenderer, Parser } from 'commonmark'
import fc from 'fast-check'
import MarkdownIt from 'markdown-it'
import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'
import { expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { links } from './index.ts'

const denying = contract({ checks: [links({ denied: ['evil.com'] })], retries: 0 })

const linking = new MarkdownIt({ html: true })
linking.validateLink = () => true
const micromarked = { extensions: [gfm()], htmlExtensions: [gfmHtml()], allowDangerousHtml: true, allowDangerousProtocol: true }
const readers: readonly ((text: string) => string)[] = [
  (text) => linking.render(text),
  (text) => micromark(text, micromarked),
  (text) => new HtmlRenderer().render(new Parser().parse(text)),
]

/** Whether any of them makes a link or an image of it that leads to evil.com. */
function leadsAway(text: string): boolean {
  return readers.some((render) => /<(?:a|img)\s[^<>]*(?:href|src)="(?:https?:)?\/\/evil\.com[/"]/i.test(render(text)))
}

const piece = fc.constantFrom(
  ...['[a](https://evil.com)', '![a](//evil.com)', '[a]: https://evil.com\n', '[a]', '<https://evil.com>', 'https://evil.com', '[a][]'],
  ...[
    '\\',
    '\\\\',
    '<',
    '`',
    '``',
    '```',
    '```\n',
    '```a\n',

    '~~~\n',
    '~~~',
    '\n',
    '\n\n',
    '\r',
    '\r\n',
    '    ',
    '  ',
    '\t',
    ' ',
  ],
  ...['- ', '1. ', '> ', '* ', '# ', '|', '| a |\n|---|\n', '|-|\n', '---\n', '===\n'],
  ...[
    '<div>\n',
    '</div>\n',
    '<!--',
    '-->',
    '<pre>\n',
    '</pre>',
    '<p',
    '>',
    '"',
    '<a href="',
    '](',
    '[',
    ']',
    '!',
    ')',
    '*',
    '_',
    '&lt;',
    'a',
  ],
)
const texts = fc.array(piece, { minLength: 1, maxLength: 10 }).map((pieces) => pieces.join(''))

test('whatever one of three readers of Markdown makes a link of is judged', async () => {
  await fc.assert(
    fc.asyncProperty(texts, async (text) => {
      // Some see the head of a table in a fence with a bar.
      if (!/(?:```|~~~)[^\n]*\|/.test(text) && leadsAway(text))
        expect((await check(denying, text)).issues.length, JSON.stringify(text)).toBeGreaterThan(0)
    }),
    { numRuns: 1000 },
  )
})
