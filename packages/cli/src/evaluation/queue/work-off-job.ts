import type { Judged } from '../judging/judge.ts'
import type { Verdict } from '../verdict.ts'
import type { JudgingSlot } from './judging-slot.ts'
import type { QueueDatabase, QueueJob } from './queue-database.ts'
import { jobOptions, mostAttempts, queueOf, readJob, writeJob } from './queue-jobs.ts'
import { addResults, findResults, type QueueResult, type ResultScope, resultKey } from './queue-results.ts'

/** What a job is worked off with. */
interface JobSetting {
  readonly database: QueueDatabase
  readonly slot: JudgingSlot
  /** The identity of the contract, and its place in the list of the worker. */
  readonly contract: { readonly hash: string; readonly place: number }
  readonly stopping: AbortSignal
}

/** The share of the time of a job that judging may take; the rest is for storing its results. */
const shareOfTime = 0.8

/** Judges the answers of a job and stores the results; resolves to their number. Whatever happens, the job is removed only together with that. */
export async function workOffJob(job: QueueJob, setting: JobSetting): Promise<number> {
  const { database, slot, contract, stopping } = setting
  const queue = queueOf(contract.hash)
  const work = readJob(job.data)
  // Nobody waits for what is not a job of ours.
  if (work === undefined) {
    await database.jobs((boss) => boss.deleteJob(queue, job.id))
    return 0
  }
  const scope: ResultScope = { contract: contract.hash, run: work.run, isKept: work.isKept }
  const { answers } = work

  const store = async (results: ReadonlyMap<string, QueueResult>): Promise<number> => {
    await database.together(async (run, jobs) => {
      await addResults(run, scope, results)
      await database.boss.deleteJob(queue, job.id, jobs)
    })
    return results.size
  }
  const sendInstead = async (batches: readonly (readonly Judged[])[]): Promise<number> => {
    await database.together(async (_run, jobs) => {
      const options = jobOptions(job.expireInSeconds)
      for (const batch of batches) await database.boss.send(queue, writeJob({ ...work, answers: batch }), { ...options, ...jobs })
      await database.boss.deleteJob(queue, job.id, jobs)
    })
    return 0
  }
  /** A batch with an answer that ends its worker becomes jobs of one answer each, so that the others are judged. */
  const split = (): Promise<number> => sendInstead(answers.map((answer) => [answer]))
  const keyed = new Map(answers.map((answer) => [resultKey(answer), answer]))
  const findOpen = async (): Promise<readonly (readonly [string, Judged])[]> => {
    const known = await findResults(database.query, scope, [...keyed.keys()])
    return [...keyed].filter(([key]) => !known.has(key))
  }
  const giveUp = async (cause: 'crash' | 'timeout'): Promise<number> =>
    store(new Map((await findOpen()).map(([key]) => [key, { verdict: uncheckedBy(cause) }])))

  if (job.retryCount > 0 && answers.length > 1) return split()
  // Its worker has ended each time, without a word.
  if (job.retryCount >= mostAttempts) return giveUp('crash')
  const open = await findOpen()
  const ended = await slot.judge(
    open.map(([, answer]) => answer),
    contract.place,
    job.expireInSeconds * 1000 * shareOfTime,
    stopping,
  )
  if ('results' in ended) {
    const results = open.flatMap(([key], at): [string, QueueResult][] => {
      const result = ended.results[at]
      return result === undefined ? [] : [[key, result]]
    })
    return store(new Map(results))
  }
  // A worker that was told to end has not failed: a new job has no attempts behind it.
  if (ended.failure === 'stopped') return sendInstead([answers])
  if (answers.length > 1) return split()
  if (job.retryCount + 1 >= mostAttempts) return giveUp(ended.failure)
  await database.jobs((boss) => boss.fail(queue, job.id))
  return 0
}

/** The verdict on an answer that no worker could judge. */
function uncheckedBy(cause: 'crash' | 'timeout'): Verdict {
  const nothing: readonly string[] = []
  return {
    ...{ status: 'unchecked', delivered: false, action: 'give-up' },
    ...{ errors: nothing, fixed: nothing, warnings: nothing, repairs: nothing, unchecked: [`worker ${cause}`] },
  }
}
