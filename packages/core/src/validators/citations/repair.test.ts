import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { contract } from '../../catalogue.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import { applyEdits } from '../../repairs/apply.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { scripted } from '../../testing/index.ts'
import { citationStyles } from './marker-body.ts'
import { findMarkers, supports } from './marker-scanner.ts'
import { dropCitations } from './repair.ts'

const fence = '```'
const drop = (text: string): string | undefined => applyEdits(text, [...dropCitations(new Answer(text), citationStyles, 2)])

describe('what is dropped', () => {
  test.each([
    ['a marker behind a word', 'One[^9] two.', 'One two.'],
    ['a marker before a full stop', 'One[^9].', 'One.'],
    ['with the space before a full stop', 'One [^9].', 'One.'],
    ['with the space before another', 'One [^9] two.', 'One two.'],
    ['with the space at the end', 'One [^9]', 'One'],
    ['with the space before a line break', 'One [^9]\r\ntwo', 'One\r\ntwo'],
    ['not with the space before a word', 'One [^9]two.', 'One two.'],
    ['several', 'One [^9] [^8] [^x].', 'One.'],
    ['several in a row', 'One [^9][^8].', 'One.'],
    ['between good ones', 'One[^1][^9][^2].', 'One[^1][^2].'],
    ['between good ones with spaces', 'One [^1] [^9] [^2].', 'One [^1] [^2].'],
    ['at the start of a line', '[^9] One', 'One'],
    ['several at the start of a line', 'A\n[^9] [^8] One', 'A\nOne'],
    ['the mark of a definition', 'One[^1].\n\n[^1]: a\n[^9]: b', 'One[^1].\n\n[^1]: a\nb'],
    ['the address stays', 'One[^9](https://example.org).', 'One(https://example.org).'],
    ['a long body', 'One [^see the appendix for this].', 'One.'],
    ['an unclosed marker, with its number only', 'One [^12 two', 'One two'],
    ['an opening', 'One [^ two', 'One two'],
    ['inside of another', '[^[^1]]', '[^1]]'],
    ['other styles', 'One [9] two【8†x】.', 'One two.'],
    ['a list of wrong numbers only', 'One [8, 9] two [^7, 8].', 'One two.'],
    ['a definition in a quote', '> [^1]: a\n> [^9]: b', '> [^1]: a\n> b'],
    ['a definition in a list', '- [^9]: a\n1. [^9]: b\n  - > [^9]: c', '- a\n1. b\n  - > c'],
    ['a definition with more white space', '[^9]: \t a', 'a'],
    ['several definitions in a line', '> [^9]: [^8]: a', '> a'],
    ['at the start of a heading', '# [^9] Head', '# Head'],
    ['at the start of an indented line', 'a\n  [^9] b', 'a\n  b'],
    ['a definition behind reasoning', '<think></think>[^9]: a', '<think></think>a'],
    ['a colon elsewhere stays', 'a [^9]: b', 'a: b'],
    ['a paragraph of its own', 'a\n\n[^9] [^8]\n\nb', 'a\n\n\n\nb'],
    ['the last line of a paragraph', 'a\n[^9]\n\nb', 'a\n\n\nb'],
    ['in a list', '- a [^9]\n- b[^8]\n  c', '- a\n- b\n  c'],
    ['in headings', 'a [^9]\n===\n\n## b[^9] ##', 'a\n===\n\n## b ##'],
    ['beside code', `\`a\`[^9] b\n${fence}\nc\n${fence}\n[^9]`, `\`a\` b\n${fence}\nc\n${fence}\n`],
    ['with code in it', 'a [^`x`] `y` b', 'a `y` b'],
    ['between a letter and punctuation', 'One[^9]-two ([^9]three[^9]) "four"[^9]', 'One-two (three) "four"'],
    ['alone', '[^9]', ''],
    ['nothing in code', `\`[^9]\`\n${fence}\n[^9]\n`, `\`[^9]\`\n${fence}\n[^9]\n`],
    ['nothing that is right', 'One[^1] [2] 【1】 \\[^9]', 'One[^1] [2] 【1】 \\[^9]'],
    ['nothing of nothing', '', ''],
  ])('%s', (_name, text, expected) => {
    expect(drop(text)).toBe(expected)
  })

  test.each([
    ['the rest would become a marker', '[[^9]^1]'],
    ['a marker would become a definition', '[^9][^1]: a'],
    ['another would become a definition', 'a\n\n[^9]: [x]: /url'],
    ['the rest would become a fence', `[^9]${fence}\nOne[^1].`],
    ['the rest would become a fence without a marker', `[^9]${fence}\ncode`],
    ['the rest would become code', '`[^9]`` a [^1] ```'],
    ['code would become other code', '`a`[^9]`b`'],
    ['code would lose its start', '[^`9]` b'],
    ['the rest would become a heading', '[^9]# Head'],
    ['the rest would become a heading, with a space', '[^9] # Head'],
    ['the line above would become a heading', 'a\n[^9]==='],
    ['the line above would become a heading by dashes', 'a\n[^9]---'],
    ['a heading would lose a mark', '# a [^9]#'],
    ['a heading would lose all its text', '# [^9]'],
    ['a heading would gain text', '[^9]: /url\na\n==='],
    ['the rest would become a list item', '[^9]- x'],
    ['the rest would become a numbered item', '[^9]1. a'],
    ['the rest would become a nested item', '- [^9]- x'],
    ['an item would get a check box', '- [^9] [x] a'],
    ['an item would be empty', '- [^9]\n\n  a'],
    ['the rest would become a quote', '[^9]> a'],
    ['the rest would become a rule', 'a\n\n[^9]***'],
    ['the rest would become front matter', '[^9]---\nkey: v\n---\n'],
    ['it is in front matter', '---\nversion: 1[^9]\n---\n'],
    ['the rest would become a comment', '[^9]<!-- a\n\nb'],
    ['a block of HTML would end', '<div>\n[^9]\n*a*\n</div>'],
    ['a paragraph would become two', 'a\n[^9]\nb'],
    ['the rest would become reasoning', '[^9]<think>the real answer is 42'],
    ['the rest would become reasoning behind white space', '\n [^9] <think>a</think>b'],
    ['numbers would be joined', '10[^9]0 percent'],
    ['numbers would be joined by a comma', '10[^9],000'],
    ['numbers would be joined over several', '10[^9][^8][^x]0 percent'],
    ['words would be joined', 'One[^9]two'],
    ['words of other scripts would be joined', 'größ[^9]ёже'],
    ['letters of two units would be joined', '𝒜[^9]𝒷'],
    ['an accent would move', 'e[^9]\u0301'],
    ['a link would come to be', '[a][^9](https://example.org)'],
    ['a picture would come to be', '![^9][a](https://example.org)'],
    ['a tag would come to be', 'a <[^9]b>'],
    ['an entity would come to be', 'a &[^9]amp; b'],
    ['emphasis would change', '*a*[^9]*b*'],
    ['a good source would be lost', 'One [1, 9].'],
    ['a good source of a range would be lost', 'One [2-9] two'],
    ['a good source of a malformed list would be lost', 'One [1, 0].'],
    ['a good source of a list with a caret would be lost', 'One [^1, 2] [^2,^9].'],
    ['a good source in lenticular brackets would be lost', 'One 【9, 1†x】.'],
    ['one of several must stay', 'One [^9]. Two[^9]three.'],
  ])('nothing where %s', (_name, text) => {
    expect(drop(text)).toBe(text)
  })
})

test('the certificates are lossy and name the rule', () => {
  expect([...dropCitations(new Answer('One [^9].'), ['caret'], 2)]).toEqual([
    { rule: 'drop_citation', class: 'lossy', span: { start: 3, end: 8 }, before: ' [^9]', after: '' },
  ])
})

test('is applied only when the option says so', async () => {
  const settled = (options: object) => settle(contract({ checks: [{ citations: { sources: 2, ...options } }] }), 'One [^9].')
  expect(await settled({ dropUnsupported: true })).toMatchObject({ status: 'repaired', text: 'One.' })
  expect(await settled({})).toMatchObject({ status: 'unresolved', repairs: [] })
  expect(await settled({ dropUnsupported: true, requireCitations: true })).toMatchObject({ status: 'unresolved' })
})

test('on a stream nothing is shown that is dropped later', async () => {
  const rules = contract({ checks: [{ citations: { sources: 2, dropUnsupported: true } }] })
  const stream = enforceStream({ contract: rules, runner: scripted([{ text: 'One [^1] two [^9]. Three.', chunkSize: 1 }]), prompt: 'Q' })
  let shown = ''
  for await (const piece of stream) shown += piece
  expect(shown).toBe('One [^1] two. Three.')
  expect(await stream.outcome).toMatchObject({ status: 'repaired', attempts: 1 })
})

const piece = fc.constantFrom(
  ...[
    '[^',
    '[',
    '1',
    '9',
    ']',
    '[^1]',
    '[^9]',
    '[^9]',
    '[^9]',
    '[9]',
    '[1, 9]',
    '【9】',
    '^',
    '`',
    '```',
    '~~~',
    '\n',
    '\n',
    '\n\n',
    '\r\n',
  ],
  ...[
    '\\',
    ' ',
    ' ',
    '    ',
    '\t',
    'a',
    '.',
    ':',
    '> ',
    '- ',
    '1. ',
    '# ',
    '#',
    '===',
    '---',
    '---\nk: v\n',
    '<think>',
    '</think>',
    '<!--',
    '<div>',
  ],
)

test('is idempotent, cuts out wrong markers only, and what it leaves is clean and built as before', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('')
      const certificates = [...dropCitations(new Answer(text), citationStyles, 2)]
      const once = applyEdits(text, certificates) ?? 'does not fit'
      expect(drop(once)).toBe(once)
      if (certificates.length === 0) return
      const [before, after] = [new Answer(text), new Answer(once)]
      const good = (answer: Answer): string[] => findMarkers(answer, citationStyles).flatMap((one) => (supports(one, 2) ? one.text : []))
      expect(good(after)).toEqual(good(before))
      expect(findMarkers(after, citationStyles)).toHaveLength(good(before).length)
      for (const { before: cut } of certificates) expect(cut).toMatch(/^ ?[[【][^\r\n]*$/)
      expect(shape(after)).toEqual(shape(before))
    }),
    { numRuns: 500 },
  )
})

/** What an answer is built of, whatever stands where. */
function shape({ reasoning, headings, codeBlocks, listItems, frontMatters }: Answer): unknown {
  return {
    reasoning,
    headings: headings.map(({ level, nested }) => ({ level, nested })),
    codeBlocks: codeBlocks.map(({ info, content, closed }) => ({ info, content, closed })),
    listItems: listItems.map(({ checked }) => checked),
    frontMatters: frontMatters.map(({ content }) => content),
  }
}

test('stays linear', { timeout: 20_000 }, () => {
  const units = [
    '[^9]',
    ' [^9]',
    '[^',
    '[^x] [^1] ',
    '> [^9]: ',
    '[^9] # a\n',
    '- a [^9]\n',
    '[^9]: [',
    '>',
    '[^1, ',
    '`a` [^9] ',
    '[8, 9] ',
  ]
  for (const unit of units) expect(drop(`${unit.repeat(20_000)} [^9]`)).toBeDefined()
})

describe('code keeps every character', () => {
  test.each([
    ['a class of characters with a sign', 'Replace [^"]* with \\d+, as said[^9].'],
    ['a range', 'The class [^a-z] matches, as said[^9].'],
    ['a class that repeats', 'Use [^x]+ here.'],
    ['an escape', 'Use [^\\s] here.'],
    ['indented code', 'So:\n\n    a = b [^9]\n\nDone.'],
    ['code without a fence', 'x = enemy_pos[9] + 1\ny = dp[8][9]\nz = [7, 8]'],
  ])('%s', (_name, text) => {
    expect(drop(text)).toBe(text)
  })

  test('in fences and inline code, whatever is dropped or trimmed around it', async () => {
    const code = fc.stringMatching(/^[ -_a-~\n]{0,40}$/).map((inside) => `${inside} a[9] [^9] [^1^] [7, 8]`)
    const prose = fc.constantFrom('Text[^9] ', 'so[9] ', '[^1^] ', 'x[^x] ', '\n\n', 'one[1] ')
    const options = { sources: 2, styles: [...citationStyles], dropUnsupported: true }
    const rules = contract({ checks: [{ citations: options }], retries: 0 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(prose, code, fc.boolean()), { minLength: 1, maxLength: 4 }), async (parts) => {
        const text = parts
          .map(([around, inside, isInline]) =>
            isInline ? `${around}\`${inside.replaceAll('\n', ' ')}\`${around}` : `${around}\n\n${fence}\n${inside}\n${fence}\n\n${around}`,
          )
          .join('')
        const codeOf = (answer: Answer): string[] => [
          ...answer.codeBlocks.map(({ content }) => content),
          ...answer.inlineCode.map(({ start, end }) => answer.text.slice(start, end)),
        ]
        expect(codeOf(new Answer((await settle(rules, text)).text))).toEqual(codeOf(new Answer(text)))
      }),
      { numRuns: 100 },
    )
  })
})

describe('a second caret', () => {
  const rules = contract({ checks: [{ citations: { sources: 2 } }], retries: 0 })

  test.each([
    ['is taken out', 'One[^1^] and two [^2^].', 'repaired', 'One[^1] and two [^2].'],
    ['in code it stays', '`[^1^]` and one[^1^]', 'repaired', '`[^1^]` and one[^1]'],
    ['of a source that does not exist stays', 'One[^9^].', 'unresolved', 'One[^9^].'],
    ['of what is no number stays', 'One[^a^].', 'unresolved', 'One[^a^].'],
  ])('%s', async (_name, text, status, expected) => {
    const settled = await settle(rules, text)
    expect([settled.status, settled.text]).toEqual([status, expected])
    for (const { class: kind, before, after } of settled.repairs) expect([kind, before, after]).toEqual(['lossless', '^', ''])
    await assertStreamable(rules, text, [1, 3])
    await assertStreamable(contract({ checks: [{ citations: { sources: 2 } }], retries: 0, allow: [] }), text, [1, 3])
    await assertStreamable(contract({ checks: [{ citations: { sources: 2, requireCitations: 'paragraph' } }], retries: 0 }), text, [1, 3])
  })

  test('goes before others are dropped', async () => {
    const both = contract({ checks: [{ citations: { sources: 2, dropUnsupported: true } }], retries: 0 })
    expect((await settle(both, 'One[^1^] and two[^9].')).text).toBe('One[^1] and two.')
    await assertStreamable(both, 'One[^1^] and two[^9].', [1, 4])
  })

  test('a stream is stopped at a marker that no repair corrects', async () => {
    const stream = enforceStream({ contract: rules, runner: scripted([{ chunks: ['One[^9]', ' two', ' three'] }]), prompt: '' })
    for await (const _ of stream);
    expect((await stream.outcome).text).not.toContain('three')
  })
})
