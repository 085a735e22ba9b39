/** How a job of the pool ended. */
const jobEnds = ['done', 'deadline', 'crash', 'full', 'aborted'] as const

export type JobEnd = (typeof jobEnds)[number]

/** What pools have done since the process started, over all configurations. */
export class JudgingCounts {
  /** Jobs that wait for a thread. */
  queued = 0
  /** Threads that are running. */
  threads = 0
  readonly #ended = new Map<JobEnd, number>(jobEnds.map((end) => [end, 0]))

  /** Counts a job that is over. */
  end(how: JobEnd): void {
    this.#ended.set(how, this.ended(how) + 1)
  }

  /** How many jobs ended in each way. */
  ends(): Iterable<readonly [JobEnd, number]> {
    return this.#ended
  }

  /** How many jobs ended this way. */
  ended(how: JobEnd): number {
    return this.#ended.get(how) ?? 0
  }
}
