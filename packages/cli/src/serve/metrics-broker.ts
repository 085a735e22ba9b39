import type { Clock } from '@stickler/core'
import type { MetricsSnapshot } from '@stickler/gateway'
import { isMetricsMessage, type MetricsMessage } from './metrics-message.ts'
import { PendingAnswers } from './pending-answers.ts'
import type { Worker } from './workers.ts'

/** A worker that takes longer to tell its metrics is left out. */
const patienceMs = 1000

/** Gets workers the metrics of each other. */
export class MetricsBroker {
  readonly #workers = new Set<Worker>()
  readonly #answers: PendingAnswers<MetricsSnapshot>

  constructor(clock: Clock) {
    this.#answers = new PendingAnswers(clock, patienceMs)
  }

  /** Takes a worker in until it ends. */
  join(worker: Worker): Worker {
    this.#workers.add(worker)
    worker.onExit(() => void this.#workers.delete(worker))
    worker.onMessage((message) => {
      if (!isMetricsMessage(message)) return
      if (message.metrics === 'tell') this.#answers.settle(message.id, message.snapshot)
      if (message.metrics === 'want') void this.#serve(worker, message.id)
    })
    return worker
  }

  async #serve(asker: Worker, id: number): Promise<void> {
    const others = [...this.#workers].filter((worker) => worker !== asker)
    const told = await Promise.all(
      others.map((worker) => this.#answers.ask((number) => worker.send({ metrics: 'ask', id: number } satisfies MetricsMessage))),
    )
    const snapshots = told.filter((snapshot) => snapshot !== undefined)
    asker.send({ metrics: 'give', id, snapshots } satisfies MetricsMessage)
  }
}
