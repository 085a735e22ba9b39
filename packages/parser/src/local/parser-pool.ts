import { Stop } from '@stickler/core/internal'
import { ParserUnavailable, type SyntaxFault } from '@stickler/core/validators'
import { WorkerPool } from '@stickler/node/internal'
import type { Snippet } from './messages.ts'
import { ParserProcess, type ProcessSettings } from './parser-process.ts'

/** What a pool is made with. */
interface PoolSettings extends ProcessSettings {
  /** Most processes at a time. */
  readonly processes: number
  /** Most snippets that wait for a process. */
  readonly queue: number
}

type Faults = readonly SyntaxFault[]

/** The caller that waits for a snippet, and its time limit. */
interface Caller {
  /** Callers take turns. */
  readonly name?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Milliseconds after which the caller gives up. */
  readonly patienceMs?: number | undefined
  /** Told why parsing has no result, also when the caller has left before. */
  readonly onFailure?: (failure: unknown) => void
}

/** Parses snippets in a bounded number of processes, which are started when they are first needed and replaced when they end. */
export class ParserPool {
  readonly #with: PoolSettings
  readonly #pool: WorkerPool<ParserProcess>

  constructor(settings: PoolSettings) {
    const { processes: workers, queue } = settings
    this.#with = settings
    this.#pool = new WorkerPool({
      workers,
      queue,
      start: () => new ParserProcess(settings),
      full: () => new ParserUnavailable(`${queue} snippets are already waiting to be parsed`, 'fault'),
      closed: () => new ParserUnavailable('the parser is closed', 'fault'),
      notStarted: (thrown) => new ParserUnavailable(`no parser process could be started: ${String(thrown)}`, 'fault', undefined, 'missing'),
      kinds: { has: (child, language) => child.hasLoaded(language), load: (child, language) => child.load(language) },
    })
  }

  /**
   * Finds the faults of a snippet; rejects with ParserUnavailable when there is no result. A
   * snippet whose caller leaves while it waits is not parsed.
   */
  async run(snippet: Snippet, caller: Caller = {}): Promise<Faults> {
    const { signal, patienceMs = Number.POSITIVE_INFINITY } = caller
    const gone = new Stop()
    const leave = (): void => gone.abort(new ParserUnavailable('parsing was aborted', 'aborted'))
    if (signal?.aborted) leave()
    signal?.addEventListener('abort', leave)
    try {
      return await new Promise((resolve, reject) => {
        gone.addEventListener('abort', () => reject(gone.reason))
        this.#parse(snippet, { ...caller, patienceMs }, gone).then(resolve, reject)
      })
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  /** Whether a process can parse a language without loading its grammar. */
  hasLoaded(language: string): boolean {
    return [...this.#pool.workers].some((child) => !child.isOver && child.hasLoaded(language))
  }

  /** Ends all processes; what they parse has no result. */
  async close(): Promise<void> {
    await this.#pool.close()
  }

  async #parse(snippet: Snippet, { name, patienceMs, onFailure }: Caller & { readonly patienceMs: number }, gone: Stop): Promise<Faults> {
    const { clock, timeoutMs } = this.#with
    const since = clock.now()
    // Told before the caller gives up on a parser that has only too much to do.
    let cancelTimer = this.#limit(patienceMs, 'it waited longer', gone)
    try {
      const { worker, leave } = await this.#pool.enter({ caller: name, stop: gone, kind: snippet.language })
      cancelTimer()
      const left = patienceMs - (clock.now() - since)
      // The process has its own limit, which may be longer. A snippet that waited for most of its time is not to blame, and one with all its time needs no second limit.
      if (left >= patienceMs / 4 && left <= timeoutMs) cancelTimer = this.#limit(left, 'parsing took longer', gone)
      try {
        return await worker.parse(snippet)
      } catch (error) {
        onFailure?.(error)
        throw error
      } finally {
        leave()
      }
    } finally {
      cancelTimer()
    }
  }

  #limit(ms: number, what: string, gone: Stop): () => void {
    if (!Number.isFinite(ms)) return () => {}
    return this.#with.clock.after(ms, () => gone.abort(new ParserUnavailable(`${what} than ${Math.round(ms)} ms`, 'too-hard')))
  }
}
