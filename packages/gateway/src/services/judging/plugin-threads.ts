import { availableParallelism } from 'node:os'
import { type Executor, systemClock } from '@stickler/core/internal'
import {
  type CheckData,
  type DescribedModule,
  type Job,
  type JobResult,
  Plans,
  type PreparedData,
  RemoteExecutor,
  RemoteFailure,
  soundToolCalls,
} from '@stickler/core/internal/remote'
import type { SyntaxParser } from '@stickler/core/validators'
import type { PluginHost } from '@stickler/node/internal/config'
import { catalogue } from '@stickler/presets'
import type { JobSurroundings } from './judge.ts'
import { JudgingCounts } from './judging-counts.ts'
import { JudgingPools } from './judging-pool.ts'
import type { RulePorts } from './message-ports.ts'

/** Loads plugins in threads, each module in its own; descriptions are cached. */
class ThreadedPluginHost implements PluginHost {
  readonly #pools: JudgingPools
  readonly #described = new Map<string, Promise<DescribedModule>>()

  constructor(pools: JudgingPools) {
    this.#pools = pools
  }

  describe(specifier: string, from: string): Promise<DescribedModule> {
    const name = `${from} ${specifier}`
    const known = this.#described.get(name)
    if (known !== undefined) return known
    const described = this.#describe(name, specifier, from)
    this.#described.set(name, described)
    return described
  }

  async prepare(check: CheckData): Promise<PreparedData> {
    const result = await this.#run(check.module ?? '', { kind: 'prepare', checks: [check] })
    const [prepared] = result.kind === 'prepare' ? result.prepared : []
    if (prepared === undefined) throw new Error('it returned no result')
    return prepared
  }

  close(): Promise<void> {
    return this.#pools.close()
  }

  async #describe(name: string, specifier: string, from: string): Promise<DescribedModule> {
    const result = await this.#run(name, { kind: 'describe', specifier, from })
    if (result.kind !== 'describe') throw new Error('it returned no result')
    const { module } = result.described
    // The thread that has loaded it also runs it.
    if (module !== undefined) this.#pools.share(module, name)
    return result.described
  }

  async #run(pool: string, job: Job): Promise<JobResult> {
    try {
      return await this.#pools.of(pool).run(job, undefined)
    } catch (error) {
      if (error instanceof RemoteFailure && error.reason === 'timeout') throw new Error('it did not end in time')
      throw error
    }
  }
}

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
  const plans = new Plans([...catalogue.validators, soundToolCalls])
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
