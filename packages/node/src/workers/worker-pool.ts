import type { StopSignal } from '@stickler/core'
import { FairQueue, makeRoom, type Queued } from '@stickler/core/internal/services'

/** One of a pool: a thread, a process, or only the right to do something. */
export interface PoolWorker {
  /** Whether it takes no more work. */
  readonly isOver: boolean
  /** Settles when nothing is left of it. */
  readonly ended: Promise<unknown>
  /** Ends it, and with this failure what it does; settles when nobody need wait for it any longer. */
  end(failure: Error): Promise<unknown>
}

/** What the workers of a pool can be made ready for, such as a language. */
export interface Kinds<Worker> {
  has(worker: Worker, kind: string): boolean
  /** Makes a worker ready; when it rejects, all who wait for the kind have that failure. */
  load(worker: Worker, kind: string): Promise<void>
}

/** What a pool is made with. */
export interface WorkerPoolSettings<Worker> {
  /** Most workers at a time. */
  readonly workers: number
  /** Most calls that wait for a worker. */
  readonly queue: number
  start(): Worker
  /** The failure of a call for which there is no room in the queue. */
  full(): Error
  /** The failure of calls after the end of the pool. */
  closed?(): Error
  /** The failure of a caller that has left while it waited; by default the reason of its signal. */
  aborted?(): Error
  /** The failure of a call for which no worker could be started; by default what was thrown. */
  notStarted?(thrown: unknown): unknown
  /** Work is given only to workers that are ready for it: loading the same twice at a time would take longer, and nobody waits for what others load. */
  readonly kinds?: Kinds<Worker>
  /** Told when a call begins to wait, and when it waits no more. */
  onWaiting?(change: 1 | -1): void
}

/** A caller that waits for a worker. */
interface Entering {
  /** Callers take turns. */
  readonly caller?: string | undefined
  readonly stop?: StopSignal | undefined
  /** What the worker must be ready for. */
  readonly kind?: string
}

/** A worker for one call. */
export interface Lease<Worker> {
  readonly worker: Worker
  /** Gives the worker back; only the first call counts. */
  leave(): void
}

interface Waiting<Worker> {
  readonly kind: string
  readonly give: (worker: Worker) => void
  readonly refuse: (failure: unknown) => void
}

/**
 * A bounded number of workers, each for one call at a time: started on demand, kept for the next call, replaced when they end. Callers take turns;
 * when too many calls wait, the newest of the caller with the most gives way.
 */
export class WorkerPool<Worker extends PoolWorker> {
  readonly #with: WorkerPoolSettings<Worker>
  readonly #idle: Worker[] = []
  readonly #workers = new Set<Worker>()
  readonly #waiting = new FairQueue<Waiting<Worker>>()
  /** Kinds that a worker is being made ready for. */
  readonly #loading = new Set<string>()
  #isRetired = false
  #isClosed = false

  constructor(settings: WorkerPoolSettings<Worker>) {
    this.#with = settings
  }

  /** All workers that have not ended. */
  get workers(): ReadonlySet<Worker> {
    return this.#workers
  }

  /** Waits for a worker, but not past the stop of the call. */
  async enter({ caller = '', stop, kind = '' }: Entering = {}): Promise<Lease<Worker>> {
    const worker = await this.#turn(caller, stop, kind)
    let isHeld = true
    const leave = (): void => {
      if (isHeld) this.#free(worker)
      isHeld = false
    }
    if (!stop?.aborted) return { worker, leave }
    leave()
    throw this.#aborted(stop)
  }

  /** Ends workers as soon as they have nothing to do: another pool has taken over. */
  retire(): void {
    this.#isRetired = true
    for (const worker of this.#idle.splice(0)) void worker.end(this.#closed())
  }

  /** Ends all workers, and what they do; calls that wait are refused. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const entry of this.#waiting) if (this.#waiting.delete(entry)) entry.item.refuse(this.#closed())
    await Promise.all([...this.#workers].map((worker) => worker.end(this.#closed())))
  }

  #turn(caller: string, stop: StopSignal | undefined, kind: string): Promise<Worker> {
    const { queue, full, onWaiting } = this.#with
    if (stop?.aborted) return Promise.reject(this.#aborted(stop))
    if (this.#isClosed) return Promise.reject(this.#closed())
    if (!this.#hasRoom && !makeRoom(this.#waiting, queue, caller, ({ refuse }) => refuse(full()))) return Promise.reject(full())
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        if (this.#waiting.delete(entry)) entry.item.refuse(this.#aborted(stop))
      }
      const settled = (): void => {
        stop?.removeEventListener('abort', leave)
        onWaiting?.(-1)
      }
      const give = (worker: Worker): void => {
        settled()
        resolve(worker)
      }
      const refuse = (failure: unknown): void => {
        settled()
        reject(failure)
      }
      stop?.addEventListener('abort', leave)
      const entry = this.#waiting.add(caller, { kind, give, refuse })
      onWaiting?.(1)
      this.#next()
    })
  }

  get #hasRoom(): boolean {
    // A worker that is over counts until it has ended, so that there are never more than allowed.
    return this.#idle.some(({ isOver }) => !isOver) || this.#workers.size < this.#with.workers
  }

  #closed(): Error {
    return this.#with.closed?.() ?? new Error('the pool is closed')
  }

  #aborted(stop: StopSignal | undefined): unknown {
    return this.#with.aborted?.() ?? stop?.reason
  }

  #next(): void {
    const { kinds } = this.#with
    if (kinds === undefined) {
      for (let entry = this.#waiting.next; entry !== undefined && this.#hasRoom; entry = this.#waiting.next) this.#give(entry)
      return
    }
    // Most often there is none, and finding out what could be next costs as much as there are callers.
    if (!this.#hasRoom) return
    for (const entry of this.#waiting) {
      if (!this.#hasRoom) return
      const { kind, give } = entry.item
      const worker = this.#takeIdle((one) => !one.isOver && kinds.has(one, kind))
      if (worker === undefined) {
        if (!this.#loading.has(kind)) void this.#load(kind, kinds)
        continue
      }
      this.#waiting.take(entry)
      give(worker)
    }
  }

  /** Gives a call its worker; if none can be started, it has no result, and the others keep waiting. */
  #give(entry: Queued<Waiting<Worker>>): void {
    this.#waiting.take(entry)
    let worker: Worker
    try {
      worker = this.#take()
    } catch (thrown) {
      entry.item.refuse(this.#with.notStarted?.(thrown) ?? thrown)
      return
    }
    entry.item.give(worker)
  }

  async #load(kind: string, kinds: Kinds<Worker>): Promise<void> {
    this.#loading.add(kind)
    let worker: Worker | undefined
    try {
      worker = this.#take()
      await kinds.load(worker, kind)
    } catch (thrown) {
      const failure = worker === undefined ? (this.#with.notStarted?.(thrown) ?? thrown) : thrown
      for (const entry of this.#waiting) if (entry.item.kind === kind && this.#waiting.delete(entry)) entry.item.refuse(failure)
    }
    this.#loading.delete(kind)
    if (worker !== undefined) this.#free(worker)
  }

  /** A worker that is idle, or a new one. */
  #take(): Worker {
    const idle = this.#takeIdle(({ isOver }) => !isOver)
    if (idle !== undefined) return idle
    const worker = this.#with.start()
    this.#workers.add(worker)
    void worker.ended.then(() => {
      this.#workers.delete(worker)
      this.#takeIdle((one) => one === worker)
      if (!this.#isClosed) this.#next()
    })
    return worker
  }

  #takeIdle(suits: (worker: Worker) => boolean): Worker | undefined {
    const at = this.#idle.findIndex(suits)
    return at < 0 ? undefined : this.#idle.splice(at, 1)[0]
  }

  #free(worker: Worker): void {
    if (!worker.isOver && this.#isRetired && this.#waiting.size === 0) void worker.end(this.#closed())
    else if (!worker.isOver) this.#idle.push(worker)
    this.#next()
  }
}

/** A pool of places: so many calls at a time, each of which does what it has to by itself. */
export function openPlaces(places: number, queue: number, full: () => Error): WorkerPool<PoolWorker> {
  const start = (): PoolWorker => ({ isOver: false, ended: new Promise(() => {}), end: async () => {} })
  return new WorkerPool({ workers: places, queue, start, full })
}
