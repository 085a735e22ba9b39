import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Cli } from '../../cli.ts'
import { UsageError } from '../../errors.ts'
import { digest } from '../judging/contract-identity.ts'
import type { Judged } from '../judging/judge.ts'
import type { Judging, Task, TaskResult } from '../judging/judging.ts'
import { type QueueFlags, readQueueAddress } from './queue-address.ts'
import { openQueueDatabase } from './queue-database.ts'
import { isCarried, jobOptions, queueOf, writeJob } from './queue-jobs.ts'
import { beatMs, countWorkers, type NamedContract, registerEvaluation, removeEvaluation, removeExpired } from './queue-registry.ts'
import { combineResults, findResults, type QueueResult, type ResultScope, resultKey } from './queue-results.ts'

/** A contract whose answers workers judge. */
interface QueuedContract extends NamedContract {
  /** Whether its verdicts are kept for later runs. */
  readonly isKept: boolean
}

/** Judges by the workers of a queue. */
export interface QueueJudging extends Judging {
  /** Answers that wait for their verdicts, and workers that can judge them. */
  state(): { readonly queued: number; readonly workers: number }
  /** Removes what the evaluation has left in the database, when it has succeeded. */
  finish(): Promise<void>
}

interface Ticket {
  readonly scope: ResultScope
  readonly answers: ReadonlyMap<string, Judged>
  readonly found: Map<string, QueueResult>
  sent: number
  resolve(): void
  reject(error: unknown): void
}

/** How many batches are looked for at once: answers are judged roughly in their order. */
const lookedFor = 16
const quickestMs = 10
const slowestMs = 200
/** A batch that is lost more often is not sent again. */
const mostSent = 5

/** What an evaluation lets workers do. */
interface QueuedEvaluation {
  readonly contracts: readonly QueuedContract[]
  /** What it judges, as reports name it. */
  readonly source: string
  readonly here: Judging
}

/** Connects an evaluation with its queue: puts batches of answers into the queues of their contracts, and gathers the results. */
export async function openQueueJudging(
  { contracts, source, here }: QueuedEvaluation,
  flags: QueueFlags & { readonly jobTimeout?: number },
  { io, signal, note }: Cli,
): Promise<QueueJudging> {
  const address = readQueueAddress(flags, io)
  if (address === undefined) throw new UsageError('name the queue with --queue or --queue-env')
  const database = await openQueueDatabase(address, { connections: 4, signal, onAway: note })
  // The same command after a kill is the same evaluation.
  const evaluation = { id: digest(JSON.stringify([source, contracts])), contracts }
  const run = randomUUID()
  const tickets = new Set<Ticket>()
  let workers = 0
  const closing = new AbortController()
  let wake = (): void => {}

  try {
    await removeExpired(database)
    await registerEvaluation(database, evaluation)
    for (const { hash } of contracts) await openQueue(hash)
  } catch (error) {
    await database.close()
    throw error
  }

  async function openQueue(hash: string): Promise<void> {
    const name = queueOf(hash)
    await database.jobs((boss) => boss.createQueue(name, { name, policy: 'standard' }))
  }

  async function send({ scope, answers, found }: Ticket): Promise<void> {
    const missing = [...answers].flatMap(([key, judged]) => (found.has(key) ? [] : [judged]))
    const data = writeJob({ run: scope.run, isKept: scope.isKept, answers: missing })
    for (let attempt = 0; attempt < mostSent; attempt++) {
      const id = await database.jobs((boss) => boss.send(queueOf(scope.contract), data, jobOptions(flags.jobTimeout ?? 60)))
      if (id !== null) return
      // Another evaluation has ended and taken the queue with it.
      await openQueue(scope.contract)
    }
    throw new Error('the queue takes no jobs')
  }

  async function look(wanted: readonly Ticket[]): Promise<boolean> {
    let isAny = false
    for (const { hash } of contracts) {
      const asked = wanted.filter(({ scope }) => scope.contract === hash)
      const keys = new Set(asked.flatMap(({ answers, found }) => [...answers.keys()].filter((key) => !found.has(key))))
      const results = await findResults(database.query, { contract: hash, run }, [...keys])
      if (results.size > 0) isAny = true
      for (const ticket of asked) {
        for (const key of ticket.answers.keys()) {
          const result = results.get(key)
          if (result !== undefined) ticket.found.set(key, result)
        }
        if (ticket.found.size === ticket.answers.size && tickets.delete(ticket)) ticket.resolve()
      }
    }
    return isAny
  }

  /** Sends batches again whose jobs somebody has removed. */
  async function findLost(): Promise<void> {
    for (const { hash } of contracts) {
      const suspects = [...tickets].filter(({ scope, sent }) => scope.contract === hash && sent > 0)
      if (suspects.length === 0) continue
      if ((await database.jobs((boss) => boss.getQueueSize(queueOf(hash), { before: 'completed' }))) > 0) continue
      await look(suspects)
      for (const ticket of suspects.filter((one) => tickets.has(one))) {
        if (ticket.sent++ >= mostSent) throw new Error('the queue has lost a batch several times')
        await send(ticket)
      }
    }
  }

  async function gather(): Promise<void> {
    let waitMs = quickestMs
    while (!closing.signal.aborted) {
      if (tickets.size === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        continue
      }
      const isAny = await look([...tickets].slice(0, lookedFor))
      waitMs = isAny ? quickestMs : Math.min(2 * waitMs, slowestMs)
      await pause(waitMs, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  async function beat(): Promise<void> {
    let told = ''
    for (let at = 0; !closing.signal.aborted; at++) {
      await registerEvaluation(database, evaluation)
      const found = await countWorkers(database, contracts)
      workers = found.able
      const said = tickets.size > 0 && workers === 0 ? whyNoWorker(contracts, found.all) : ''
      // A worker may be starting.
      if (said !== told && at > 1) note(said || `${workers} ${workers === 1 ? 'worker judges' : 'workers judge'} the answers`)
      if (at > 1) told = said
      // Jobs of workers that have died are given to others.
      await database.jobs((boss) => boss.maintain())
      if (at % 5 === 4) await findLost()
      await pause(beatMs, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  const fail = (error: unknown): void => {
    closing.abort()
    failure = { error }
    for (const ticket of tickets) ticket.reject(error)
    tickets.clear()
  }
  let failure: { readonly error: unknown } | undefined
  const abort = (): void => fail(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  const loops = [gather(), beat()].map((loop) => loop.catch(fail))

  /** Ends the loops: none may register an evaluation that is being removed. */
  async function stop(): Promise<void> {
    closing.abort()
    wake()
    signal.removeEventListener('abort', abort)
    await Promise.all(loops)
  }

  async function judgeAll(contract: QueuedContract, judged: readonly Judged[]): Promise<ReadonlyMap<string, QueueResult>> {
    const scope = { contract: contract.hash, run, isKept: contract.isKept }
    const answers = new Map(judged.map((one) => [resultKey(one), one]))
    if (answers.size === 0) return new Map()
    return new Promise((resolve, reject) => {
      const found = new Map<string, QueueResult>()
      const ticket: Ticket = { scope, answers, found, sent: 0, resolve: () => resolve(found), reject }
      const start = async (): Promise<void> => {
        if (failure) throw failure.error
        tickets.add(ticket)
        // An evaluation that continues finds what workers have done meanwhile.
        await look([ticket])
        if (!tickets.has(ticket)) return
        await send(ticket)
        ticket.sent = 1
        wake()
      }
      start().catch((error: unknown) => {
        tickets.delete(ticket)
        reject(error)
      })
    })
  }

  return {
    async judge(tasks) {
      const carried = tasks.map(({ judged }) => isCarried(judged))
      const byContract = await Promise.all(
        contracts.map((contract, place) =>
          judgeAll(
            contract,
            tasks.flatMap(({ judged, contracts }, at) => (carried[at] && contracts.includes(place) ? [judged] : [])),
          ),
        ),
      )
      return Promise.all(
        tasks.map(async (task: Task, at): Promise<TaskResult> => {
          if (!carried[at]) return (await here.judge([task]))[0] ?? { problem: 'no verdict' }
          const key = resultKey(task.judged)
          return combineResults(task.contracts.map((place) => byContract[place]?.get(key)))
        }),
      )
    },
    state: () => ({ queued: [...tickets].reduce((sum, { answers, found }) => sum + answers.size - found.size, 0), workers }),
    async finish() {
      await stop()
      await removeEvaluation(database, evaluation, run)
    },
    async close() {
      await stop()
      await Promise.all([database.close(), here.close()])
    },
  }
}

function whyNoWorker(contracts: readonly NamedContract[], others: number): string {
  const names = contracts.map(({ name, hash }) => `${name} (${hash.slice(0, 8)})`).join(' and ')
  if (others === 0) return `no worker is connected; start \`stickler worker\` with the same queue and the contract ${names}`
  return `${others === 1 ? 'the worker that is connected does' : `none of the ${others} workers that are connected does`} not have the contract ${names}: its checks, plugins or version of Stickler differ`
}
