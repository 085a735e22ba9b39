import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ContractByName, contract } from '../../../../presets/src/testing/contract.ts'
import { Answer } from '../../answer/answer.ts'
import { AnswerReader } from '../../answer/reader.ts'
import { repairClasses } from '../../contract/certificate.ts'
import type { Finding } from '../../contract/issue.ts'
import type { CheckContext, PreparedValidator } from '../../contract/validator.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { citationPieces, feed } from '../../testing/streamed-citations.ts'
import { citations } from './index.ts'
import type { CitationCode } from './messages.ts'

const runs = 300

const piece = fc.constantFrom(...citationPieces)
const line = fc.constantFrom(
  '',
  '---',
  'key: `[^9]` x',
  'key: v',
  '<!--',
  '-->',
  '<div>',
  'Use `[^9]` b',
  'Use `x',
  'y` [^9]',
  '[^9] z',
  '[^1] z',
  'Text.',
  'Text:',
  'Text[^1].',
  '```',
  '``` [^9]',
  '```md',
  '```md',
  '~~~',
  '~~~ [^9]',
  '- `[^9]`',
  '- ```',
  '  [^9]',
  '> [^9]',
  '> ~~~',
  '> Text',
  '    `[^9]`',
  '# H `[^9]`',
  '===',
  '| a |',
  '| - |',
)
const texts = fc.oneof(
  fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join('')),
  fc.tuple(fc.array(line, { maxLength: 10 }), fc.constantFrom('\n', '\r\n', '\r')).map(([lines, end]) => lines.join(end)),
)
const options = fc.oneof(
  fc.record(
    {
      styles: fc.subarray(['caret', 'bracket', 'lenticular'], { minLength: 1 }),
      requireCitations: fc.constantFrom(false, true, 'paragraph'),
      dropUnsupported: fc.boolean(),
      release: fc.constantFrom('text', 'line'),
      sources: fc.constantFrom(0, 1, 2),
    },
    { requiredKeys: ['styles'] },
  ),
)
const policies = fc.constantFrom<ContractByName>({}, { mode: 'lenient' }, { repair: 'never' }, { repair: 'last' })
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 })

describe('any chunking', () => {
  test('gives the same verdict, issues and text, and agrees with the whole check', async () => {
    await fc.assert(
      fc.asyncProperty(texts, options, policies, sizes, (text, chosen, policy, lengths) =>
        assertStreamable(contract({ ...policy, checks: [{ citations: chosen as object }] }), text, [lengths, 1]),
      ),
      { numRuns: runs },
    )
  })

  test.each(['A [1].\n\nB [9] a<b\n', '\n\nx[9]y<br>', 'A [1].\n\n\nB [9]<br>is. More.\n\nC.'])(
    'gives the same verdict where a tag follows a citation: %j',
    async (text) => {
      const checks = [{ citations: { styles: ['bracket' as const], requireCitations: 'paragraph' as const } }]
      const sizes = [1, 2, 3, 5, 8, 11, 12, 13]
      for (const repair of ['never', 'last'] as const)
        await assertStreamable(contract({ repair, checks }), text, sizes, { context: { sources: 3 } })
    },
  )
})

const context: CheckContext = { locale: 'en', context: {}, ports: {}, signal: new AbortController().signal }
const prepare = (chosen: object): PreparedValidator<CitationCode> => {
  const read = citations.definition.options.parse(chosen)
  return citations.definition.prepare(read)
}

const machineOf = (chosen: object) => prepare(chosen).incremental?.(context)

function findings(chosen: object, text: string): Finding<CitationCode>[] {
  try {
    return [...(prepare(chosen).check(new Answer(text), context) as Iterable<Finding<CitationCode>>)]
  } catch {
    return []
  }
}

const everyRepair = { usual: repairClasses, now: repairClasses }

describe('what is safe', () => {
  test('holds nothing wrong and nothing that a repair changes, and what fails is wrong', () => {
    fc.assert(
      fc.property(texts, options, (text, chosen) => {
        const issues = findings(chosen, text).filter((finding) => finding.kind === 'issue')
        const repairs = [
          ...((prepare(chosen).repair?.(new Answer(text), [], context, everyRepair) ?? []) as Iterable<{ span: { start: number } }>),
        ]
        const start = Math.min(...[...issues, ...repairs].map(({ span }) => span?.start ?? text.length))
        const steps = feed(machineOf(chosen), text.split(''))
        for (const { safe } of steps) expect(safe).toBeLessThanOrEqual(start)
        if ('release' in chosen && chosen.release === 'line') {
          const body = new Answer(text).bodyStart
          for (const { safe } of steps) expect(safe <= body || /[\r\n]$/.test(text.slice(0, safe))).toBe(true)
          const wrong = issues.filter(({ code, span }) => code !== 'CITATION_MISSING' && span !== undefined)
          for (const { span } of wrong) {
            const above = text.slice(body, span?.start)
            const claim = body + above.slice(0, above.search(/[^\r\n]*\s*$/)).length
            for (const { safe } of steps) expect(safe).toBeLessThanOrEqual(claim)
          }
        }
        const failure = steps.at(-1)?.failure
        if (failure) expect(issues.slice(0, 100)).toContainEqual(failure.issues[0])
        const { further = [], ...first } = feed(machineOf(chosen), [text]).at(-1)?.failure ?? {}
        const { further: _further, ...told } = failure ?? {}
        if (failure) expect(first).toEqual(told)
        for (const draft of further) expect(issues.slice(0, 100)).toContainEqual(draft)
      }),
      { numRuns: runs },
    )
  })
})

describe('a stream', () => {
  const bad = { sources: 2 }
  /** Text, where it fails when it is fed character by character, and after how many characters that is told. */
  test.each<[string, object, string, [at: number, told: number] | undefined]>([
    ['at the closing bracket', bad, 'One[^9] two', [7, 7]],
    ['at once behind good ones', bad, 'One[^1] two[^3]', [15, 15]],
    ['at the end of the paragraph behind inline code', bad, 'Use `x` [^9] two\n\nThree', [12, 18]],
    ['likewise behind a code span on the line above', bad, 'Use `x`\n[^9] two\n\nThree', [12, 18]],
    ['at once behind a fence', bad, '```\n[^9]\n```\n[^9] two', [17, 17]],
    ['at once in a list', bad, '- a\n- b[^9] two', [11, 11]],
    ['at once in an unclosed marker', bad, 'One[^1\n', [7, 7]],
    ['at once at the next bracket', bad, 'One[^1 [x', [8, 8]],
    ['at the end of the paragraph behind a lone back-tick', bad, 'Use ` [^9] two\n\nThree', [10, 16]],
    ['behind the paragraph with a lone back-tick', bad, 'Use `\n\nTwo[^9]', [14, 14]],
    ['not in inline code', bad, 'Use `[^9]` two\n\n', undefined],
    ['not in a line that may be a fence', bad, '``` [^9]', undefined],
    ['at the end of a line that is no fence', bad, '``` [^9] `\n\nTwo', [8, 12]],
    ['not in a tilde fence', bad, '~~~ [^9]\n[^9]\n', undefined],
    ['not in a fence in front of what may be front matter', bad, '---\n~~~\n[^9]\n', undefined],
    ['in a list behind a fence', bad, '- ```\n  [^9]\n[^9] two\n', [17, 22]],
    ['code in a comment is none', bad, '<!--\n\nUse `[^9]` x\n\ny', [15, 19]],
    ['code in front matter is none', bad, '---\nkey: `[^9]` x\n---\n\ny', [14, 22]],
    ['indented code is none', bad, 'One\n\n    `[^9]` x\n\ny', [14, 18]],
    ['in reasoning never', bad, '<think>[^9]', undefined],
    ['not in a fence right behind reasoning', bad, '<think></think>~~~ [^9]\n', undefined],
    ['behind reasoning', bad, '<think>`[^9]</think>One[^9]', [27, 27]],
    ['at the end of a paragraph without a citation', { ...bad, requireCitations: 'paragraph' }, 'One.\n\nTwo', [4, 6]],
    ['a heading needs none', { ...bad, requireCitations: 'paragraph' }, '# One\n\nTwo[^1]\n\n', undefined],
    ['in a paragraph at once', { ...bad, requireCitations: 'paragraph' }, 'One[^1] two[^9] three', [15, 15]],
    ['a paragraph above comes first', { ...bad, requireCitations: 'paragraph' }, 'One.\n- two[^9]\n', [4, 15]],
    ['never for want of citations', { ...bad, requireCitations: true }, 'One.\n\nTwo.\n\n', undefined],
    ['where sources are unknown, for what is malformed', {}, 'One[^1] two[^x]', [15, 15]],
  ])('fails %s', (_name, chosen, text, expected) => {
    const steps = feed(machineOf(chosen), text.split(''))
    const failure = steps.at(-1)?.failure
    expect(failure && [failure.at, steps.length]).toEqual(expected)
  })

  test.each<[string, object, string, number]>([
    ['an open bracket', bad, 'One [', 4],
    ['an open marker', bad, 'One [^1', 4],
    ['not a closed one', bad, 'One [^1]', 8],
    ['not a bracket of another kind', bad, 'One [x', 6],
    ['not an escaped one', bad, 'One \\[^', 7],
    ['a class of characters in code until its paragraph ends', bad, 'Use `[^a]` b', 5],
    ['not then', bad, 'Use `[^a]` b\n\nc', 15],
    ['code that has not ended', bad, 'Use `[^a] b', 5],
    ['not a fence', bad, '```js [^a]\n[^b] c', 17],
    ['not lines that may be fences', bad, '```', 3],
    ['a space that goes with a marker', { ...bad, dropUnsupported: true }, 'One ', 3],
    ['the same before an open one', { ...bad, dropUnsupported: true }, 'One [^', 3],
    ['a number of unknown sources', {}, 'One[^1] two', 3],
    ['a paragraph until it cites', { ...bad, requireCitations: 'paragraph' }, 'One[^1].\n\nTwo', 10],
    ['not one that has cited', { ...bad, requireCitations: 'paragraph' }, 'One[^1].\n\nTwo[^2] three', 23],
    ['not code', { ...bad, requireCitations: 'paragraph' }, '```\nx', 5],
    ['nothing for want of citations', { ...bad, requireCitations: true }, 'One.\n\nTwo', 9],
    ['a line until the next one begins', { ...bad, release: 'line' }, 'One[^1].\nTwo', 9],
    ['a line whose end has just come', { ...bad, release: 'line' }, 'One[^1].\n', 0],
    ['a line with a marker below', { ...bad, release: 'line' }, 'One.\n\n [^1] it says.\n', 0],
    ['not one with a link below', { ...bad, release: 'line' }, 'One.\r\n- [link](x)', 6],
    ['a line in which inline code is open', { ...bad, release: 'line' }, 'One.\nUse `[^9] x\nThree', 5],
    ['the line of a number of unknown sources', { release: 'line' }, 'One.\nTwo[^1]\nThree', 5],
    ['not the lines of code', { ...bad, release: 'line' }, '```js\na[^9]\nb', 12],
    ['nothing but the line behind reasoning', { ...bad, release: 'line' }, '<think>x</think>One', 16],
    ['the line of a definition', { ...bad, release: 'line' }, 'One[^1].\nTwo.\n\n[^1]: a\n', 9],
  ])('holds %s', (_name, chosen, text, safe) => {
    expect(feed(machineOf(chosen), text.split('')).at(-1)?.safe).toBe(safe)
  })

  test('does not read the outline for good markers', () => {
    const machine = prepare(bad).incremental?.(context)
    const reader = new AnswerReader()
    for (const name of ['decided', 'marginFence', 'inlines', 'codeBlocks'])
      Object.defineProperty(reader, name, { get: () => expect.fail(`${name} is read`) })
    for (const chunk of 'One [^1], `two`, and\n\n- three [^2].\n'.split(/(?<= )/)) {
      reader.push(chunk)
      machine?.push(chunk, reader)
    }
  })
})

describe('a long stream stays linear', { timeout: 30_000 }, () => {
  const all = [
    { sources: 2 },
    { sources: 2, styles: ['caret', 'bracket', 'lenticular'], requireCitations: 'paragraph', dropUnsupported: true },
    { sources: 2, release: 'line' },
  ]
  test.each([
    '[^',
    '[^1',
    '[^a',
    '[*',
    '*',
    '&',
    '&#91;',
    '[&#94;',
    '\u200b',
    '1',
    '`',
    '`[^9]`',
    '`` ` ',
    '\\',
    '[^1] ',
    'x',
    '\n',
    '- `[^9]`\n',
    '[1, ',
    '[a](`',
    '<a b="`',
    '[`][',
    '<!--`',
    '`|',
    '[x]: `\n',
    '.',
    'x\n',
  ])('of %j', (unit) => {
    const text = `Text[^1] ${unit.repeat(Math.floor(300_000 / unit.length))}`
    const chunks = text.match(/[\s\S]{1,7}/g) ?? []
    for (const chosen of all) expect(feed(machineOf(chosen), chunks).length).toBeGreaterThan(0)
    expect(feed(machineOf({ sources: 2 }), [`[^${text}`]).length).toBe(1)
  })
})
