import { describe, expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { contract } from '../../catalogue.ts'
import { ConfigurationError } from '../../contract/configuration-error.ts'
import { issue } from '../../contract/issue.ts'
import { check } from '../../engine/check/check.ts'
import type { Report } from '../../engine/check/report.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { citations, defineCitations } from './index.ts'

const fence = '```'
const report = (text: string | Answer, options: object = {}, context?: Record<string, unknown>): Promise<Report> =>
  check(contract({ checks: [{ citations: { sources: 5, ...options } }] }), text, context ? { context } : {})
const briefly = async (text: string, options: object = {}): Promise<string[]> =>
  (await report(text, options)).issues.map(({ code, span }) => `${code.slice(9)} ${span ? text.slice(span.start, span.end) : ''}`.trim())
const cited = async (text: string, options: object = {}): Promise<unknown[]> =>
  (((await report(text, options)).facts.citations?.citations ?? []) as { marker: number }[]).map(({ marker }) => marker)

describe('strict-plus', () => {
  test.each([
    ['in range', 'One[^1] five[^5].', []],
    ['out of range', 'Six[^6].', ['OUT_OF_RANGE [^6]']],
    ['empty', 'a[^]', ['MALFORMED [^]']],
    ['zero', 'a[^0]', ['MALFORMED [^0]']],
    ['a leading zero', 'a[^01]', ['MALFORMED [^01]']],
    ['too large', 'a[^4294967296]', ['MALFORMED [^4294967296]']],
    ['the largest', 'a[^4294967295]', ['OUT_OF_RANGE [^4294967295]']],
    ['words', 'a[^abc]', ['MALFORMED [^abc]']],
    ['a long body', `a[^${'x'.repeat(50)}]`, [`MALFORMED [^${'x'.repeat(50)}]`]],
    ['many digits', `a[^${'9'.repeat(500)}]`, [`MALFORMED [^${'9'.repeat(500)}]`]],
    ['many digits and a letter', `a[^${'9'.repeat(500)}x]`, [`MALFORMED [^${'9'.repeat(500)}x]`]],
    ['a list', 'a[^1, 2]', ['MALFORMED [^1, 2]']],
    ['white space', 'a[^ 1 ]', ['MALFORMED [^ 1 ]']],
    ['digits of another script', 'a[^١]', ['MALFORMED [^١]']],
    ['a character of no width', 'a[^1\u200b]', ['MALFORMED [^1\u200b]']],
    ['fullwidth brackets are none', 'a［^9］', []],
    ['unterminated at the end', 'a[^12', ['MALFORMED [^12']],
    ['unterminated on its line', 'a[^1 and so on\nb]', ['MALFORMED [^1']],
    ['unterminated before CRLF', 'a[^9\r\n]', ['MALFORMED [^9']],
    ['only the opening', 'a[^', ['MALFORMED [^']],
    ['a class of characters in prose', 'Use [^a-z] here.', ['MALFORMED [^a-z]']],
    ['a class of characters in code', 'Use `[^a-z]` here.', []],
    ['escaped', 'a\\[^9] b', []],
    ['an escaped back-slash', 'a\\\\[^9]', ['OUT_OF_RANGE [^9]']],
    ['a link', '[^9](https://example.org)', ['OUT_OF_RANGE [^9]']],
    ['a definition', '[^9]: made up', ['OUT_OF_RANGE [^9]']],
    ['in brackets', '[[^9]]', ['OUT_OF_RANGE [^9]']],
    ['a marker in a marker', '[^[^1]]', ['MALFORMED [^']],
    ['a bracket in a marker', '[^1[2]]', ['MALFORMED [^1']],
    ['an escaped bracket in a marker', '[^1\\[2]', ['MALFORMED [^1\\[2]']],
    ['in a table', '| a | b[^9] |\n| - | - |', ['OUT_OF_RANGE [^9]']],
    ['in a comment', '<!-- [^9] -->', ['OUT_OF_RANGE [^9]']],
    ['in indented code', 'Text\n\n    [^9]', ['OUT_OF_RANGE [^9]']],
    ['in a heading', '# T[^9]', ['OUT_OF_RANGE [^9]']],
    ['in inline code', 'Use `[^9]`.', []],
    ['in inline code over lines', 'Use `a\n[^9]`.', []],
    ['in longer inline code', 'Use ``[^9] ` ``.', []],
    ['behind a lone back-tick', 'Use ` [^9].', ['OUT_OF_RANGE [^9]']],
    ['a code span that opens in a marker', '[^`9]` b', ['MALFORMED [^`9]']],
    ['in a fence', `${fence}\n[^9]\n${fence}\n`, []],
    ['in a longer fence', `${fence}${fence}\n${fence}\n[^9]\n`, []],
    ['in tildes', '~~~\n[^9]\n~~~\n', []],
    ['in the info string of a fence', `${fence}js [^9]\n${fence}\n`, []],
    ['in an unclosed fence', `${fence}\n[^9]`, []],
    ['in a fence of a list', `- a\n  ${fence}\n  [^9]\n\nb[^9]`, ['OUT_OF_RANGE [^9]']],
    ['in reasoning', '<think>[^9]</think>\nText', []],
    ['an end of reasoning in a marker', '<think>[^</think>9]', []],
    ['both, in text order', '[^9] [^x]', ['OUT_OF_RANGE [^9]', 'MALFORMED [^x]']],
    ['nothing', '', []],
  ])('%s', async (_name, text, expected) => {
    expect(await briefly(text)).toEqual(expected)
  })

  test.each([
    ['bracket', 'a[1] b[12]', ['OUT_OF_RANGE [12]']],
    ['bracket', '[text] [x] [ ] [1a] [-1] [ 1 ] [] [^9] [1', []],
    ['bracket', '[0] [01]', ['MALFORMED [0]', 'MALFORMED [01]']],
    ['bracket', 'arr[0] list[9] dp[7][8] enemy_pos[9] self.items[8] highSession[9] f()[7] x[0][9] a[i][9]', []],
    ['bracket', "const a = req.files['b'][7]", []],
    ['bracket', '    p[7] = 2\np[8]= 3\npivot = (h + close[9]) / 3', []],
    ['bracket', 'int[] count = new int[13]; the last row (N[9]) is right', []],
    ['bracket', 'See [2017] FCA 12, [2019-2021] and Smith [1999, 2001].', []],
    ['bracket', 'W = [7, 8], t ∈ [7, 9], t in [0, 7], f([7, 8]), [3, -3] * [7, 8] and [8, 8]', []],
    ['bracket', 'the interval [7, 9], the vector [7, 8] and in the range [6, 9]', []],
    ['bracket', 'return [9]\nX = [7; 8; 9]', []],
    ['bracket', 'sorted it is [6, 7, 8, 9]\n    return (x + origin[0], y + origin[9])', []],
    ['bracket', '- It has 3.5 million people [20]\n- since 2019 [16]', ['[20]', '[16]'].map((one) => `OUT_OF_RANGE ${one}`)],
    [
      'bracket',
      'So it is[9]. GitHub[8], iPhone[7]; hepatitis C[6] (2019)[9] "so"[8]',
      ['[9]', '[8]', '[7]', '[6]', '[9]', '[8]'].map((one) => `OUT_OF_RANGE ${one}`),
    ],
    [
      'bracket',
      'in [7, 8], E = mc² [9], **bold**[6], * [7] and\n* [8] is\n> [9]',
      ['[7, 8]', '[9]', '[6]', '[7]', '[8]', '[9]'].map((one) => `OUT_OF_RANGE ${one}`),
    ],
    ['bracket', 'a wide range [7, 8] and [1][9] [9]', ['[7, 8]', '[9]', '[9]'].map((one) => `OUT_OF_RANGE ${one}`)],
    ['bracket', '[9](https://example.org)', ['OUT_OF_RANGE [9]']],
    ['bracket', '[9]: https://example.org', ['OUT_OF_RANGE [9]']],
    [
      'bracket',
      '[1, 9] [2-3] [1–6] [3-1] [1-99] [1-2-3]',
      ['OUT_OF_RANGE [1, 9]', 'OUT_OF_RANGE [1–6]', 'MALFORMED [3-1]', 'MALFORMED [1-99]', 'MALFORMED [1-2-3]'],
    ],
    ['bracket', '\\[9]', []],
    ['bracket', `[${'1,'.repeat(300)}9]`, []],
    ['lenticular', 'a【1】 b【9】', ['OUT_OF_RANGE 【9】']],
    ['lenticular', 'a【9†source】 b【1†L1-L3】 c【4:0†source】 d【†x】', ['OUT_OF_RANGE 【9†source】']],
    ['lenticular', '【0】 【a】 【9\n】 [9] [^9]', ['MALFORMED 【0】']],
  ])('%s: %s', async (style, text, expected) => {
    expect(await briefly(text, { styles: [style] })).toEqual(expected)
  })

  test('several sources in one marker are several citations', async () => {
    expect(await cited('a[1, 3] b[2-4]; c[5][1] d[^2]', { styles: ['caret', 'bracket'] })).toEqual([1, 3, 2, 3, 4, 5, 1, 2])
  })

  test('tells all citations as a fact, also those out of range', async () => {
    expect((await report('é[^1] [^9]')).facts.citations).toEqual({
      citations: [
        { marker: 1, span: { start: 1, end: 5 }, sourceIndex: 0 },
        { marker: 9, span: { start: 6, end: 10 }, sourceIndex: 8 },
      ],
    })
  })

  test.each([
    ['en', '[^9]', 'Cite only sources 1 to 5; "[^9]" names source 9.'],
    ['de', '[^9]', 'Zitiere nur Quellen von 1 bis 5; "[^9]" nennt Quelle 9.'],
    ['en', '[^x]', 'Write each citation as [^N] with one whole number, not as "[^x]".'],
    ['de', '[^12', 'Schließe jedes Zitat in seiner Zeile, als [^N]; "[^12" ist nicht geschlossen.'],
  ] as const)('messages: %s %s', async (locale, text, message) => {
    const checked = contract({ locale, checks: [{ citations: { sources: 5 } }] })
    expect((await check(checked, text)).issues.map((one) => one.message)).toEqual([message])
  })

  test('many wrong markers are told in a bounded number of issues, and as facts in full', async () => {
    const { issues, facts } = await report('[^9] '.repeat(10_000))
    expect(issues).toHaveLength(50)
    expect(issues.at(-1)?.message).toBe('Correct 9951 further citation markers that are malformed or out of range.')
    expect(facts.citations?.citations).toHaveLength(10_000)
  })
})

describe('requireCitations', () => {
  test.each([
    ['none', 'Text.', ['MISSING']],
    ['one', 'Text.[^1]', []],
    ['one in code', 'Text `[^1]`.', ['MISSING']],
    ['only one out of range', 'Text[^9].', ['OUT_OF_RANGE [^9]', 'MISSING']],
    ['only a malformed one', 'Text[^01].', ['MALFORMED [^01]', 'MISSING']],
    ['nothing', '', ['MISSING']],
  ])('true: %s', async (_name, text, expected) => {
    expect(await briefly(text, { requireCitations: true })).toEqual(expected)
  })

  test.each([
    ['each cited', 'One[^1].\n\nTwo[^2].', []],
    ['one not cited', 'One[^1].\n\nTwo.\n\nThree[^3].', ['MISSING Two.']],
    ['cited on another line', 'One\ntwo[^1]\nthree.', []],
    ['cited in code', 'One `[^1]`.', ['MISSING One `[^1]`.']],
    ['out of range', 'One[^9].', ['OUT_OF_RANGE [^9]', 'MISSING One[^9].']],
    ['headings', '# Title\n\nOne[^1].\n\nSetext\n---\n\nTwo[^1].', []],
    ['list items', 'One[^1].\n\n- a\n- b\n', []],
    ['the line before a list', 'The reasons are:\n\n- a[^1]', []],
    ['the same in bold', '**The reasons:**\n\n- a[^1]', []],
    ['tables', 'One[^1].\n\n| a | b |\n| - | - |\n| c | d |', []],
    ['code', `One[^1].\n\n${fence}\ncode\n${fence}\n`, []],
    ['rules and pictures', 'One[^1].\n\n***\n\n![a picture](a.png)\n\n…', []],
    ['a list of sources', 'One[^1].\n\n[a]: https://example.org', []],
    ['a quote', '> One[^1].\n\n> Two.', ['MISSING Two.']],
    ['only a list', '- a\n- b', ['MISSING']],
    ['nothing', '', ['MISSING']],
    ['reasoning', '<think>Hm.</think>One[^1].', []],
    ['CRLF', 'One[^1].\r\n\r\nTwo.\r\n', ['MISSING Two.']],
    ['HTML', 'One[^1].\n\n<div>Two.</div>', ['MISSING Two.']],
    ['HTML that is cited', '<p>One[^1].</p>\n\n<div>\nTwo\n<b>three</b>[^2].\n</div>', []],
    ['each paragraph of HTML', '<p>One[^1].</p><p>Two.</p>\n<P>Three[^3].\n<hr>Four', ['MISSING Two.', 'MISSING Four']],
    ['headings, lists and tables of HTML', '<h2>One</h2><ul><li>Two<p>three</ul><table><tr><td>Four</table>\n\nFive[^1]', []],
    ['HTML that shows nothing', 'One[^1]\n<!-- two -->\n<script>three\n\nfour</script>\n<div title="five"><img alt="six"></div>', []],
    ['behind what shows nothing', 'One[^1]\n\n<!-- two\n\n--> Three.\nFour[^1]', ['MISSING Three.']],
    ['HTML in a quote and a list', '> <div>One.</div>\n\n- <p>Two.\n\nThree[^1]', ['MISSING One.']],
  ])('paragraph: %s', async (_name, text, expected) => {
    expect(await briefly(text, { requireCitations: 'paragraph' })).toEqual(expected)
  })

  test('a turn that only calls tools need not cite', async () => {
    const answer = new Answer('', { toolCalls: [{ name: 'search', arguments: '{}' }] })
    for (const requireCitations of [true, 'paragraph']) expect((await report(answer, { requireCitations })).issues).toEqual([])
  })
})

describe('the number of sources', () => {
  test.each([
    ['a number', 2, []],
    ['none', 0, ['CITATION_OUT_OF_RANGE']],
    ['a list', ['a', 'b'], []],
    ['an empty list', [], ['CITATION_OUT_OF_RANGE']],
    ['nothing: the option counts', undefined, []],
    ['null: the option counts', null, []],
  ])('from the context: %s', async (_name, sources, expected) => {
    expect((await report('a[^2]', {}, { sources })).issues.map(({ code }) => code)).toEqual(expected)
  })

  test.each([
    ['-1', -1],
    ['1.5', 1.5],
    ['NaN', Number.NaN],
    ['a text', '2'],
    ['an object', {}],
  ])('is unknown: %s', async (_name, sources) => {
    expect((await report('a[^2]', {}, { sources })).unchecked).toMatchObject([{ cause: 'unavailable' }])
    expect((await report('a', {}, { sources })).unchecked).toEqual([])
  })

  test('is not needed for what is malformed', async () => {
    const checked = contract({ checks: ['citations'] })
    expect(await check(checked, 'a[^2]')).toMatchObject({ issues: [], unchecked: [{ cause: 'unavailable' }] })
    expect(await check(checked, 'a[^2] b[^x]')).toMatchObject({ issues: [{ code: 'CITATION_MALFORMED' }], unchecked: [] })
    expect(await check(checked, 'a')).toMatchObject({ issues: [], unchecked: [] })
  })
})

test.each([
  [{ profile: 'none' }, 'profile'],
  [{ styles: [] }, 'styles'],
  [{ sources: -1 }, 'sources'],
  [{ requireCitations: 'sentence' }, 'requireCitations'],
])('bad options are rejected: %j', (options, path) => {
  const build = (): unknown => contract({ checks: [{ citations: options as object }] })
  expect(build).toThrow(ConfigurationError)
  expect(build).toThrow(path)
})

test('follows a further profile, within its restrictions', async () => {
  const shouting = defineCitations(
    [
      {
        name: 'loud',
        summary: 'nothing is in capitals',
        restrictions: [{ option: 'styles', allows: ({ styles }) => styles.length === 1, message: 'the profile loud supports one style' }],
        prepare: () => ({
          *check({ text }) {
            if (/[A-Z]/.test(text)) yield issue('CITATION_MALFORMED', 'Do not shout.')
          },
        }),
      },
    ],
    citations.definition,
  )
  const issuesOf = async (options: Parameters<typeof shouting>[0], text: string) =>
    (await check(contract({ checks: [shouting(options)] }), text, { context: { sources: 1 } })).issues.map(({ message }) => message)
  expect(await issuesOf({ profile: 'loud' }, 'A[^9]')).toEqual(['Do not shout.'])
  expect(await issuesOf({}, 'A[^9]')).toEqual(['Cite only source 1; "[^9]" names source 9.'])
  expect(() => contract({ checks: [shouting({ profile: 'loud', styles: ['caret', 'bracket'] })] })).toThrow(
    'checks.0.citations.styles: the profile loud supports one style',
  )
  // A call of the validator that it replaces means it, where a preset has it.
  const preset = { summary: 'Quiet.', validators: [shouting], checks: [{ citations: { profile: 'loud' } }] }
  expect((await check(contract({ preset, checks: [citations({ sources: 1 })] }), 'A')).issues).toHaveLength(1)
})

test('says everything in both languages', async () => {
  expect(
    await localeFaults('citations', [
      { text: 'A[^9].', context: { sources: 1 } },
      { text: 'A[^x].', context: { sources: 1 } },
      { options: { requireCitations: true }, text: 'A.', context: { sources: 1 } },
    ]),
  ).toEqual([])
})
