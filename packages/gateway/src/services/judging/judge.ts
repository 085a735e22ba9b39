import { getHeapStatistics } from 'node:v8'
import { type MessagePort, parentPort, resourceLimits } from 'node:worker_threads'
import type { Ports, ValidatorDefinition } from '@stickler/core'
import { errorMessage, systemClock } from '@stickler/core/internal'
import {
  type AnswerJob,
  type CheckData,
  describePrepared,
  findDefinition,
  type Job,
  type JobResult,
  type PreparedData,
  type PrepareJob,
  perform,
  rebuild,
  requestSchema,
} from '@stickler/core/internal/remote'
import { nodeFiles } from '@stickler/node/internal/files'
import { catalogue } from '@stickler/presets'
import { MessagePorts } from './message-ports.ts'
import type { FromThread, ToThread } from './messages.ts'
import { PluginModules } from './plugin-modules.ts'

type Rebuilt = Awaited<ReturnType<typeof rebuild>>

/** Beyond a configuration's contracts are those of presets and single questions. */
const mostContracts = 256

/** The validators of jobs, each built once in a thread: never more than a job runs, since those of other modules have their own threads. */
class RebuiltContracts {
  readonly #built = new Map<number, (Promise<Rebuilt[number]> | undefined)[]>()
  readonly #modules: PluginModules

  constructor(modules: PluginModules) {
    this.#modules = modules
  }

  /** Whether the validators of a job have been built before. */
  has({ contract, run }: Pick<AnswerJob, 'contract' | 'run'>): boolean {
    const built = this.#built.get(contract)
    return built !== undefined && run.every((index) => built[index] !== undefined)
  }

  /** The validators that a job runs, at their indexes. */
  async of({ contract, checks, policy, run }: Pick<AnswerJob, 'contract' | 'checks' | 'policy' | 'run'>): Promise<Rebuilt> {
    if (!this.#built.has(contract) && this.#built.size >= mostContracts) this.#built.clear()
    const built = this.#built.get(contract) ?? []
    this.#built.set(contract, built)
    const validators: Rebuilt[number][] = []
    for (const index of run) {
      built[index] ??= this.#build(checks[index] as CheckData, policy.locale)
      validators[index] = await (built[index] as Promise<Rebuilt[number]>)
    }
    return validators
  }

  async #build(check: CheckData, locale: Parameters<typeof rebuild>[1]): Promise<Rebuilt[number]> {
    const [validator] = await rebuild([check], locale, (one) => this.find(one))
    return validator as Rebuilt[number]
  }

  /** The validator that a check names. */
  async find({ name: given, validator: name = given, module }: CheckData): Promise<ValidatorDefinition | undefined> {
    if (module !== undefined) return findDefinition(await this.#modules.load(module), name)
    return [...catalogue.validators, requestSchema].find(({ definition }) => definition.name === name)?.definition
  }
}

// The entry of a judging thread: only ever loaded as one.
if (parentPort !== null) performJobs(parentPort)

/** What ports are made from in a thread. */
export interface JobSurroundings {
  /** The folder for checks that read files. */
  readonly root?: string
  /** Whether checks may call the parser, which replies through the port. */
  readonly parser?: boolean
}

/** Performs the jobs that come through a port, one at a time. */
function performJobs(port: MessagePort): void {
  const modules = new PluginModules()
  const contracts = new RebuiltContracts(modules)
  const tell = (message: FromThread): void => port.postMessage(message)
  const shared = new MessagePorts(tell)
  let running: { readonly id: number; readonly controller: AbortController } | undefined

  async function performJob(id: number, job: Job): Promise<void> {
    const controller = new AbortController()
    running = { id, controller }
    try {
      tellResult(id, await resultOf(id, job, controller.signal), job)
    } catch (error) {
      tell({ id, error: errorMessage(error) })
    } finally {
      running = undefined
    }
  }

  async function resultOf(id: number, job: Job, signal: AbortSignal): Promise<JobResult> {
    if (job.kind === 'describe') return { kind: 'describe', described: await modules.describe(job.specifier, job.from) }
    if (job.kind === 'prepare') return { kind: 'prepare', prepared: await Promise.all(job.checks.map(prepare)) }
    const isNew = !contracts.has(job)
    const validators = await contracts.of(job)
    if (isNew) tell({ loaded: id })
    return perform(job, validators, { ports: portsFor(job), clock: systemClock, signal })
  }

  async function prepare(check: PrepareJob['checks'][number]): Promise<PreparedData> {
    const definition = await contracts.find(check)
    if (definition === undefined) return { problems: [{ message: 'the plugin no longer exports this validator', path: [] }] }
    return describePrepared(definition, check.options)
  }

  function portsFor({ around: given }: AnswerJob): Ports {
    const around = (given ?? {}) as JobSurroundings
    const { parser, ...rules } = shared.ports
    return { ...(around.root === undefined ? {} : { files: nodeFiles(around.root) }), ...(around.parser ? { parser } : {}), ...rules }
  }

  function tellResult(id: number, result: JobResult, job: Job): void {
    const heavy = isHeavy() ? { heavy: true as const } : {}
    try {
      tell({ id, result, ...heavy })
    } catch {
      tell({ id, result: withoutUncopied(result, job), ...heavy })
    }
  }

  port.on('message', (message: ToThread) => {
    if ('job' in message) void performJob(message.id, message.job)
    else if ('answered' in message) shared.take(message.answered, message.answer)
    else if (running?.id === message.abort) running.controller.abort()
  })
  tell({ ready: true })
}

/** Buffers do not count towards the thread's limit, so memory is checked after each job. */
function isHeavy(): boolean {
  const { maxOldGenerationSizeMb = Number.POSITIVE_INFINITY } = resourceLimits
  return getHeapStatistics().external_memory > maxOldGenerationSizeMb * 1024 * 1024
}

/** The result of a job without what cannot be copied to another thread, such as a function that a validator has yielded. */
function withoutUncopied(result: JobResult, job: Job): JobResult {
  // Repairs are strings and numbers; one that is not is a crash as a whole.
  if (result.kind !== 'check' || job.kind !== 'check') return result
  const collected = result.collected.map((found, at) => {
    try {
      structuredClone(found)
      return found
    } catch (error) {
      const message = errorMessage(error)
      return {
        validator: job.checks[job.run[at] ?? 0]?.name ?? '',
        cause: 'crash' as const,
        message: `what the validator yielded cannot be copied: ${message}`,
      }
    }
  })
  return { kind: 'check', collected }
}
