import type { Clock } from '@stickler/core'
import type { WaitLimit } from '@stickler/core/internal'
import { type MetricsSnapshot, mergeCounters } from '@stickler/gateway/internal'
import { PendingReplies } from '@stickler/node/internal/replies'
import { isMetricsMessage, type MetricsMessage, type Worker } from './workers.ts'

/** A worker that takes longer to send its metrics is left out. */
const patienceMs = 1000

/** Shares metrics between workers; values shown once are kept, even for slow or dead workers. */
export class MetricsBroker {
  /** With the last metrics of each. */
  readonly #workers = new Map<Worker, MetricsSnapshot | undefined>()
  /** The metrics of workers that have exited. */
  #left: Promise<MetricsSnapshot> | undefined
  readonly #replies = new PendingReplies<MetricsSnapshot>()
  readonly #limit: WaitLimit

  constructor(clock: Clock) {
    this.#limit = { clock, timeoutMs: patienceMs }
  }

  /** Registers a worker until it exits. */
  join(worker: Worker): Worker {
    this.#workers.set(worker, undefined)
    worker.onExit(() => this.#bury(worker))
    worker.onMessage((message) => {
      if (!isMetricsMessage(message)) return
      if (message.metrics === 'tell') {
        this.#note(worker, message.snapshot)
        this.#replies.get(message.id)?.resolve(message.snapshot)
      }
      if (message.metrics === 'want') {
        this.#note(worker, message.snapshot)
        void this.#serve(worker, message.id)
      }
    })
    return worker
  }

  async #serve(asker: Worker, id: number): Promise<void> {
    const others = [...this.#workers.keys()].filter((worker) => worker !== asker)
    await Promise.all(
      others.map((worker) =>
        this.#replies.askWithin(this.#limit, (number) => worker.send({ metrics: 'ask', id: number } satisfies MetricsMessage)),
      ),
    )
    const left = await this.#left
    // Workers that exited meanwhile are already among the kept ones.
    const told = others.map((worker) => this.#workers.get(worker))
    const snapshots = [...told, left].filter((snapshot) => snapshot !== undefined)
    asker.send({ metrics: 'give', id, snapshots } satisfies MetricsMessage)
  }

  #note(worker: Worker, snapshot: MetricsSnapshot | undefined): void {
    if (snapshot !== undefined && this.#workers.has(worker)) this.#workers.set(worker, snapshot)
  }

  #bury(worker: Worker): void {
    const last = this.#workers.get(worker)
    this.#workers.delete(worker)
    if (last === undefined) return
    const before = this.#left
    this.#left = (async () => mergeCounters(before === undefined ? [last] : [await before, last]))()
  }
}
