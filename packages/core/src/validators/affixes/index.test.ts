import { describe, expect, test } from 'vitest'
import { Answer } from '../../answer/answer.ts'
import { contract } from '../../catalogue.ts'
import type { RepairClass } from '../../contract/certificate.ts'
import { check } from '../../engine/check/check.ts'
import { enforceStream } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import { scripted } from '../../runners/scripted.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { affixes } from './index.ts'

type Options = NonNullable<Parameters<typeof affixes>[0]>
const codes = async (text: string | Answer, options: Options) =>
  (await check(contract({ checks: [affixes(options)] }), text)).issues.map(({ code }) => code)

describe('affixes', () => {
  test.each<[string, Options, string[]]>([
    ['I think so', { starts: 'I think' }, []],
    ['\n i THINK so', { starts: ' I think ' }, []],
    ['<think>x</think>\n\nI think so', { starts: 'I think' }, []],
    ['<think>İİİ</think>I think so', { starts: 'I think' }, []],
    ['I THINK so', { starts: 'I think', caseSensitive: true }, ['WRONG_START']],
    ['Well, I think so', { starts: 'I think' }, ['WRONG_START']],
    ['I thi', { starts: 'I think' }, ['WRONG_START']],
    ['', { starts: 'I think' }, ['WRONG_START']],
    ['So be it. PEACE!\n', { ends: 'Peace!' }, []],
    ['"So be it. Peace!"', { ends: 'Peace!' }, []],
    ['He said "peace"', { ends: '"peace"' }, []],
    ['So be it.', { ends: 'Peace!' }, ['WRONG_END']],
    ['ΟΔΟΣ', { ends: 'οδος' }, []],
    [' "quoted" ', { wrappedIn: '"' }, []],
    ['"', { wrappedIn: '"' }, ['NOT_WRAPPED']],
    ['"a', { wrappedIn: '"' }, ['NOT_WRAPPED']],
    ['a"', { wrappedIn: '"' }, ['NOT_WRAPPED']],
    ['(a)', { wrappedIn: ['(', ')'] }, []],
    ['" Yes, go. "', { wrappedIn: '"', starts: 'yes', ends: 'go.' }, []],
    ['"No, stay."', { wrappedIn: '"', starts: 'yes', ends: 'go.' }, ['WRONG_START', 'WRONG_END']],
  ])('%j under %j', async (text, options, expected) => {
    expect(await codes(text, options)).toEqual(expected)
  })

  test('asks for no end before the tools have answered', async () => {
    const turn = (text: string) => new Answer(text, { toolCalls: [{ name: 'f', arguments: '{}' }] })
    expect(await codes(turn(''), { starts: 'Yes', ends: 'Done.', wrappedIn: '"' })).toEqual([])
    expect(await codes(turn('No'), { starts: 'Yes', ends: 'Done.' })).toEqual(['WRONG_START'])
  })

  test('says what is there', async () => {
    const { issues } = await check(contract({ checks: [affixes({ starts: 'Yes', ends: 'Done.' })] }), 'No, this is all.')
    expect(issues.map(({ message }) => message)).toEqual([
      'Start the answer with "Yes"; it starts with "No, this is all.".',
      'End the answer with "Done."; it ends with "No, this is all.".',
    ])
  })

  test.each([
    [
      'whole words',
      `No, ${'these are many words, '.repeat(5)}and this is how it ends.`,
      '"No, these are many words, these are…"',
      '"…many words, and this is how it ends."',
    ],
    ['one long word', 'x'.repeat(200), `"${'x'.repeat(39)}…"`, `"…${'x'.repeat(39)}"`],
    ['characters of two units', '😀'.repeat(60), `"${'😀'.repeat(19)}…"`, `"…${'😀'.repeat(19)}"`],
  ])('quotes %s, with a mark where it cuts', async (_name, text, start, end) => {
    const { issues } = await check(contract({ checks: [affixes({ starts: 'Yes', ends: 'Done.' })] }), text)
    expect(issues.map(({ message }) => message)).toEqual([
      `Start the answer with "Yes"; it starts with ${start}.`,
      `End the answer with "Done."; it ends with ${end}.`,
    ])
  })

  test.each([
    ['a text', 'Put the whole answer between "*" and "*"; it starts with "a text".'],
    ['*a text', 'Put the whole answer between "*" and "*"; it ends with "*a text".'],
  ])('says at which end %j is not wrapped', async (text, message) => {
    const { issues } = await check(contract({ checks: [affixes({ wrappedIn: '*' })] }), text)
    expect(issues.map((one) => one.message)).toEqual([message])
  })

  test('options that make no sense are configuration errors', () => {
    for (const options of [
      {},
      { starts: ' ' },
      { ends: '' },
      { wrappedIn: ['('] },
      { wrappedIn: 1 },
      { start: 'a' },
      { caseSensitive: true },
    ])
      expect(() => contract({ checks: [{ affixes: options as object }] }), JSON.stringify(options)).toThrow(/affixes/)
  })
})

describe('the repair of affixes', () => {
  const repaired = async (text: string, options: Options, allow: RepairClass[] = ['lossless', 'guess']) => {
    const { status, text: after, repairs } = await settle(contract({ checks: [affixes(options)], allow }), text)
    return status === 'repaired' ? `${repairs.map((one) => one.class).join()}: ${after}` : status
  }

  test.each<[string, Options, string]>([
    ['so', { starts: 'I think' }, 'guess: I think so'],
    ['<think>x</think>\nso', { starts: 'Summary:' }, 'guess: <think>x</think>\nSummary:\n\nso'],
    ['I THINK so', { starts: 'I think', caseSensitive: true }, 'lossless: I think so'],
    ['So be it.\n', { ends: 'Peace!' }, 'guess: So be it.\n\nPeace!\n'],
    ['Cities', { ends: 'in India.' }, 'guess: Cities in India.'],
    ['a', { wrappedIn: '"' }, 'guess,guess: "a"'],
    ['"a', { wrappedIn: '"' }, 'guess: "a"'],
    ['"No"', { wrappedIn: '"', starts: 'Yes:', ends: 'Done.' }, 'guess,guess: "Yes:\n\nNo\n\nDone."'],
    ['No', { wrappedIn: ['(', ')'], starts: 'yes', ends: 'done' }, 'guess,guess: (yes No done)'],
    [' \n', { starts: 'I think' }, 'unresolved'],
  ])('%j under %j', async (text, options, expected) => {
    expect(await repaired(text, options)).toBe(expected)
  })

  test('adds nothing unless a guess is allowed', async () => {
    expect(await repaired('so', { starts: 'I think' }, ['lossless', 'lossy'])).toBe('unresolved')
  })
})

describe('affixes in a stream', () => {
  const streamed = async (text: string, options: Options, allow: RepairClass[]) => {
    const runner = scripted([{ text, chunkSize: 1 }])
    const answer = enforceStream({ contract: contract({ checks: [affixes(options)], allow, retries: 0 }), runner, prompt: '' })
    let shown = ''
    for await (const piece of answer) shown += piece
    return [(await answer.outcome).status, shown, runner.calls[0]?.taken]
  }

  test('L43 stops at the first character of a wrong start, and shows nothing', async () => {
    expect(await streamed('I thank you for that', { starts: 'I think' }, ['lossless'])).toEqual(['unresolved', '', 5])
    expect(await streamed('Quoted', { wrappedIn: '"' }, ['lossless'])).toEqual(['unresolved', '', 1])
    expect(await streamed('I THINK so', { starts: 'I think', caseSensitive: true }, ['lossless'])).toEqual(['repaired', 'I think so', 10])
    expect(await streamed('I thank', { starts: 'I think' }, ['guess'])).toEqual(['repaired', 'I think I thank', 7])
  })
})

test('says everything in both languages', async () => {
  expect(
    await localeFaults('affixes', [
      { options: { starts: 'Ja', ends: 'Gut.' }, text: 'Nein' },
      { options: { wrappedIn: '"' }, text: 'Nein' },
    ]),
  ).toEqual([])
})
