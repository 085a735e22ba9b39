import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { contract } from '../../catalogue.ts'
import type { RepairClass } from '../../contract/certificate.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import { scripted } from '../../runners/scripted.ts'
import { assertStreamable } from '../../testing/assert-streamable.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { oneOf } from './index.ts'

const values = ['yes', 'no', 'not sure', 'N/A', '...']
const rule = (allow: RepairClass[] = ['lossless'], caseSensitive = true) => contract({ checks: [oneOf({ values, caseSensitive })], allow })

describe('one_of', () => {
  test.each([
    ['yes', 'valid', 'yes'],
    [' \nnot sure\n', 'valid', ' \nnot sure\n'],
    ['<think>no</think>yes', 'valid', '<think>no</think>yes'],
    ['Yes.', 'repaired', 'yes'],
    ['**Not  sure!**\n', 'repaired', 'not sure\n'],
    ['"n/a"', 'repaired', 'N/A'],
    ['...', 'valid', '...'],
    ['yse', 'unresolved', 'yse'],
    ['yes and no', 'unresolved', 'yes and no'],
    ['', 'unresolved', ''],
  ])('%j is %s', async (text, status, expected) => {
    const settled = await settle(rule(), text)
    expect([settled.status, settled.text]).toEqual([status, expected])
  })

  test.each([
    ['not shure', 'not sure'],
    ['The answer is: yes, of course', 'yes'],
    ['I am not sure about it', 'not sure'],
    ['yes or no', undefined],
    ['something else entirely', undefined],
  ])('guesses at %j where it may', async (text, expected) => {
    const { status, text: after, repairs } = await settle(rule(['lossless', 'guess']), text)
    expect(status).toBe(expected === undefined ? 'unresolved' : 'repaired')
    if (expected !== undefined) expect([after, repairs.map((one) => one.class)]).toEqual([expected, ['guess']])
  })

  test.each([
    [['Mg', 'mg'], '"Mg"', 'Mg'],
    [['mg', 'Mg'], '**mg**.', 'mg'],
    [['Mg', 'mg'], 'MG', undefined],
    [['5', '5!'], '"5"', '5'],
    [['5', '5!'], '`5!`', '5!'],
    [['no', 'No.'], '"no"', 'no'],
    [['no', 'No.'], 'No', undefined],
    [['(a)', '[a]'], '(a).', '(a)'],
    [['(a)', '[a]'], 'a', undefined],
  ])('L90 of %j takes for %j the value that it is, or none', async (given, text, expected) => {
    const { status, text: final } = await settle(contract({ checks: [oneOf({ values: given })], allow: ['lossless', 'guess'] }), text)
    expect([status, final]).toEqual(expected === undefined ? ['unresolved', text] : ['repaired', expected])
  })

  test.each([
    [['bug', 'feature'], 'It is not a bug'],
    [['bug', 'feature'], 'This isn’t a bug.'],
    [['bug', 'feature'], 'Das ist kein Bug'],
    [['yes', 'no'], 'definitely not yes'],
    [['yes', 'no'], 'not no'],
    [['sure', 'not sure'], 'never sure'],
  ])('L91 of %j guesses nothing from %j, which denies it', async (given, text) => {
    const { status, text: after } = await settle(contract({ checks: [oneOf({ values: given })], allow: ['lossless', 'guess'] }), text)
    expect([status, after]).toEqual(['unresolved', text])
  })

  const labels = ['offensive', 'not offensive', 'neutral', 'bug', 'bug report', 'yes', 'no']

  test.each([
    ['It is a bug. The team should not worry about other systems.', 'bug'],
    ['The ticket describes a crash. I would call it a bug, since it is new.', 'bug'],
    ['Sure!\n\nThe label is **neutral**, as offensive words are quoted only.', 'neutral'],
    ['Answer: __neutral__\n\nAn offensive text would attack somebody.', 'neutral'],
    ['**Label:** neutral\n**Reason:** It attacks nobody.', 'neutral'],
    ['Category: bug\nReason: it does not start any more', 'bug'],
    ['The text is not offensive.', 'not offensive'],
    ['Das ist ein Bug. Es ist kein Wunsch.', 'bug'],
    ['This is a bug-report.', 'bug report'],
    ['No, this is not allowed.', 'no'],
    ['Yes. There is nothing against it.', 'yes'],
    ['{"label": "bug"}', 'bug'],
    ['**offensive** and **neutral** are close here.', undefined],
    ['It is neutral. Some would say **offensive**.', undefined],
    ['It may be a bug or neutral. I would say a bug.', undefined],
    ['It is a bug. On second thoughts it is not a bug.', undefined],
    ['Is it a bug? That depends on the version.', undefined],
    ['A bug. Not at all.', undefined],
    ['Bug: no', undefined],
    ['If it were a bug, it would crash.', undefined],
    ['Rather than a bug, this is a wish.', undefined],
    ['This is anything but neutral.', undefined],
    ['It isn’t **neutral** in tone.', undefined],
    ['It is no longer a bug.', undefined],
    ['Neither a bug nor anything else.', undefined],
    ['Das ist weder ein Bug noch ein Wunsch.', undefined],
    ['Das ist alles andere als neutral.', undefined],
    ['Statt eines Fehlers, also eines Bug, ist es ein Wunsch.', undefined],
    ['Ce n’est ni un bug ni une demande.', undefined],
    ['Call me Ishmael. I went to sea. The ship was old. It had a bug.', undefined],
    ['It is bug-free now.', undefined],
    ['It is debugged.', undefined],
    ['A non-neutral text.', undefined],
  ])('L104 names in %j: %s', async (text, expected) => {
    const {
      status,
      text: after,
      repairs,
    } = await settle(contract({ checks: [oneOf({ values: labels })], allow: ['lossless', 'guess'] }), text)
    expect([status, after]).toEqual(expected === undefined ? ['unresolved', text] : ['repaired', expected])
    if (expected !== undefined) expect(repairs).toMatchObject([{ class: 'guess', before: text, after: expected }])
  })

  test.each([
    [['yes', 'no'], 'No idea.', undefined],
    [['yes', 'no'], 'No way to know.', undefined],
    [['yes', 'no'], 'There is no clear evidence.', undefined],
    [['spam', 'ham'], 'I doubt this is spam.', undefined],
    [['spam', 'ham'], 'The sender claims this is spam.', undefined],
    [['spam', 'ham'], 'It is a spam filter.', undefined],
    [['spam', 'ham'], 'Examples: spam', undefined],
    [['spam', 'ham'], 'I doubt this is **spam**.', undefined],
    [['offensive', 'neutral'], 'The opposite of offensive.', undefined],
    [['approve', 'reject'], 'Before we approve anything, more data is needed.', undefined],
    [['open', 'closed'], 'We should open a ticket first.', undefined],
    [['open', 'closed'], 'This is open to debate.', undefined],
    [['positive', 'negative'], 'The customer hoped for a positive experience but was let down badly.', undefined],
    [['positive', 'negative'], 'A **positive experience** was hoped for.', undefined],
    [['positive', 'negative'], 'The sentiment of this review is clearly positive.', 'positive'],
    [['positive', 'negative'], 'Based on the text, the sentiment is positive.', 'positive'],
    [['positive', 'negative'], 'I would classify this review as positive because it praises the food.', 'positive'],
    [['positive', 'negative'], 'Sentiment – positive', 'positive'],
    [['spam', 'ham'], 'I think this is spam.', 'spam'],
    [['spam', 'ham'], "It's spam.", 'spam'],
    [['spam', 'ham'], 'Die Antwort lautet: Spam', 'spam'],
    [['spam', 'ham'], 'Spam: it sells watches.', 'spam'],
    [['open', 'closed'], 'The ticket should be labeled as **open**.', 'open'],
  ])('L110 of %j takes from %j only what it states', async (given, text, expected) => {
    const { status, text: after } = await settle(contract({ checks: [oneOf({ values: given })], allow: ['lossless', 'guess'] }), text)
    expect([status, after]).toEqual(expected === undefined ? ['unresolved', text] : ['repaired', expected])
  })

  test.each([
    [['valid', 'other'], 'invalid'],
    [['valid', 'other'], 'Invalid.'],
    [['invalid', 'other'], 'valid'],
    [['offensive', 'other'], 'inoffensive'],
  ])('L105 of %j takes none for its opposite, %j', async (given, text) => {
    const { status } = await settle(contract({ checks: [oneOf({ values: given })], allow: ['lossless', 'guess'] }), text)
    expect(status).toBe('unresolved')
  })

  test('L92 no repair swaps one allowed value for another', async () => {
    const word = fc.constantFrom('a', 'A', 'b', 'Mg', 'mg', '5', 'no')
    const around = fc.constantFrom(['', ''], ['(', ')'], ['[', ']'], ['"', '"'], ['', '.'], ['', '!'], ['**', '**'], [' ', '\n'])
    const dress = (inner: fc.Arbitrary<string>) => fc.tuple(around, inner).map(([[before, after], text]) => `${before}${text}${after}`)
    const value = dress(word)
    const bare = (text: string) => text.replace(/[\p{P}\s]/gu, '').toLowerCase()
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(value, { minLength: 1, maxLength: 5, selector: (text) => text.trim() }),
        dress(value),
        async (given, said) => {
          const { status, text: final } = await settle(contract({ checks: [oneOf({ values: given })] }), said)
          const trimmed = given.map((one) => one.trim())
          const sameBare = trimmed.filter((one) => bare(one) === bare(said))
          if (trimmed.includes(said.trim())) expect([status, final]).toEqual(['valid', said])
          if (status !== 'repaired') return
          expect(sameBare).toContain(final.trim())
          // Of several it is one that the answer holds, letter for letter.
          if (sameBare.length > 1) expect(said).toContain(final.trim())
        },
      ),
      { numRuns: 300 },
    )
  })

  test.each([
    ['It is a bug', 1989, 'bug'],
    ['It is a bug', 1995, undefined],
    // A sentence that is cut there could say anything.
    ['It is a bugfix', 1989, undefined],
    ['It is a bug filter', 1989, undefined],
    ['It is a bug. More words', 1987, 'bug'],
  ])('reads the first 2000 characters only: %j from %i on', async (said, at, expected) => {
    const text = `${'word '
      .repeat(1000)
      .slice(0, at - 2)
      .trimEnd()
      .padEnd(at - 2, 'x')}. ${said}`
    const { status, text: after } = await settle(contract({ checks: [oneOf({ values: ['bug', 'feature'] })], allow: ['guess'] }), text)
    expect([status, after]).toEqual(expected === undefined ? ['unresolved', text] : ['repaired', expected])
  })

  test('takes any case as it is when case does not matter', async () => {
    expect((await settle(rule([], false), 'YES')).text).toBe('YES')
    expect((await check(rule(), 'Yess')).issues).toMatchObject([
      {
        message: 'Answer with exactly yes, no, "not sure", N/A or ...; the answer is "Yess".',
        suggestion: 'yes',
        hint: 'Probably meant: yes. Write nothing before or after it: no explanation, no quotes, no full stop.',
      },
    ])
  })

  test.each([
    ['Feature.', 'the answer is "Feature.".'],
    ['spam', 'the answer is "spam".'],
    ['', 'the answer is "".'],
    ['Sure!\n\nIt depends.', 'the answer begins with "Sure!".'],
    [
      'It is difficult to determine the exact cause of the red spot and of the pink bump.',
      'the answer begins with "It is difficult to determine the exact cause of the red…".',
    ],
    ['x'.repeat(500), `the answer begins with "${'x'.repeat(59)}…".`],
  ])('L109 shows of %j whole words of its first line', async (text, expected) => {
    const { issues } = await check(contract({ checks: [oneOf({ values: ['bug', 'wish'] })] }), text)
    expect(issues.map(({ message }) => message)).toEqual([`Answer with exactly bug or wish; ${expected}`])
  })

  test('waits for the answer while tools are called', async () => {
    expect((await check(rule(), new Answer('', { toolCalls: [{ name: 'f', arguments: '{}' }] }))).issues).toEqual([])
  })

  test.each([{}, { values: [] }, { values: ['a', ' a '] }, { values: [' '] }, { values: [1] }, { value: ['a'] }])(
    '%j is a configuration error',
    (options) => {
      expect(() => contract({ checks: [{ one_of: options as never }] })).toThrow(/one_of/)
    },
  )

  test('L51 stops a stream with the first character that no value has', async () => {
    const runner = scripted([{ text: 'not really, because it depends', chunkSize: 1 }])
    const answer = enforceStream({ contract: contract({ checks: [oneOf({ values })], retries: 0 }), runner, prompt: '' })
    for await (const piece of answer) expect.unreachable(piece)
    expect([(await answer.outcome).status, runner.calls[0]?.taken]).toEqual(['unresolved', 5])
  })

  test('waits for the value behind what stands around it', async () => {
    for (const text of ['*yes*', '("no")', '...', '. . yes']) await assertStreamable(rule(), text)
  })

  test('L52 stays repaired', async () => {
    const piece = fc.constantFrom(
      'yes',
      'Yes',
      'no',
      ' ',
      'not',
      'sure',
      '"',
      '.',
      '*',
      'N/A',
      '\n',
      '<think>',
      '</think>',
      'x',
      '👍',
      '(',
      'ſ',
    )
    const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
    const allow = fc.subarray<RepairClass>(['lossless', 'guess'])
    await fc.assert(
      fc.asyncProperty(text, allow, fc.boolean(), async (said, classes, isSensitive) => {
        const { status, text: after } = await settle(rule(classes, isSensitive), said)
        if (status === 'repaired') expect((await check(rule(classes, isSensitive), after)).issues).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  test('a flood costs no more than a word', { timeout: 10_000 }, async () => {
    for (const flood of [' '.repeat(1e6), '"'.repeat(1e6), 'yes'.repeat(1e6), `${' '.repeat(1e6)}yes`])
      await assertStreamable(rule(), flood, [20])
  })
})

test('says everything in both languages', async () => {
  expect(
    await localeFaults('one_of', [
      { options: { values: ['ja', 'nein'] }, text: 'Nein.' },
      { options: { values: ['ja'] }, text: 'vielleicht' },
    ]),
  ).toEqual([])
})
