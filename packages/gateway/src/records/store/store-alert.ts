/** What can fail for a while. */
type AlertTopic = 'journal' | 'database' | 'sums'

/** A condition that operators should know about; reported once when it begins and once when it ends. */
export interface StoreAlert {
  readonly kind: `${AlertTopic}-failing` | `${AlertTopic}-recovered` | 'lines-skipped' | 'records-refused'
  readonly message: string
}

/** Called with alerts. */
export type AlertListener = (alert: StoreAlert) => void

/** Reports consecutive failures as one alert, and the first success after them as another. */
export class AlertSwitch {
  #failing = false
  readonly #topic: AlertTopic
  readonly #listener: AlertListener

  constructor(topic: AlertTopic, listener: AlertListener) {
    this.#topic = topic
    this.#listener = listener
  }

  get failing(): boolean {
    return this.#failing
  }

  failed(message: string): void {
    if (this.#failing) return
    this.#failing = true
    this.#listener({ kind: `${this.#topic}-failing`, message })
  }

  worked(): void {
    if (!this.#failing) return
    this.#failing = false
    this.#listener({
      kind: `${this.#topic}-recovered`,
      message: this.#topic === 'sums' ? 'runs are added to sums again' : `the ${this.#topic} works again`,
    })
  }
}
