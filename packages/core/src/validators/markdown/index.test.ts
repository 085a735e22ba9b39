import fc from 'fast-check'
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { describe, expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { contract } from '../../catalogue.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import { scripted } from '../../runners/scripted.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { markdown } from './index.ts'

type Options = Parameters<typeof markdown>[0]
const issuesOf = async (text: string | Answer, options: Options) => (await check(contract({ checks: [markdown(options)] }), text)).issues
const count = async (element: string, text: string): Promise<number> => {
  const [found] = await issuesOf(text, { [element]: { min: 1000 } })
  return Number(/has (\d+)\.$/.exec(found?.message ?? '')?.[1])
}
const fence = '```'

describe('markdown', () => {
  test.each([
    ['bullets', '* a\n- b\n  + c\n1. d\n', 3],
    ['bullets', '---\n* * *\n-\n*a*\n-b', 0],
    ['bullets', `- a\n${fence}\n- b\n${fence}\n- c`, 2],
    ['bullets', '<think>\n- a\n</think>\n- b', 1],
    ['highlights', '*a* and **b c**\n* item with *one*', 3],
    ['highlights', '5 * 3 * 2, **not closed, * a *, `*x*`, a\n*b\nc*', 0],
    ['highlights', '***both*** and **a*', 1],
    ['tables', 'a | b\n--- | ---\n1 | 2\n--- | ---\n\n| a |\n|:-:|\n| 1 |', 2],
    ['tables', 'a | b\n\n--- | ---\n---\n|---|', 0],
    ['codeBlocks', `${fence}\na\n${fence}\n~~~\nb`, 2],
    ['headings', `# A\n${fence}\n# B\n${fence}\nC\n---\n`, 2],
    ['headings', '---\nadr_id: 1\n---\n# A', 1],
    ['numberedItems', '1. a\n2) b\n   1. c\n- d\n\n10. e\n1.f\n3.', 4],
    ['numberedItems', `Born in\n1984. It was\n${fence}\n1. a\n${fence}\n> 1. b\n- 1. c`, 2],
    ['numberedLists', '1. a\n2. b\n\n3. c\n   1. d\n   2. e\n4. f', 2],
    ['numberedLists', '1. a\n\nText.\n\n2. b\n\nText.\n\n1. c\n', 2],
    ['numberedLists', '1. a\n- x\n- y\n2. b\n', 1],
    ['numberedLists', '1. a\n1. b\n# H\n1. c\n---\n2. d\n1) e', 4],
    ['numberedLists', ' 9. a\n10. b\r\n11. c', 1],
  ])('%s of %j', async (element, text, expected) => {
    expect(await count(element, text)).toBe(expected)
  })

  test.each<[string, Options, string[]]>([
    ['# A\n## B', { headings: { levels: [1, 2] } }, []],
    ['# A\n### B', { headings: { levels: [1, 2] } }, ['Give the heading "B" level 2; it has level 3.']],
    ['# A\n### B\n', { headings: { skipLevels: false } }, ['Give the heading "B" level 2; it has level 3.']],
    ['### A\n# B\n## C', { headings: { skipLevels: false } }, []],
    ['# **summary:**\n# Plan', { headings: { required: ['Summary', 'Plan'] } }, []],
    ['# Plan\n# Summary', { headings: { required: ['Summary', 'Plan'] } }, ['Put the heading "Summary" before "Plan"; it comes after it.']],
    ['# Plan\n# Summary', { headings: { required: ['Summary', 'Plan'], ordered: false } }, []],
    ['# Plan', { headings: { required: ['Plan', 'Risks'] } }, ['Add the heading "Risks"; the answer does not have it.']],
    ['**Plan**\n\nText\n\n__Risks:__\n1. a', { headings: { required: ['Plan', 'Risks'], bold: true } }, []],
    [
      '**Risks**:\ntext\n\n# Plan',
      { headings: { required: ['Plan', 'Risks'], bold: true } },
      ['Put the heading "Plan" before "Risks"; it comes after it.'],
    ],
    ['**Plan**\n\nText', { headings: { required: ['Plan'] } }, ['Add the heading "Plan"; the answer does not have it.']],
    ['# A\n**B**\n\n### C', { headings: { skipLevels: false, bold: true } }, ['Give the heading "C" level 2; it has level 3.']],
    [
      '**A**\n---\n\n**B** and **C**\n\ntext\n**D**\n\n- **E**\n\n** F **',
      { headings: { max: 0, bold: true } },
      ['Write no headings (`# …`); the answer has 1.'],
    ],
    ['1. a', { numberedItems: { max: 0 } }, ['Write no numbered list items (`1. …`); the answer has 1.']],
    ['- a\n- b\n- c', { bullets: { max: 1 } }, ['Write at most 1 bullet point (`- …`); the answer has 3.']],
    [
      'a',
      { tables: { min: 1 }, codeBlocks: { min: 2 } },
      ['Write at least 1 table; the answer has 0.', 'Write at least 2 fenced code blocks; the answer has 0.'],
    ],
  ])('%j under %j', async (text, options, messages) => {
    expect((await issuesOf(text, options)).map(({ message }) => message)).toEqual(messages)
  })

  test('asks for nothing more before the tools have answered', async () => {
    const turn = new Answer('- a\n- b', { toolCalls: [{ name: 'f', arguments: '{}' }] })
    const options = { headings: { required: ['A'] }, tables: { min: 1 }, bullets: { max: 1 } }
    expect((await issuesOf(turn, options)).map(({ code }) => code)).toEqual(['TOO_MANY_ELEMENTS'])
  })

  test.each([
    {},
    { bullets: {} },
    { bullets: { min: 2, max: 1 } },
    { headings: {} },
    { headings: { levels: [] } },
    { headings: { levels: [7] } },
    { headings: { required: [' '] } },
    { heading: { min: 1 } },
  ])('%j is a configuration error', (options) => {
    expect(() => contract({ checks: [{ markdown: options }] })).toThrow(/markdown/)
  })

  test('gives headings another level where a loss is allowed', async () => {
    const rules = (allow: ('lossless' | 'lossy')[]) =>
      contract({ checks: [markdown({ headings: { levels: [2, 3], skipLevels: false } })], allow })
    const text = '# A\n\n#### B ####\n\n##### C\n\n> # D\n'
    expect((await settle(rules(['lossless']), text)).status).toBe('unresolved')
    expect((await settle(rules(['lossy']), text)).text).toBe('## A\n\n### B ####\n\n### C\n\n> ## D\n')
    expect((await settle(rules(['lossy']), 'A\n===\n')).status).toBe('unresolved')
  })
})

describe('markdown in a stream', () => {
  test('L46 stops with the line that is too much, and shows nothing of it', async () => {
    const runner = scripted([{ text: 'One.\n\n- a\n- b\n- c\nMore', chunkSize: 1 }])
    const answer = enforceStream({ contract: contract({ checks: [markdown({ bullets: { max: 2 } })], retries: 0 }), runner, prompt: '' })
    let shown = ''
    for await (const piece of answer) shown += piece
    expect([(await answer.outcome).status, shown, runner.calls[0]?.taken]).toEqual(['unresolved', 'One.\n\n- a\n- b\n', 18])
  })

  test('L47 is judged as the whole, for every way to cut it', async () => {
    const piece = fc.constantFrom(
      ...[
        '# A\n',
        '## B\n',
        '### C',
        '- a\n',
        '* b',
        '*x*',
        '**y** ',
        '\n',
        '\r\n',
        '| a | b |\n',
        '|---|---|\n',
        '---\n',
        '===\n',
        `${fence}\n`,
        '~~~\n',
      ],
      ...['text ', 'T\n', '> ', '    ', '<think>', '</think>', 'a: 1\n', '`', '\r', '1. ', '2. b\n', '**A**\n', '__B__', '\n\n'],
    )
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    const limit = fc.record({ max: fc.nat(2) })
    const headings = fc
      .record(
        { max: fc.nat(2), levels: fc.constant([1, 2]), skipLevels: fc.boolean(), required: fc.constant(['A', 'B']), bold: fc.boolean() },
        { requiredKeys: [] },
      )
      .filter(({ skipLevels, bold: _, ...rest }) => skipLevels === false || Object.keys(rest).length > 0)
    const options = fc
      .record(
        { headings, bullets: limit, highlights: limit, tables: limit, codeBlocks: limit, numberedItems: limit, numberedLists: limit },
        { requiredKeys: [] },
      )
      .filter((given) => Object.keys(given).length > 0)
    const allow = fc.constantFrom<('lossless' | 'lossy')[]>(['lossless'], ['lossless', 'lossy'])
    await fc.assert(
      fc.asyncProperty(text, options, allow, (said, given, classes) =>
        assertStreamable(contract({ checks: [markdown(given as unknown as Options)], allow: classes }), said, [1, 2, 5, 20]),
      ),
      { numRuns: 200 },
    )
  })

  test('numbered lists are those of an independent parser, where nothing but items comes between their items', async () => {
    const line = fc.constantFrom('1. a', '2. b', '3. c', '   1. d', '   2. e', '      - f', '1) g', '# H\n1. h', '')
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 9 }), async (lines) => {
        const text = ['1. a', ...lines].join('\n')
        let [lists, items] = [0, 0]
        const walk = (node: Nodes): void => {
          if (node.type === 'list' && node.ordered) {
            lists++
            items += node.children.length
          }
          if ('children' in node) for (const child of node.children) walk(child)
        }
        walk(fromMarkdown(text))
        expect([await count('numberedItems', text), await count('numberedLists', text)], text).toEqual([items, lists])
      }),
      { numRuns: 300 },
    )
  })

  test('agrees with the obvious patterns where there is no code', async () => {
    const piece = fc.constantFrom('- ', '* ', '*', '**', 'a', ' ', '\n', 'b*', '*c', '+ ', '_', '--', '·')
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 12 }), async (pieces) => {
        const text = pieces.join('')
        const isRule = (line: string): boolean => /^[ \t]*(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,})$/.test(line)
        const lines = text.split('\n').filter((line) => !isRule(line))
        // A line of dashes may be the start of front matter or of a heading.
        fc.pre(!text.includes('--'))
        expect(await count('bullets', text)).toBe(lines.filter((line) => /^[ \t]*[*+-][ \t]+[^ \t]/.test(line)).length)
      }),
      { numRuns: 200 },
    )
  })
})

test('says everything in both languages', async () => {
  expect(
    await localeFaults('markdown', [
      {
        options: { headings: { levels: [1], required: ['Ziel', 'Plan', 'Risiko'] }, bullets: { max: 0 }, tables: { min: 1 } },
        text: '## Plan\n- eins\n## Ziel\n',
      },
      { options: { html: 'none' }, text: 'a<br>b' },
      { options: { html: 'inert' }, text: '<script>x</script>\n\n<p onclick="x"><a href="javascript:x">\n\n<p' },
    ]),
  ).toEqual([])
})
