import { availableParallelism } from 'node:os'
import { catalogue } from '@stickler/core'
import { type Executor, systemClock } from '@stickler/core/internal'
import { Plans, RemoteExecutor } from '@stickler/core/internal/remote'
import type { SyntaxParser } from '@stickler/core/validators'
import type { PluginHost } from '@stickler/node/internal/config'
import type { JobSurroundings } from './judge.ts'
import { JudgingCounts } from './judging-counts.ts'
import { JudgingPools } from './judging-pool.ts'
import type { RulePorts } from './message-rules.ts'
import { ThreadedPluginHost } from './plugin-host.ts'

/** Threads that load plugins and run their validators, for programs other than the gateway. */
export interface PluginThreads {
  readonly host: PluginHost
  /** Runs validators of plugins; all others run in place. */
  executor(around: Pick<JobSurroundings, 'root'>, parser?: SyntaxParser, rules?: RulePorts): Executor
  close(): Promise<void>
}

/** As in the gateway, unless `server.judging` says otherwise. */
const usualLimits = { deadlineMs: 5000, memoryMb: 256, queue: 1024 }

/** Opens the threads; they are started on demand. */
export function openPluginThreads(given: Partial<typeof usualLimits> = {}): PluginThreads {
  const settings: { parser?: SyntaxParser; rules?: RulePorts } = {}
  const threads = Math.max(1, availableParallelism() - 1)
  const pools = new JudgingPools(
    Object.assign(settings, { ...usualLimits, ...given, clock: systemClock, counts: new JudgingCounts(), threads }),
  )
  const plans = new Plans(catalogue.validators)
  return {
    host: new ThreadedPluginHost(pools),
    executor(around, parser, rules) {
      if (parser !== undefined) settings.parser = parser
      if (rules !== undefined) settings.rules = rules
      return new RemoteExecutor({
        plans,
        threshold: Number.POSITIVE_INFINITY,
        around: { ...around, ...(parser === undefined ? {} : { parser: true }) },
        values: true,
        mostRepairs: Number.POSITIVE_INFINITY,
        send: (job, stop) => pools.run(job, stop),
        pause: () => new Promise((resolve) => setImmediate(resolve)),
      })
    },
    close: () => pools.close(),
  }
}

/** Opens a host for one reading of a configuration. */
export async function openPluginHost(): Promise<PluginHost> {
  return openPluginThreads().host
}
