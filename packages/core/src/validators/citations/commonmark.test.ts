import { type Node, Parser } from 'commonmark'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { catalogue } from '../../catalogue.ts'
import { buildContract } from '../../contract/contract.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { citations } from './index.ts'
import { findMarkers } from './marker-scanner.ts'

const rules = buildContract({ checks: [citations({ sources: 3, dropUnsupported: true })], retries: 0 }, catalogue)

const runs = 4000

/** Stands for a marker; each gets a number of its own. */
const marker = '§'

const inline = [
  ...[marker, marker, marker, marker, '`', '`', '`', '``', '```', '\\', '\\`', '\\\\', 'x', 'Text. ', ' ', '\n', '  \n', '\\\n'],
  ...[
    '<',
    '>',
    '"',
    "'",
    '=',
    '/',
    '<a ',
    '<a title="`">',
    "<b c='",
    '<i d=e>',
    '</a>',
    '</a ',
    '<http://a.b/`>',
    '<http://a.b/',
    '<a`b@c.de>',
    '<a@b',
    'm:`',
  ],
  ...['<!--', '-->', '<!-->', '<!--->', '--', '<?', '?>', '<![CDATA[', ']]>', '<!X', '<!X `>', '<br/>', '<x y = "`"', ' z', '@b.c>'],
  ...[
    '[',
    ']',
    '![',
    '](',
    ')',
    '(',
    '[x](`)',
    '[x](<`>)',
    '[x](y "`")',
    "[x](y '`",
    '[x][`]',
    '](`',
    '][',
    '[x]: ',
    '[y]: `\n',
    '[y]: z "`"\n',
    '<`>',
  ],
  ...['&amp;', '&#96;', '&lt;', '*', '**', '_', '~', '~~', '^', ':', '.', '-', '1', '👍', '\ud83d'],
  ...['\ufeff', '\u00a0', '\t', '\r\n', '\r', '\u200b', '\v', '\f', '\0'],
]
const block = [
  ...[
    '\n\n',
    '\n> ',
    '\n- ',
    '\n1. ',
    '\n# ',
    '\n    ',
    '\n  ',
    '\n\t',
    '\n```\n',
    '\n~~~\n',
    '\n````',
    '\n``` `',
    '\n===\n',
    '\n---\n',
    '\n***\n',
  ],
  ...[
    '\n<div>\n',
    '\n</div>\n',
    '\n<pre>',
    '</pre>',
    '\n<!--\n',
    '\n> ```\n> ',
    '\n- ```\n  ',
    '\n\ufeff```\n',
    '\r```\r',
    '\n| a |\n| - |\n',
    '\nkey: v\n',
    ':\n---\n',
  ],
]
const text = fc
  .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...inline) }, { weight: 1, arbitrary: fc.constantFrom(...block) }), {
    maxLength: 20,
  })
  .map((tokens) => {
    let number = 100
    return tokens.join('').replaceAll(marker, () => `[^${++number}]`)
  })

interface Places {
  readonly shown: ReadonlySet<number>
  readonly code: ReadonlySet<number>
}

/** Where the reference implementation of CommonMark puts the markers of a text. */
function reference(source: string): Places {
  const shown = new Set<number>()
  const code = new Set<number>()
  let line = ''
  const walker = new Parser().parse(source).walker()
  for (let step = walker.next(); step; step = walker.next()) {
    const { node, entering } = step
    if (!entering) {
      if (node.type === 'paragraph' || node.type === 'heading') line = flush(line, shown)
      continue
    }
    if (node.type === 'text') line += node.literal ?? ''
    else if (node.type === 'code' || isFenced(node)) flush(`${node.info ?? ''} ${node.literal ?? ''}`, code)
    // Emphasis and links do not come between what is read as one.
    else if (node.type !== 'emph' && node.type !== 'strong' && node.type !== 'link') line += '\0'
  }
  return { shown, code }
}

function isFenced({ type, info }: Node): boolean {
  return type === 'code_block' && info !== null
}

function flush(line: string, into: Set<number>): string {
  for (const { 1: number } of line.matchAll(/\[\^(\d+)\]/g)) into.add(Number(number))
  return ''
}

/** The markers that the check judges. */
function judged(source: string): ReadonlySet<number> {
  return new Set(findMarkers(new Answer(source), ['caret']).flatMap(({ numbers }) => numbers))
}

/** Markers that are written so as not to be one, which a renderer shows all the same. */
function escaped(source: string): ReadonlySet<number> {
  return new Set([...source.matchAll(/(?<!\\)(?:\\\\)*\\\[\^(\d+)\]/g)].map(({ 1: number }) => Number(number)))
}

/** Whether renderers agree on a text: on tables, definitions, addresses without brackets, front matter, tabs and odd white space they do not. */
function isPlain(source: string): boolean {
  return !(/[\t\v\f\u00a0|]|\]:|\]\[|:\/\/|<[\s\S]*\ufeff/.test(source) || new Answer(source).frontMatters.length > 0)
}

const without = (numbers: ReadonlySet<number>, others: ReadonlySet<number>): number[] =>
  [...numbers].filter((number) => !others.has(number))
const within = (numbers: ReadonlySet<number>, others: ReadonlySet<number>): number[] => [...numbers].filter((number) => others.has(number))

describe('beside the reference implementation of CommonMark', { timeout: 3_600_000 }, () => {
  test('every marker that is shown is judged, and none in code that is code for everybody', () => {
    fc.assert(
      fc.property(text, (source) => {
        // For some renderers a byte order mark starts a paragraph.
        if (source.startsWith('\ufeff')) return
        const { shown, code } = reference(source)
        const seen = judged(source)
        const literal = escaped(source)
        expect(without(shown, seen).filter((number) => !literal.has(number))).toEqual([])
        if (isPlain(source)) expect(within(code, seen)).toEqual([])
      }),
      { numRuns: runs },
    )
  })
})

/** What the reference implementation shows of a text, without what cannot be seen. */
function shownBy(source: string): string {
  let shown = ''
  let hidden = 0
  const walker = new Parser().parse(source).walker()
  for (let step = walker.next(); step; step = walker.next()) {
    const { node, entering } = step
    // A picture is seen in place of its text.
    if (node.type === 'text') shown += hidden > 0 ? '\0' : (node.literal ?? '')
    else if (node.type === 'image') hidden += node.firstChild === null ? 0 : entering ? 1 : -1
    else if (['code', 'softbreak', 'linebreak', 'html_block', 'code_block'].includes(node.type)) shown += '\0'
    else if (!entering && /paragraph|heading/.test(node.type)) shown += '\0'
  }
  return shown.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
}

const disguises = [
  ...[
    '[',
    '[',
    '[',
    '^',
    '9',
    '9',
    ']',
    ']',
    '&#94;',
    '&Hat;',
    '&#x5E;',
    '&#91;',
    '&lsqb;',
    '&lbrack;',
    '&#93;',
    '&#57;',
    '\\^',
    '\\',
    '&',
  ],
  ...[
    '\u200b',
    '\u00ad',
    '\u2060',
    '\ufe0f',
    '\u{e0041}',
    '&shy;',
    '&ZeroWidthSpace;',
    '&#8203;',
    '*',
    '**',
    '_',
    'a',
    ' ',
    '\n',
    '. ',
    '`',
  ],
]

const some = fc.array(fc.constantFrom(...disguises), { maxLength: 4 }).map((tokens) => tokens.join(''))
const disguised = fc
  .tuple(some, fc.constantFrom('[', '&#91;'), some, fc.constantFrom('^', '&#94;', '\\^'), fc.constantFrom('9', '9]', ''), some)
  .map((tokens) => tokens.join(''))

describe('a marker that is written otherwise than it is shown', () => {
  test.each([
    ...['[&#94;9]', '[&Hat;9]', '[&#x5e;9]', '[&#0094;9]', '[\\^9]'],
    ...['[\u200b^9]', '[\u00ad\u2060^9]', '[\u{e0041}^9]', '[&shy;^9]', '[&#8203;^9]', '[*^9*]', '[**^9**]', '&#91;^9]', '&lbrack;^9]'],
  ])('%s counts', async (text) => {
    expect(findMarkers(new Answer(`It is so ${text}.`), ['caret'])).toHaveLength(1)
    await assertStreamable(rules, `It is so ${text}. And more.`)
    await assertStreamable(rules, `It is so.\n${text} is why.`, [1, 4])
  })

  test.each(['[&#57;]', '[\u200b9]', '[**9**]', '&#91;9]'])('%s counts among numbers in brackets', (text) => {
    expect(findMarkers(new Answer(text), ['bracket'])).toMatchObject([{ numbers: [9] }])
  })

  test.each([
    '[<b></b>^9]',
    '[a&#94;9]',
    '[ ^9]',
    '\\[^9]',
    '`[&#94;9]`',
    '[&amp;]',
    '[&]',
    '[x](y)',
    'a & b',
    '[<b>](x) ^9',
    '[*]',
    '[]',
    '&copy; &#169;',
    '[[x](y)^9]',
    '[![](x)](y) and 2^9',
    '[![](x) y (z)^9]',
    '[[](x)',
    '[]()^9',
    '[[](x y)^9]',
  ])('%s does not', async (text) => {
    expect(findMarkers(new Answer(text), ['caret', 'bracket'])).toEqual([])
    await assertStreamable(rules, text, [1, 3])
  })

  test('counts wherever the reference implementation shows one', async () => {
    await fc.assert(
      fc.asyncProperty(disguised, async (source) => {
        // An escaped bracket is how text says that it is not one.
        if (/\[\^9+\]/.test(shownBy(source)) && !/\\\[/.test(source))
          expect(findMarkers(new Answer(source), ['caret']).length, JSON.stringify(source)).toBeGreaterThan(0)
        if (source.trim() !== '') await assertStreamable(rules, source, [1, 3])
      }),
      { numRuns: 400 },
    )
  })
})

describe('a marker', () => {
  test.each([
    ['behind a back-tick in a tag', '<a title="`">[^101]`'],
    ['behind a back-tick in a tag over lines of a quote', '> <a\n> title="`">[^101]`'],
    ['behind a back-tick in a comment', 'a <!-- ` -->[^101]`'],
    ['behind a back-tick in an autolink', '<http://a.b/`>[^101]`'],
    ['behind a back-tick in the address of a link', '[x](`)[^101]`'],
    ['behind a back-tick in the title of a link', '[x](y "`")[^101]`'],
    ['behind a definition', '[x]: `\n[^101]`'],
    ['behind an escaped back-tick of a longer run', '\\``[^101]``'],
    ['in a cell of a table', '| ` | b |\n| - | - |\n| [^101] | ` |'],
    ['in a comment, which some renderers show', 'a <!-- [^101] --> b'],
    ['in an indented line of a footnote that interrupts a paragraph', 'a\n[^101]: b\n\n    [^101]'],
    ['in an address without brackets', 'See https://a.b/`[^101]`'],
    ['behind a byte order mark that starts no answer', 'x\n\n\ufeff```\n[^101]\n'],
    ['behind a fence that opens in what is no front matter', '---\n```\n---\n```\n[^101]\n'],
    ['in a block of HTML that goes on behind a rule', '<div>:\n---\nkey: v\n---\n```\n[^101]\n```\n'],
  ])('%s is judged', (_name, source) => {
    expect([...judged(source)]).toEqual([101])
  })

  test.each([
    ['behind a tag', '<a title="x">`[^101]`'],
    ['behind a tag with a back-tick', '<a title="`">`[^101]`'],
    ['behind a link', '[x](y) `[^101]`'],
    ['behind a link with a back-tick', '[x](`) `[^101]`'],
    ['behind a footnote', 'a\n[^n]: b `[^101]`'],
    ['over lines of a quote', '> `a\n> [^101]`'],
    ['in a cell of a table', '| `[^101]` | b |\n| - | - |'],
    ['behind an address', 'See https://a.b/ `[^101]`'],
    ['behind the rest of an escaped run', '\\``[^101]`'],
  ])('in code %s is not', (_name, source) => {
    expect([...judged(source)]).toEqual([])
  })
})
