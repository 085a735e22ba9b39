import { catalogue } from '@stickler/presets'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { fullIssue, fullRun, sampleRun } from '../../testing/store-fixtures.ts'
import type { Column, Group, List } from './run-record.ts'
import { countsOf, keptAudit, keptRun, recordLimits } from './stored-record.ts'

describe('keptRun', () => {
  test('keeps everything where texts are kept', () => {
    expect(keptRun(fullRun(1), true)).toEqual(fullRun(1))
    expect(countsOf(fullRun(1))).toEqual({ attempts: 2, issues: 1, fixed: 1, repairs: 1 })
  })

  test('takes out every text of the model, and nothing else', () => {
    const run = fullRun(1)
    const repairs = [
      { ...run.repairs[0], rule: 'r', class: 'guess', span: { start: 0, end: 2 }, before: 'old', after: 'new', calls: [] },
    ] as const
    const kept = keptRun({ ...run, repairs }, false)
    expect(kept.text).toBeUndefined()
    for (const attempt of kept.attempts) expect(attempt.text).toBeUndefined()
    expect(JSON.stringify(kept)).not.toMatch(/eins|zwei|kürzer|old|new/)
    expect(kept.repairs).toMatchObject([{ rule: 'r', class: 'guess', span: { start: 0, end: 2 } }])
    const [issue] = kept.issues
    const { code, severity, validator, span } = fullIssue
    const message = 'The answer has more words than the limit.'
    expect(issue).toEqual({ code, severity, validator, span, message, path: ['*', 0] })
    expect(keptRun({ ...run, repairs }, false, (contract, name) => contract === run.contract && name === 'steps').issues[0]?.path).toEqual([
      'steps',
      0,
    ])
    expect(keptRun(kept, false)).toEqual(kept)
    expect(run.text).toBe('zwei')
  })

  test('bounds lists, tells their true lengths, and tells them again when it is applied again', () => {
    const many = Array.from({ length: 5000 }, () => fullIssue)
    const attempts = Array.from({ length: 5000 }, (_, index) => ({ number: index, call: 'run' as const, ms: 1, issues: many }))
    const run = sampleRun(1, { attempts, issues: many, fixed: many })
    const kept = { ...keptRun(run, true), counts: countsOf(run) }
    expect(kept.attempts).toHaveLength(recordLimits.attempts)
    expect([kept.issues, kept.fixed, kept.attempts[0]?.issues].map((list) => list?.length)).toEqual([200, 200, 200])
    expect(kept.counts).toEqual({ attempts: 5000, issues: 5000, fixed: 5000, repairs: 0 })
    expect([keptRun(kept, true), countsOf(kept)]).toEqual([kept, kept.counts])
  })
})

describe('a member that is added to the table', () => {
  afterEach(() => {
    vi.doUnmock('./run-record.ts')
    vi.resetModules()
  })

  const text = { column: 'note', kind: 'text', says: 'a note' } as const
  const whole = { column: 'notes', kind: 'whole', says: 'notes' } as const
  test.each<[string, Column | Group | List, value: unknown, kept: unknown]>([
    ['text', { ...text, optional: true }, 'canary', undefined],
    ['text that every run has', text, 'canary', ''],
    ['sentence', { ...text, kind: 'sentence', optional: true }, 'canary', undefined],
    ['JSON', { ...text, kind: 'json', optional: true }, { said: 'canary' }, undefined],
    ['JSON that every run has', { ...text, kind: 'json' }, ['canary'], []],
    ['list', { count: whole }, [{ said: 'canary' }], []],
    ['group with a text', { parts: { whole, text }, optional: true }, { whole: 1, text: 'canary' }, { whole: 1, text: '' }],
    ['group without a text', { parts: { whole } }, { whole: 1 }, { whole: 1 }],
    ['number', whole, 7, 7],
    ['name', { ...text, kind: 'name' }, 'mine', 'mine'],
  ])('is kept without words: %s', async (_kind, note, value, expected) => {
    vi.resetModules()
    vi.doMock('./run-record.ts', async (original) => {
      const real = await original<typeof import('./run-record.ts')>()
      return { ...real, runMembers: { ...real.runMembers, note }, attemptMembers: { ...real.attemptMembers, note } }
    })
    const { keptRun: keptAgain } = await import('./stored-record.ts')
    const plain = sampleRun(1)
    const attempts = plain.attempts.map((attempt) => ({ ...attempt, note: value }))
    const kept = keptAgain({ ...plain, note: value, attempts } as typeof plain, false)
    expect([kept, ...kept.attempts].map((one) => (one as { readonly note?: unknown }).note)).toEqual([expected, expected])
  })
})

test.each([
  [true, { answer: 'a', question: 'q', ts: 1 }, { answer: 'a', question: 'q', ts: 1 }],
  [false, { answer: 'a', question: 'q', ts: 1 }, { ts: 1 }],
  [false, { answer: null, ts: 1 }, { ts: 1 }],
  [false, { ts: 1 }, { ts: 1 }],
  [
    false,
    { errors: [{ kind: 'malformed', detail: 'x' }], failure: { kind: 'http', detail: 'y' } },
    { errors: [{ kind: 'malformed', detail: '' }], failure: { kind: 'http', detail: '' } },
  ],
  [false, { errors: [], failure: null }, { errors: [], failure: null }],
])('keptAudit(%s) of %j', (keepText, row, expected) => {
  expect(keptAudit(row, keepText)).toEqual(expected)
})

test.each(catalogue.validators.flatMap(({ definition: { name, codes } }) => Object.keys(codes).map((code) => [name, code] as const)))(
  'an issue of %s with %s is kept with the sentence of its code',
  (validator, code) => {
    const issues = [{ code, severity: 'error' as const, validator, message: 'something' }]
    const [kept] = keptRun(sampleRun(1, { issues }), false).issues
    expect(kept?.message).toMatch(/^(?!something)./)
  },
)

test('words of providers, checks and custom validators are not kept without texts', () => {
  const failure = { kind: 'http', message: 'the provider said something', status: 400 }
  const unchecked = [{ validator: 'mine', cause: 'crash' as const, message: 'something is not JSON' }]
  const issues = [{ code: 'MINE', severity: 'error' as const, validator: 'mine', message: 'something', path: ['something', 2] }]
  const attempts = [{ number: 1, call: 'run' as const, ms: 1, issues, finishReason: 'something was said' }]
  const kept = keptRun(sampleRun(1, { failure, unchecked, issues, attempts }), false)
  expect(kept).toMatchObject({
    failure: { kind: 'http', status: 400, message: 'the provider answered with status 400' },
    unchecked: [{ validator: 'mine', cause: 'crash', message: 'The check failed.' }],
    issues: [{ code: 'MINE', message: '', path: ['*', 2] }],
  })
  expect(JSON.stringify(kept)).not.toContain('something')
})
