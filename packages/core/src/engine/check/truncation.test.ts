import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { contract } from '../../../../presets/src/testing/contract.ts'
import { Answer } from '../../answer/answer.ts'
import type { FinishMissing } from '../../answer/finish-reason.ts'
import { type FinishKind, finishWords } from '../../answer/finish-reason-table.ts'
import { scripted } from '../../runners/scripted.ts'
import { messageFaults } from '../../testing/message-faults.ts'
import { maxWords } from '../../validators/max-words.ts'
import { enforce, enforceStream } from '../enforce.ts'
import type { Outcome } from '../outcome.ts'
import type { ModelEvent, Runner } from '../runner.ts'
import { check } from './check.ts'
import { statusOf } from './report.ts'

const words = new Map<string, FinishKind>(Object.values(finishWords).flatMap((one) => Object.entries(one)))
const codes: Readonly<Record<FinishKind, string | undefined>> = {
  complete: undefined,
  calls: undefined,
  paused: undefined,
  length: 'TRUNCATED',
  interrupted: 'TRUNCATED',
  error: 'TRUNCATED',
  filter: 'REFUSED',
  refusal: 'REFUSED',
}
const rules = contract({ checks: [maxWords({ limit: 5 })], retries: 0 })

async function judged(finishReason: string): Promise<readonly unknown[]> {
  const report = await check(rules, new Answer('Use spaces.', { finishReason }))
  const whole = await enforce({ contract: rules, runner: scripted([{ text: 'Use spaces.', finishReason }]), prompt: '' })
  const stream = enforceStream({ contract: rules, runner: scripted([{ text: 'Use spaces.', finishReason }]), prompt: '' })
  for await (const _piece of stream);
  const outcomes: Outcome[] = [whole, await stream.outcome]
  for (const { issues, unchecked } of outcomes)
    expect({ issues, unchecked }).toEqual({ issues: report.issues, unchecked: report.unchecked })
  return [statusOf(report, []), ...outcomes.map(({ status }) => status), ...outcomes.map(({ delivered }) => delivered)]
}

test.each([...words].filter(([, kind]) => codes[kind] !== undefined))('a model can follow what is said of %s', async (finishReason) => {
  for (const locale of ['en', 'de'] as const) {
    const { issues } = await check(contract({ checks: [maxWords({ limit: 5 })], locale }), new Answer('<think>So', { finishReason }))
    expect(issues.map(({ code }) => code)).toContain('UNCLOSED_REASONING')
    expect(issues.flatMap(({ message, hint }) => messageFaults({ message, hint, data: '' }))).toEqual([])
  }
})

describe('every way in says the same of an end', () => {
  test.each([...words])('%s is %s', async (word, kind) => {
    const status = codes[kind] === undefined ? 'valid' : 'unresolved'
    expect(await judged(word)).toEqual([status, status, status, status === 'valid', status === 'valid'])
    const { issues } = await check(rules, new Answer('Use spaces.', { finishReason: word }))
    expect(issues.map(({ code }) => code)).toEqual(codes[kind] === undefined ? [] : [codes[kind]])
  })

  test.each([...words])(
    'where being cut off at the limit is a warning, %s (%s) is an error still unless it is that',
    async (word, kind) => {
      const warned = contract({ checks: [], truncated: 'warning' })
      const { issues } = await check(warned, new Answer('Use spaces.', { finishReason: word }))
      const code = codes[kind]
      expect(issues.map(({ code: found, severity }) => [found, severity])).toEqual(
        code === undefined ? [] : [[code, kind === 'length' ? 'warning' : 'error']],
      )
    },
  )

  it('is not repaired where being cut off is a warning', async () => {
    const warned = contract({ checks: ['step_marker'], truncated: 'warning', retries: 0 })
    const cut = { text: 'Use spaces.', finishReason: 'length' }
    const outcome = await enforce({ contract: warned, runner: scripted([cut]), prompt: '' })
    expect(outcome).toMatchObject({ status: 'unresolved', repairs: [] })
    expect(outcome.issues.map(({ code }) => code)).toEqual(['TRUNCATED', 'MISSING_STEP_MARKER'])
  })

  it.each([
    ['error', '{"a": "b', ['error truncation']],
    ['warning', '{"a": "b', ['warning truncation', 'error json']],
    ['error', '{"a": "b"}', ['error truncation']],
    ['warning', '{"a": "b"}', ['warning truncation']],
  ] as const)('one cut is one error: truncated as %s, %s', async (truncated, text, expected) => {
    const { issues } = await check(contract({ checks: ['json'], truncated }), new Answer(text, { finishReason: 'length' }))
    expect(issues.map(({ code, severity, validator }) => `${severity} ${validator}${code === 'TRUNCATED' ? '' : code}`)).toEqual(expected)
  })

  it('an unknown word is unchecked, and withheld', async () => {
    const letters = fc.array(fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz_'.split('')), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(letters, async (list) => {
        const word = list.join('')
        fc.pre(!words.has(word) && word !== 'null' && !word.startsWith('reason_'))
        expect(await judged(word)).toEqual(['unchecked', 'unchecked', 'unchecked', false, false])
      }),
      { numRuns: 200 },
    )
  })
})

function endingWith(end: Omit<Extract<ModelEvent, { type: 'end' }>, 'type'>): Runner {
  async function* play(): AsyncGenerator<ModelEvent> {
    yield { type: 'text', text: 'Use spaces.' }
    yield { type: 'end', ...end }
  }
  return { run: play, continue: play }
}

test.each<[string, { finishMissing?: FinishMissing }, string, string[]]>([
  ['a provider that always says it', { finishMissing: 'unexpected' }, 'unchecked', []],
  ['a provider that does not always say it', { finishMissing: 'usual' }, 'valid', ['FINISH_REASON_MISSING']],
  ['a runner that has nobody to say it', {}, 'valid', []],
])('no word from %s', async (_name, end, status, expected) => {
  const outcome = await enforce({ contract: rules, runner: endingWith(end), prompt: '' })
  expect([outcome.status, outcome.issues.map(({ code }) => code)]).toEqual([status, expected])
})

test('a repair does not make an end better that nobody knows', async () => {
  const marked = contract({ checks: ['step_marker'], retries: 0 })
  for (const end of [{ finishReason: 'who_knows' }, { finishMissing: 'unexpected' as const }]) {
    const outcome = await enforce({ contract: marked, runner: endingWith(end), prompt: '' })
    expect(outcome).toMatchObject({ status: 'unchecked', delivered: false, unchecked: [{ validator: 'truncation' }] })
  }
})

test('a value of an answer that is withheld is not handed out', async () => {
  const data = contract({ checks: ['json'], retries: 0 })
  const answer = { text: '{"a": 1}', finishReason: 'who_knows' }
  expect(await enforce({ contract: data, runner: scripted([answer]), prompt: '' })).not.toHaveProperty('value')
  const open = contract({ checks: ['json'], retries: 0, unchecked: 'deliver' })
  expect(await enforce({ contract: open, runner: scripted([answer]), prompt: '' })).toMatchObject({ delivered: true, value: { a: 1 } })
})

test('the message quotes a word that is no word without breaking out of its line', async () => {
  const { unchecked } = await check(rules, new Answer('Use spaces.', { finishReason: `a\n"b\u202e${'x'.repeat(500)}` }))
  expect(unchecked[0]?.message).toMatch(/^"a\\n\\"b\\u202ex+…" is not a known finish reason$/)
})

describe('reasoning that never ends hides nothing', () => {
  const cited = contract({ preset: 'reddb', retries: 0 })
  const context = { sources: 1 }

  test.each([
    '<think>Bad claim[^9].',
    '<thinking>Hm.</think>Bad claim[^9].',
    '<think>Hm.</think >Bad claim[^9].',
    '<think>Hm.</ think>Bad claim[^9].',
    '\n <Reasoning>Hm.</thinking>Bad claim[^9].',
    '<think>',
  ])('%j', async (text) => {
    for (const finishReason of ['stop', 'length']) {
      const { issues } = await check(cited, new Answer(text, { finishReason }), { context })
      expect(issues).toContainEqual(expect.objectContaining({ code: 'UNCLOSED_REASONING', severity: 'error' }))
    }
    const whole = await enforce({ contract: cited, runner: scripted([text]), prompt: '', context })
    const stream = enforceStream({ contract: cited, runner: scripted([text]), prompt: '', context })
    for await (const _piece of stream);
    for (const { status, delivered } of [whole, await stream.outcome])
      expect({ status, delivered }).toEqual({ status: 'unresolved', delivered: false })
  })

  test.each(['<think>Hm[^9].</think>Good[^1].', '<thinking is hard', '<thinker>So[^1].', 'See <think>[^1]'])(
    '%j has nothing of that kind',
    async (text) => {
      const { issues } = await check(cited, text, { context })
      expect(issues).toEqual([])
    },
  )

  test('is not repaired', async () => {
    const marked = contract({ preset: 'helix', checks: ['step_marker'], retries: 0 })
    const outcome = await enforce({ contract: marked, runner: scripted(['<think>Hm.\n<!-- STEP: done -->']), prompt: '' })
    expect(outcome).toMatchObject({ status: 'unresolved', repairs: [] })
  })
})
