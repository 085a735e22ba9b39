import { availableParallelism } from 'node:os'
import { type Clock, catalogue as library } from '@stickler/core'
import type { Executor } from '@stickler/core/internal'
import { mostRepairs } from '@stickler/core/internal/relay'
import { Plans, RemoteExecutor, requestSchema, soundToolCalls } from '@stickler/core/internal/remote'
import type { SyntaxParser } from '@stickler/core/validators'
import { catalogue } from '@stickler/presets'
import type { ServerConfig } from '../../config/resolved/gateway-config.ts'
import type { JobSurroundings } from './judge.ts'
import { JudgingCounts } from './judging-counts.ts'
import { JudgingPools } from './judging-pool.ts'
import type { RulePorts } from './message-ports.ts'
import { TurnQueue } from './turn-queue.ts'

/** Checks large answers, and every answer for plugins, in threads that can be terminated. */
export interface Judging {
  /**
   * Takes over from the event loop; `values` when the values that validators read from answers are
   * wanted.
   */
  executor(around: JobSurroundings, values: boolean): Executor
  /** The same for contracts on trial, which have not proven themselves: answers of any length, in threads apart from live traffic. */
  trialExecutor(around: JobSurroundings, values: boolean): Executor
  /** Ends threads when they are idle. */
  retire(): void
  /** Ends all threads. */
  close(): Promise<void>
}

/** What judging needs. */
export interface JudgingPorts {
  readonly clock: Clock
  readonly counts?: JudgingCounts
  readonly turnQueue?: TurnQueue
  /** For checks that need one. */
  readonly parser?: SyntaxParser
  /** For checks that call external rules. */
  readonly rules?: RulePorts
}

/** No module has this name: they are addresses of files. */
const trialPool = 'contracts on trial'

/** Makes the pool of one configuration; threads are started on demand. */
export function createJudging({ judging, workers }: Pick<ServerConfig, 'judging' | 'workers'>, ports: JudgingPorts): Judging {
  const { threshold, deadline: deadlineMs, queue, memory: memoryMb } = judging
  const { clock, counts = new JudgingCounts(), turnQueue = new TurnQueue(), parser, rules } = ports
  // One core is left to the event loop of each process.
  const threads = judging.threads ?? Math.max(1, Math.floor(availableParallelism() / workers) - 1)
  const pools = new JudgingPools({
    clock,
    counts,
    threads,
    deadlineMs,
    queue,
    memoryMb,
    ...(parser === undefined ? {} : { parser }),
    ...(rules === undefined ? {} : { rules }),
  })
  const plans = new Plans([...library.validators, ...catalogue.validators, soundToolCalls, requestSchema])
  const executor = (around: JobSurroundings, values: boolean, limit: number, pool: string): Executor =>
    new RemoteExecutor({
      plans,
      threshold: limit,
      around,
      values,
      mostRepairs,
      send: (job, stop, caller) => pools.run(job, stop, caller, pool),
      pause: turnQueue.pass,
    })
  return {
    executor: (around, values) => executor(around, values, threshold, ''),
    // An empty answer is longer than this, too.
    trialExecutor: (around, values) => executor(around, values, -1, trialPool),
    retire: () => pools.retire(),
    close: () => pools.close(),
  }
}
