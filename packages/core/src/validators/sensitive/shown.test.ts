import { createRequire } from 'node:module'
import { HtmlRenderer, Parser } from 'commonmark'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { settle } from '../../engine/repair/settle.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { sensitive } from './index.ts'

interface HtmlNode {
  readonly nodeName: string
  readonly value?: string
  readonly childNodes?: readonly HtmlNode[]
}
/** The parser of HTML that browsers' behaviour is specified by; it comes without types. */
const { parse } = createRequire(import.meta.url)('parse5') as { parse(html: string): HtmlNode }

/** What a reader sees of a text in Markdown, with usual spaces and hyphens. */
function shown(markdown: string): string {
  const texts = (node: HtmlNode): string => (node.nodeName === '#text' ? (node.value ?? '') : (node.childNodes ?? []).map(texts).join(''))
  return texts(parse(new HtmlRenderer().render(new Parser().parse(markdown))))
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .replace(/[\u2010-\u2013\u2212]/g, '-')
}

const body = 'Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6'
const values = [
  'jane.doe+x@acme.co.uk',
  'jane_doe@acme-mail.org',
  '+49 30 1234567',
  '(415) 555-2671',
  '4111 1111 1111 1111',
  '5500-0000-0000-0004',
  'DE89 3704 0044 0532 0130 00',
  '123-45-6789',
  `sk-${'proj-'}${body}`,
  `ghp_${body}`,
  ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', 'dozjgNryP4J3jVmNHl0w5N-XgL0n3I9P'].join('.'),
]
const names: Readonly<Record<string, string>> = {
  '@': 'commat',
  '.': 'period',
  _: 'lowbar',
  '+': 'plus',
  ' ': 'nbsp',
  '-': 'hyphen',
  '(': 'lpar',
  ')': 'rpar',
}

/** Ways to write a character that a renderer shows as that character. */
const ways: readonly ((character: string) => string)[] = [
  (character) => (/[!-/:-@[-`{-~]/.test(character) ? `\\${character}` : character),
  (character) => `&#${character.charCodeAt(0)};`,
  (character) => `&#x${character.charCodeAt(0).toString(16).padStart(5, '0')};`,
  (character) => (names[character] === undefined ? character : `&${names[character]};`),
  (character) => `${character}<b></b>`,
  (character) => `<!-- -->${character}`,
  (character) => `<span>${character}</span>`,
  (character) => `${character}\u200b`,
  (character) => `${character}&shy;`,
  (character) => `[](x)${character}`,
  (character) => `[${character}](x)`,
  (character) => `[${character}](/x "y")`,
  (character) => (/[\w@+./()-]/.test(character) ? String.fromCharCode(character.charCodeAt(0) + 0xfee0) : character),
  (character) => character.replace(/ /, '\u3000').replace(/-/, '\u2013').replace(/@/, '\ufe6b').replace(/[.]/, '\u2024'),
  (character) => character.replace(/ /, '\u2003').replace(/-/, '\u2212'),
  // The letters and digits of mathematics, without serifs.
  (character) => character.replace(/[a-z]/, (letter) => String.fromCodePoint(0x1d5ba + letter.charCodeAt(0) - 97)),
  (character) => character.replace(/[A-Z]/, (letter) => String.fromCodePoint(0x1d5a0 + letter.charCodeAt(0) - 65)),
  (character) => character.replace(/\d/, (digit) => String.fromCodePoint(0x1d7e2 + Number(digit))),
]
const plain = (character: string): string => character
const choice = fc.oneof({ weight: 3, arbitrary: fc.constant(plain) }, { weight: 2, arbitrary: fc.constantFrom(...ways) })
const disguised = fc
  .tuple(fc.constantFrom(...values), fc.array(choice, { minLength: 5, maxLength: 80 }))
  .map(([value, how]) => ({ value, text: [...value].map((character, at) => how[at % how.length]?.(character) ?? '').join('') }))

const redacting = contract({ checks: [sensitive({ redact: true })], retries: 0 })

test('however a value is written, nothing is left of what a renderer shows', async () => {
  await fc.assert(
    fc.asyncProperty(
      disguised,
      fc.constantFrom('It is ', 'x\n\n', '**Mail:** ', '- '),
      fc.integer({ min: 1, max: 9 }),
      async ({ value, text }, before, size) => {
        // At the start of a line, a comment begins HTML that has no Markdown in it.
        const answer = `${before}${text.startsWith('<') ? 'is ' : ''}${text} today`
        expect(shown(answer)).toContain(value)
        const { text: after } = await settle(redacting, answer)
        expect(shown(after), JSON.stringify([answer, after])).toMatch(/\[[A-Z ]+\](?:\]\(.{1,6}\))? today\s*$/)
        for (const part of value.split(/[ @.-]/).filter(({ length }) => length > 3)) expect(shown(after)).not.toContain(part)
        await assertStreamable(redacting, answer, [1, size])
      },
    ),
    { numRuns: 150 },
  )
})
