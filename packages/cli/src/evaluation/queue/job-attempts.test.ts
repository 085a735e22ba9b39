import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { testEngines } from '../../../../gateway/src/testing/store-engines.ts'
import type { Verdict } from '../verdict.ts'
import type { JudgingSlot, SlotResult } from './judging-slot.ts'
import { openQueueDatabase, type QueueDatabase } from './queue-database.ts'
import { jobOptions, mostAttempts, queueOf, writeJob } from './queue-jobs.ts'
import { addResults, findResults, resultKey } from './queue-results.ts'
import { workOffJob } from './work-off-job.ts'

const engine = testEngines().find(({ name }) => name === 'postgres')
beforeAll(() => engine?.start())
afterAll(() => engine?.stop())

const queue = queueOf('x')
const scope = { contract: 'x', run: 'r', isKept: true }
const verdict: Verdict = {
  ...{ status: 'valid', delivered: true, action: 'deliver' },
  ...{ errors: [], fixed: [], warnings: [], repairs: [], unchecked: [] },
}
const crash: Verdict = { ...verdict, status: 'unchecked', unchecked: ['worker crash'] }

/** A database with one job of these texts. */
async function withJob(texts: readonly string[]): Promise<{ readonly database: QueueDatabase; readonly keys: readonly string[] }> {
  if (!engine) throw new Error('there is no PostgreSQL')
  const { url, close } = await engine.newDatabase('')
  onTestFinished(close)
  const database = await openQueueDatabase({ url, shown: '' }, { connections: 3, signal: new AbortController().signal })
  onTestFinished(() => database.close())
  await database.boss.createQueue(queue, { name: queue })
  const answers = texts.map((text) => ({ fields: { text } }))
  await database.boss.send(queue, writeJob({ ...scope, answers }), jobOptions(100))
  return { database, keys: answers.map(resultKey) }
}

/** Works off all jobs; the slot says in turn what is given, and then valid. Resolves to the sizes of the batches. */
async function workOff(database: QueueDatabase, ends: readonly SlotResult[]): Promise<readonly number[]> {
  const asked: number[] = []
  const slot: JudgingSlot = {
    async judge(some) {
      asked.push(some.length)
      return ends[asked.length - 1] ?? { results: some.map(() => ({ verdict })) }
    },
    ready: async () => {},
    close: async () => {},
  }
  const setting = { database, slot, contract: { hash: 'x', place: 0 }, stopping: new AbortController().signal }
  for (let job = await database.take(queue); job !== undefined; job = await database.take(queue)) await workOffJob(job, setting)
  return asked
}

test('a batch whose workers are restarted again and again stays whole and is judged', async () => {
  const { database, keys } = await withJob(['one', 'two'])
  const stops = Array.from({ length: mostAttempts + 2 }, () => ({ failure: 'stopped' as const }))
  expect(await workOff(database, stops)).toEqual([...stops.map(() => 2), 2])
  expect([...(await findResults(database.query, scope, keys)).values()]).toEqual([{ verdict }, { verdict }])
  expect(await database.boss.getQueueSize(queue, { before: 'failed' })).toBe(0)
})

test('a kept verdict wins over a crash of this run, whichever was stored first', async () => {
  const { database, keys } = await withJob(['one', 'two'])
  const [one = '', two = ''] = keys
  for (const [key, order] of [
    [one, [verdict, crash]],
    [two, [crash, verdict]],
  ] as const)
    for (const each of order) await addResults(database.query, scope, new Map([[key, { verdict: each }]]))
  expect(await database.query('select 1 from stickler_eval_1.verdicts')).toHaveLength(4)
  expect(await findResults(database.query, scope, keys)).toEqual(new Map(keys.map((key) => [key, { verdict }])))
})

test('an answer that is given up keeps the verdict that another worker has stored meanwhile', async () => {
  const { database, keys } = await withJob(['one'])
  // The job is given to workers that end without a word.
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const job = await database.take(queue)
    await database.boss.fail(queue, job?.id ?? '')
  }
  await addResults(database.query, scope, new Map(keys.map((key) => [key, { verdict }])))
  expect(await workOff(database, [])).toEqual([])
  expect(await database.query<{ run: string }>('select run from stickler_eval_1.verdicts')).toEqual([{ run: '' }])
})
