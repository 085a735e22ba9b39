import {
  type CheckData,
  type DescribedModule,
  type Job,
  type JobResult,
  type PreparedData,
  RemoteFailure,
} from '@stickler/core/internal/remote'
import type { PluginHost } from '@stickler/node/internal/config'
import type { JudgingPools } from './judging-pool.ts'

/** Loads plugins in threads, each module in its own; descriptions are cached. */
export class ThreadedPluginHost implements PluginHost {
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
