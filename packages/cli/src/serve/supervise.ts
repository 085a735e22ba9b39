import type { Clock } from '@stickler/core'
import { aborted } from './signals.ts'
import type { Worker, WorkerAddress } from './workers.ts'

/** What a group of workers needs. */
interface SuperviseOptions {
  readonly count: number
  fork(): Worker
  readonly clock: Clock
  /** Fires on shutdown. */
  readonly signal: AbortSignal
  /** How long workers have to finish on their own. */
  graceMs(): number
  note(line: string): void
  /** Called once, when all workers listen. */
  onReady(address: WorkerAddress, reload: () => void): Promise<void>
}

const firstDelayMs = 500
const longestDelayMs = 30_000
/** A worker that lived this long did not fail at startup. */
const soundMs = 60_000
/** How long workers have to exit after the grace period. */
const lastWordsMs = 2000

/** Keeps workers running until it is stopped; resolves to the exit code. */
export async function supervise(options: SuperviseOptions): Promise<number> {
  const { count, signal } = options
  const group = new WorkerGroup(options)
  // Start one first, so that an invalid configuration or port is reported once.
  const first = await group.start()
  if (typeof first === 'number') return first
  const others = await Promise.all(Array.from({ length: count - 1 }, () => group.start()))
  const failed = others.find((code) => typeof code === 'number')
  if (failed !== undefined && !signal.aborted) {
    await group.stop()
    return Number(failed)
  }
  group.keepAlive()
  if (!signal.aborted) await options.onReady(first, () => group.reload())
  await aborted(signal)
  await group.stop()
  return 0
}

class WorkerGroup {
  readonly #options: SuperviseOptions
  readonly #alive = new Set<Worker>()
  readonly #restarts = new Set<() => void>()
  #isKept = false
  #isStopping = false
  #crashes = 0
  #onEmpty = (): void => {}

  constructor(options: SuperviseOptions) {
    this.#options = options
  }

  /** Starts a worker; resolves to its address, or to its exit code when it exits before listening. */
  start(): Promise<WorkerAddress | number> {
    const { clock, fork } = this.#options
    const worker = fork()
    const begin = clock.now()
    this.#alive.add(worker)
    return new Promise((resolve) => {
      worker.onListening(resolve)
      worker.onExit((code) => {
        this.#alive.delete(worker)
        resolve(code ?? 1)
        if (this.#alive.size === 0) this.#onEmpty()
        if (this.#isKept && !this.#isStopping) this.#restart(code, clock.now() - begin)
      })
    })
  }

  /** Replaces workers that exit from now on. */
  keepAlive(): void {
    const { count } = this.#options
    this.#isKept = true
    for (let missing = count - this.#alive.size; missing > 0; missing--) this.#restart(null, 0)
  }

  reload(): void {
    for (const worker of this.#alive) worker.signal('SIGHUP')
  }

  /** Lets all workers finish, and kills those that do not. */
  async stop(): Promise<void> {
    const { clock, graceMs } = this.#options
    this.#isStopping = true
    for (const cancel of this.#restarts) cancel()
    const empty = new Promise<void>((resolve) => {
      this.#onEmpty = resolve
      if (this.#alive.size === 0) resolve()
    })
    for (const worker of this.#alive) worker.signal('SIGTERM')
    const cancel = clock.after(graceMs() + lastWordsMs, () => {
      for (const worker of this.#alive) worker.signal('SIGKILL')
    })
    await empty
    cancel()
  }

  #restart(code: number | null, livedMs: number): void {
    const { clock, note } = this.#options
    this.#crashes = livedMs >= soundMs ? 0 : this.#crashes + 1
    const delayMs = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.max(0, this.#crashes - 1))
    note(`a worker exited ${code === null ? 'by a signal' : `with exit code ${code}`}; a new one starts in ${delayMs / 1000} s`)
    const cancel = clock.after(delayMs, () => {
      this.#restarts.delete(cancel)
      void this.start()
    })
    this.#restarts.add(cancel)
  }
}
