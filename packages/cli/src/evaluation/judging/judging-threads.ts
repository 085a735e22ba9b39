import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { defined, systemClock } from '@stickler/core/internal'
import { openThread, Worker, WorkerPool } from '@stickler/node/internal'
import type { Cli } from '../../cli.ts'
import type { JudgeFlags } from './judge.ts'
import type { Judging, Task, TaskResult } from './judging.ts'
import type { FromThread, ThreadStart, ToThread } from './judging-thread.ts'

/** Why a batch has no results. */
export class NotJudged extends Error {
  readonly reason: 'crash' | 'timeout' | 'stopped'

  constructor(reason: NotJudged['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** Judges in threads, one batch at a time in each; one that crashes or takes too long is replaced. */
interface JudgingThreads extends Judging {
  /** Throws NotJudged for a batch that crashed its thread, took too long, or was stopped. */
  judge(tasks: readonly Task[], limitMs?: number, stopping?: AbortSignal): Promise<readonly TaskResult[]>
}

/** Starts threads on demand, each with its own contracts. */
export function judgeInThreads(count: number, flags: readonly JudgeFlags[], { io, signal }: Pick<Cli, 'io' | 'signal'>): JudgingThreads {
  const start: ThreadStart = { flags: flags.map(plainFlags), env: { ...io.env }, cwd: io.cwd }
  const stopped = (): NotJudged => new NotJudged('stopped', 'the command has ended')
  const pool = new WorkerPool({
    workers: count,
    queue: Number.POSITIVE_INFINITY,
    start: () => new JudgingThread(start),
    full: stopped,
    closed: stopped,
    aborted: stopped,
  })
  return {
    async judge(tasks, limitMs, stop = signal) {
      const { worker, leave } = await pool.enter({ stop })
      const end = (): void => void worker.end(stopped())
      stop.addEventListener('abort', end)
      try {
        return await worker.judge(tasks, limitMs)
      } finally {
        stop.removeEventListener('abort', end)
        leave()
      }
    },
    close: () => pool.close(),
  }
}

/** Flags of other options need not be copied to a thread. */
function plainFlags({ contract, config, preset, check, repair, allow, locale, request, root }: JudgeFlags): JudgeFlags {
  return defined({ contract, config, preset, check, repair, allow, locale, request, root })
}

class JudgingThread extends Worker<ToThread, FromThread> {
  constructor(workerData: ThreadStart) {
    super(systemClock, (listener) => openThread(threadFile(), { workerData }, listener))
  }

  judge(tasks: ToThread, limitMs?: number): Promise<readonly TaskResult[]> {
    const results = this.ask<readonly TaskResult[]>(tasks)
    if (limitMs !== undefined) this.limit(limitMs, new NotJudged('timeout', `checking took longer than ${limitMs} ms`))
    return results
  }

  protected hear(reply: FromThread): void {
    if ('results' in reply) this.settle(reply.results)
    else this.fail(new NotJudged('crash', reply.failure))
  }

  protected failureOf(thrown?: unknown): NotJudged {
    return new NotJudged('crash', thrown instanceof Error ? thrown.message : 'a thread that checks answers has ended')
  }
}

/** The module itself: threads are not part of the bundle. */
function threadFile(): string {
  const manifest = createRequire(import.meta.url).resolve('stickler/package.json')
  return join(dirname(manifest), 'dist/evaluation/judging/judging-thread.js')
}
