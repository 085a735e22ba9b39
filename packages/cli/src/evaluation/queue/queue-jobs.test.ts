import fc from 'fast-check'
import { expect, test } from 'vitest'
import { answerKey } from '../judging/verdict-journal.ts'
import { contractOf, isCarried, queueOf, readJob, writeJob } from './queue-jobs.ts'

/** What PostgreSQL rejects in jsonb. */
const isRejected = (json: string): boolean => /\\u0000|\\ud[89a-f]/i.test(json.replaceAll('\\\\', ''))

test('answers arrive as they were sent, with the same hash, or are not carried', () => {
  const text = fc.string({ unit: 'binary' }).map((one) => `${one}\0\ud800`)
  fc.assert(
    fc.property(fc.dictionary(text, fc.jsonValue()), text, (more, model) => {
      const judged = { fields: { ...more, text: model }, model }
      if (!isCarried(judged)) return
      const sent = JSON.stringify(writeJob({ run: 'r', isKept: true, answers: [judged] }))
      expect(isRejected(sent)).toBe(false)
      const job = readJob(JSON.parse(sent))
      expect(job).toEqual({ run: 'r', isKept: true, answers: [judged] })
      for (const answer of job?.answers ?? []) expect(answerKey(answer)).toEqual(answerKey(judged))
    }),
  )
})

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)

test.each([
  [JSON.parse('1e400'), false],
  [JSON.parse('-0'), false],
  [0, true],
  [nested(400), true],
  [nested(100_000), false],
])('whether an answer can be carried exactly, %#', (value, carried) => {
  expect(isCarried({ fields: { value } })).toBe(carried)
})

test.each([
  null,
  [],
  {},
  { run: 'r', isKept: true },
  { run: 'r', isKept: 1, answers: '[]' },
  { run: 'r', isKept: true, answers: [{ fields: {} }] },
  { run: 'r', isKept: true, answers: '{' },
  { run: 'r', isKept: true, answers: '[{"fields":7}]' },
])('what is not a job is not read as one, %#', (data) => {
  expect(readJob(data)).toBeUndefined()
})

test('queues of others are not ours', () => {
  expect([contractOf(queueOf('abc')), contractOf('other')]).toEqual(['abc', undefined])
})
