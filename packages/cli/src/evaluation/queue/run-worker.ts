import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Cli } from '../../cli.ts'
import { addContractOptions } from '../../config/contract-options.ts'
import { loadConfig } from '../../config/files.ts'
import { UsageError } from '../../errors.ts'
import { exitCode } from '../../exit-code.ts'
import { wholeNumber } from '../../whole-number.ts'
import { type JudgeFlags, otherContract } from '../judging/judge.ts'
import { openJudges } from '../judging/judging.ts'
import { type JudgingSlot, openSlot } from './judging-slot.ts'
import { addQueueOptions, type QueueFlags, readQueueAddress } from './queue-address.ts'
import { openQueueDatabase, type QueueDatabase } from './queue-database.ts'
import { queueOf } from './queue-jobs.ts'
import { beatMs, type NamedContract, registerWorker, removeWorker } from './queue-registry.ts'
import { workOffJob } from './work-off-job.ts'

/** The command line options of `stickler worker`. */
export interface WorkerFlags extends JudgeFlags, QueueFlags {
  readonly against?: string
  readonly threads?: number
  readonly exitWhenIdle?: number
}

/** Adds the options of `stickler worker`. */
export function addWorkerOptions(command: Command): Command {
  addQueueOptions(command, 'the queue to work for')
  return addContractOptions(command)
    .option('--against <name|file>', 'the other contract of the evaluation')
    .option('--root <dir>', 'folder for files that answers refer to; default: the current folder')
    .option('--threads <number>', 'threads that check answers; default: one per core', wholeNumber(1, 256))
    .option('--exit-when-idle <seconds>', 'end when there has been nothing to do for so long', wholeNumber(1, 86_400))
}

const idleMs = { least: 20, most: 500 }
/** How long batches under way may take after a signal. */
const graceMs = 10_000

/** Judges answers of evaluations until it is stopped; resolves to the exit code. */
export async function runWorker(flags: WorkerFlags, cli: Cli): Promise<number> {
  const address = readQueueAddress(flags, cli.io)
  if (address === undefined) throw new UsageError('name the queue with --queue or --queue-env')
  const contracts = await contractsOf(flags, cli)
  const threads = flags.threads ?? availableParallelism()
  cli.io.allowToEnd?.(2 * graceMs)
  const offered = await identify(contracts, cli)
  const database = await openQueueDatabase(address, { connections: threads + 2, signal: cli.signal, onAway: cli.note })
  const slots = Array.from({ length: threads }, () => openSlot(contracts, cli.io))
  try {
    cli.note(`works for ${address.shown} in ${threads} ${threads === 1 ? 'thread' : 'threads'}: ${offered.map(shown).join(', ')}`)
    const count = await new Work(database, offered, flags.exitWhenIdle, cli).run(slots)
    cli.note(`judged ${count} ${count === 1 ? 'answer' : 'answers'}`)
    return exitCode.ok
  } finally {
    await Promise.all(slots.map((slot) => slot.close()))
    await database.close()
  }
}

/** The contract that the options name and the other one, or all of the configuration. */
async function contractsOf(flags: WorkerFlags, { io }: Cli): Promise<readonly JudgeFlags[]> {
  const { contract, preset, check, against } = flags
  if (contract !== undefined || preset !== undefined || check !== undefined)
    return [flags, ...(against === undefined ? [] : [otherContract(flags, against)])]
  const names = Object.keys((await loadConfig(flags.config, io))?.value.contracts ?? {})
  if (names.length === 0)
    throw new UsageError('there are no contracts to judge by; name a configuration with --config, or a contract with --contract')
  return [...names.map((name) => ({ ...flags, contract: name })), ...(against === undefined ? [] : [otherContract(flags, against)])]
}

async function identify(contracts: readonly JudgeFlags[], cli: Cli): Promise<readonly NamedContract[]> {
  const judges = await openJudges(contracts, cli)
  await Promise.all(judges.map((judge) => judge.close()))
  return judges.map(({ identity: { hash } }, at) => ({ name: contracts[at]?.contract ?? contracts[at]?.preset ?? 'command line', hash }))
}

function shown({ name, hash }: NamedContract): string {
  return `${name} (${hash.slice(0, 8)})`
}

/** The loops of a worker. */
class Work {
  readonly #id = randomUUID()
  readonly #database: QueueDatabase
  readonly #offered: readonly NamedContract[]
  readonly #idleMs: number
  readonly #cli: Cli
  /** The queues of evaluations under way that this worker can judge. */
  #wanted: readonly { readonly hash: string; readonly place: number }[] = []
  readonly #told = new Set<string>()
  readonly #stopping = new AbortController()
  #isEnding = false
  #count = 0
  #busyAt: number

  constructor(database: QueueDatabase, offered: readonly NamedContract[], exitWhenIdle: number | undefined, cli: Cli) {
    this.#database = database
    this.#offered = offered
    this.#idleMs = (exitWhenIdle ?? Number.POSITIVE_INFINITY) * 1000
    this.#cli = cli
    this.#busyAt = cli.io.now()
  }

  /** Works until a signal, or until there is nothing to do; resolves to the number of answers. */
  async run(slots: readonly JudgingSlot[]): Promise<number> {
    const { signal } = this.#cli
    let timer: NodeJS.Timeout | undefined
    const end = (): void => {
      this.#isEnding = true
      timer = setTimeout(() => this.#stopping.abort(), graceMs)
    }
    if (signal.aborted) end()
    signal.addEventListener('abort', end, { once: true })
    try {
      await this.#look()
      await this.#untilAllEnd([this.#beat(), ...slots.map((slot) => this.#work(slot))])
      await removeWorker(this.#database, this.#id)
    } finally {
      this.#isEnding = true
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
    }
    return this.#count
  }

  /** Waits for all loops: when one fails the others give up what they do, and only then its error is thrown. */
  async #untilAllEnd(loops: readonly Promise<void>[]): Promise<void> {
    let failure: { readonly error: unknown } | undefined
    const stop = (error: unknown): void => {
      failure ??= { error }
      this.#isEnding = true
      this.#stopping.abort()
    }
    await Promise.all(loops.map((loop) => loop.catch(stop)))
    if (failure !== undefined) throw failure.error
  }

  async #look(): Promise<void> {
    const contracts = await registerWorker(
      this.#database,
      this.#id,
      this.#offered.map(({ hash }) => hash),
    )
    const hashes = new Set(contracts.map(({ hash }) => hash))
    this.#wanted = this.#offered.flatMap(({ hash }, place) => (hashes.has(hash) ? [{ hash, place }] : []))
    for (const { name, hash } of contracts) {
      const own = this.#offered.find((one) => one.name === name)
      if (own === undefined || this.#offered.some((one) => one.hash === hash) || this.#told.has(hash)) continue
      this.#told.add(hash)
      this.#cli.note(
        `an evaluation waits for another ${shown({ name, hash })}; this worker has ${shown(own)}: the checks, plugins or version of Stickler differ`,
      )
    }
  }

  async #beat(): Promise<void> {
    while (!this.#isEnding) {
      await this.#look()
      await this.#database.jobs((boss) => boss.maintain())
      if (this.#cli.io.now() - this.#busyAt > this.#idleMs) this.#isEnding = true
      await pause(beatMs / 2)
    }
  }

  async #work(slot: JudgingSlot): Promise<void> {
    let waitMs = idleMs.least
    while (!this.#isEnding) {
      const isAny = await this.#workOff(slot)
      waitMs = isAny ? idleMs.least : Math.min(2 * waitMs, idleMs.most)
      if (!isAny) await pause(waitMs)
    }
  }

  /** Works off one job of each queue; whether there was any. */
  async #workOff(slot: JudgingSlot): Promise<boolean> {
    let isAny = false
    for (const contract of this.#wanted) {
      await slot.ready()
      const job = this.#isEnding ? undefined : await this.#database.take(queueOf(contract.hash))
      if (job === undefined) continue
      isAny = true
      this.#busyAt = this.#cli.io.now()
      this.#count += await workOffJob(job, { database: this.#database, slot, contract, stopping: this.#stopping.signal })
      this.#busyAt = this.#cli.io.now()
    }
    return isAny
  }
}
