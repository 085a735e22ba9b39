import type { CallCost } from '../ports.ts'

/** What calls without a configured price have cost, by model; until that is known, they are made one at a time. */
export class SeenCosts {
  readonly #largest = new Map<string, number>()
  readonly #first = new Map<string, Promise<void>>()

  /** What to set aside for a call: the largest cost so far, or the whole cap for the call that is to show it, which all others wait for. */
  async begin(model: string, capUsd: number, wait: (first: Promise<void>) => Promise<void>): Promise<SeenCall> {
    const first = this.#first.get(model)
    if (!this.#largest.has(model) && first !== undefined) {
      await wait(first)
      // Another one may have become the first.
      if (this.#first.get(model) !== first) return this.begin(model, capUsd, wait)
    }
    const largest = this.#largest.get(model)
    if (largest !== undefined) return { leastUsd: 0, mostUsd: largest, end: (costUsd) => this.#see(model, costUsd) }
    let settle = (): void => {}
    const running = new Promise<void>((resolve) => {
      settle = resolve
    })
    this.#first.set(model, running)
    return {
      leastUsd: 0,
      mostUsd: capUsd,
      end: (costUsd) => {
        this.#see(model, costUsd)
        if (this.#first.get(model) === running) this.#first.delete(model)
        settle()
      },
    }
  }

  #see(model: string, costUsd: number | undefined): void {
    if (costUsd === undefined) return
    const largest = Math.max(this.#largest.get(model) ?? 0, costUsd)
    this.#largest.delete(model)
    this.#largest.set(model, largest)
    const [oldest] = this.#largest.keys()
    if (this.#largest.size > mostModels && oldest !== undefined) this.#largest.delete(oldest)
  }
}

/** More models are forgotten, the longest unused first. */
const mostModels = 1000

/** A call whose cost is known only afterwards. */
export interface SeenCall extends CallCost {
  /** Takes what the call has cost; undefined for one that failed before anybody knew. */
  end(costUsd: number | undefined): void
}
