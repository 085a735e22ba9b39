import type { Clock } from '@stickler/core'
import { waitAtMost } from '@stickler/core/internal'
import type { RunRecord, ShadowRecord, ShadowVerdict } from '../../records/run/run-record.ts'
import { type ShadowJob, shadowVerdict } from './shadow-verdict.ts'

/** What the queue needs. */
interface ShadowPorts {
  readonly clock: Clock
  /** Adds the verdict to its run. */
  keep(record: ShadowRecord): Promise<void>
  /** Called with every verdict. */
  judged(verdict: ShadowVerdict, record: RunRecord): void
  /** Called with every answer that is not judged, because too many wait. */
  dropped(contract: string): void
}

const mostRunning = 2
const mostWaiting = 64
/** Characters of the answers that wait, and of the prompts that they are judged with. */
const mostText = 8 * 1024 * 1024
const longestMs = 30_000

/** Lets shadow contracts judge answers that have been sent, a few at a time; what is too much is dropped. */
export class ShadowQueue {
  readonly #ports: ShadowPorts
  readonly #waiting: Waiting[] = []
  readonly #running = new Set<Promise<void>>()
  readonly #stop = new AbortController()
  #text = 0

  constructor(ports: ShadowPorts) {
    this.#ports = ports
  }

  /** Takes an answer whose reply is over. */
  add(job: ShadowJob): void {
    const isFull = this.#stop.signal.aborted || this.#waiting.length >= mostWaiting
    const size = isFull ? 0 : heldBy(job, mostText)
    if (isFull || this.#text + size > mostText) {
      this.#ports.dropped(job.shadow.contractName)
      return
    }
    this.#text += size
    this.#waiting.push({ job, size, end: job.begin() })
    // After whatever else this turn has to do, such as the end of the reply.
    setImmediate(() => this.#next())
  }

  /** Waits for those that are being judged, for at most so long; the others are dropped. */
  async close(graceMs: number): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(), graceMs)
    while (this.#waiting.length > 0 || this.#running.size > 0) {
      if (this.#stop.signal.aborted) break
      this.#next()
      await waitAtMost(Promise.race(this.#running), { clock: this.#ports.clock, timeoutMs: graceMs }, () => {})
    }
    clearTimeout(timer)
    this.#stop.abort()
    for (const { job, end } of this.#waiting.splice(0)) {
      end()
      this.#ports.dropped(job.shadow.contractName)
    }
    await Promise.all(this.#running)
  }

  #next(): void {
    while (this.#running.size < mostRunning) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      const judged = this.#judge(next).finally(() => {
        this.#running.delete(judged)
        setImmediate(() => this.#next())
      })
      this.#running.add(judged)
    }
  }

  async #judge({ job, size, end }: Waiting): Promise<void> {
    const { clock, keep, judged } = this.#ports
    try {
      const signal = AbortSignal.any([this.#stop.signal, AbortSignal.timeout(longestMs)])
      const { record } = job
      const verdict = await shadowVerdict(job, signal, clock)
      judged(verdict, record)
      await keep({ id: record.id, at: record.at, verdict })
    } catch {
      // A verdict that cannot be stored is counted already, and the store reports why.
    } finally {
      this.#text -= size
      end()
    }
  }
}

/** The characters that a job keeps in memory; stops counting beyond a limit. */
function heldBy({ answer, context, record }: ShadowJob, limit: number): number {
  const seen = new Set<unknown>()
  const left: unknown[] = [answer?.text, context.prompt, record.text, record.request, record.prompt, record.attempts]
  let size = 0
  while (left.length > 0 && size <= limit) {
    const value = left.pop()
    if (typeof value === 'string') size += value.length
    else if (ArrayBuffer.isView(value)) size += value.byteLength
    else if (typeof value === 'object' && value !== null && !seen.has(value)) {
      seen.add(value)
      for (const part of Object.values(value)) left.push(part)
    }
  }
  return size
}

interface Waiting {
  readonly job: ShadowJob
  readonly size: number
  readonly end: () => void
}
