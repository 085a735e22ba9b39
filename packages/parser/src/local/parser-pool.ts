import { FairQueue, makeRoom, type Queued } from '@stickler/core/services'
import { ParserUnavailable, type SyntaxFault } from '@stickler/core/syntax'
import type { Snippet } from './messages.ts'
import { ParserProcess, type ProcessSettings } from './parser-process.ts'

/** What a pool is made with. */
export interface PoolSettings extends ProcessSettings {
  /** Most processes at a time. */
  readonly processes: number
  /** Most snippets that wait for a process. */
  readonly queue: number
}

type Faults = readonly SyntaxFault[]

/** Who waits for a snippet, and for how long. */
export interface Caller {
  /** Callers take turns. */
  readonly name?: string | undefined
  readonly signal?: AbortSignal | undefined
  /** Milliseconds after which the caller gives up. */
  readonly patienceMs?: number | undefined
  /** Told why parsing has no result, also when the caller has left before. */
  readonly onFailure?: (failure: unknown) => void
}

interface Waiting extends Pick<Caller, 'onFailure'> {
  readonly snippet: Snippet
  readonly patienceMs: number
  /** When the caller came. */
  readonly since: number
  readonly resolve: (faults: Faults) => void
  readonly reject: (failure: unknown) => void
}

/** Parses snippets in a bounded number of processes, which are started when they are first needed and replaced when they end. */
export class ParserPool {
  readonly #with: PoolSettings
  readonly #idle: ParserProcess[] = []
  readonly #processes = new Set<ParserProcess>()
  readonly #waiting = new FairQueue<Waiting>()
  /** Languages whose grammar is being loaded. */
  readonly #loading = new Set<string>()
  #isClosed = false

  constructor(settings: PoolSettings) {
    this.#with = settings
  }

  /**
   * Finds the faults of a snippet; rejects with ParserUnavailable when there is no result. A
   * snippet whose caller leaves while it waits is not parsed.
   */
  run(snippet: Snippet, { name = '', signal, patienceMs = Number.POSITIVE_INFINITY, onFailure }: Caller = {}): Promise<Faults> {
    const { queue } = this.#with
    if (signal?.aborted) return Promise.reject(aborted())
    if (this.#isClosed) return Promise.reject(closed())
    const full = (): ParserUnavailable => new ParserUnavailable(`${queue} snippets are already waiting to be parsed`, 'fault')
    if (!this.#hasRoom && !makeRoom(this.#waiting, queue, name, ({ reject }) => reject(full()))) return Promise.reject(full())
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(entry)
        settle(() => reject(aborted()))
      }
      let cancelTimer = (): void => {}
      const settle = (how: () => void): void => {
        signal?.removeEventListener('abort', leave)
        cancelTimer()
        how()
      }
      const waiting: Waiting = {
        snippet,
        patienceMs,
        since: this.#with.clock.now(),
        ...(onFailure === undefined ? {} : { onFailure }),
        resolve: (faults) => settle(() => resolve(faults)),
        reject: (failure) => settle(() => reject(failure)),
      }
      signal?.addEventListener('abort', leave)
      const entry = this.#waiting.add(name, waiting)
      // Told before the caller gives up on a parser that has only too much to do.
      const giveUp = (): void => {
        if (this.#waiting.delete(entry))
          waiting.reject(new ParserUnavailable(`it waited longer than ${Math.round(patienceMs)} ms`, 'too-hard'))
      }
      if (Number.isFinite(patienceMs)) cancelTimer = this.#with.clock.after(patienceMs, giveUp)
      this.#next()
    })
  }

  /** Whether a process can parse a language without loading its grammar. */
  hasLoaded(language: string): boolean {
    return [...this.#processes].some((child) => !child.isOver && child.hasLoaded(language))
  }

  /** Ends all processes; what they parse has no result. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const entry of this.#waiting) if (this.#waiting.delete(entry)) entry.item.reject(closed())
    const processes = [...this.#processes]
    for (const child of processes) child.end(closed())
    await Promise.all(processes.map(({ ended }) => ended))
  }

  get #hasRoom(): boolean {
    return this.#idle.length > 0 || this.#processes.size < this.#with.processes
  }

  /**
   * Gives snippets to processes that have loaded their grammar, those of each caller in turn; one
   * that needs a grammar keeps waiting, and takes whichever process is free first.
   */
  #next(): void {
    // Most often there is none, and finding out what could be next costs as much as there are callers.
    if (!this.#hasRoom) return
    for (const waiting of this.#waiting) {
      if (!this.#hasRoom) return
      const { language } = waiting.item.snippet
      const child = this.#takeIdle((one) => one.hasLoaded(language))
      if (child !== undefined) void this.#perform(child, waiting)
      // Loading it twice at the same time would only take longer.
      else if (!this.#loading.has(language)) void this.#load(language)
    }
  }

  #takeIdle(suits: (child: ParserProcess) => boolean): ParserProcess | undefined {
    const at = this.#idle.findIndex(suits)
    return at < 0 ? undefined : this.#idle.splice(at, 1)[0]
  }

  async #perform(child: ParserProcess, entry: Queued<Waiting>): Promise<void> {
    this.#waiting.take(entry)
    const waiting = entry.item
    const cancelTimer = this.#limit(waiting)
    try {
      waiting.resolve(await child.parse(waiting.snippet))
    } catch (error) {
      waiting.onFailure?.(error)
      waiting.reject(error)
    }
    cancelTimer()
    this.#free(child)
  }

  /** Tells the caller before it gives up that the snippet takes too long; the process has its own limit, which may be longer. */
  #limit({ patienceMs, since, reject }: Waiting): () => void {
    const { clock, timeoutMs } = this.#with
    const left = patienceMs - (clock.now() - since)
    // A snippet that waited for most of its time is not to blame, and one with all its time needs no second limit.
    if (left < patienceMs / 4 || left > timeoutMs) return () => {}
    return clock.after(left, () => reject(new ParserUnavailable(`parsing took longer than ${Math.round(left)} ms`, 'too-hard')))
  }

  /** Has a process load a grammar; if that fails, all who wait for it have no result. */
  async #load(language: string): Promise<void> {
    this.#loading.add(language)
    let child: ParserProcess | undefined
    try {
      child = this.#takeIdle(() => true) ?? this.#start()
      await child.load(language)
    } catch (error) {
      const reason =
        error instanceof ParserUnavailable
          ? error
          : new ParserUnavailable(`no parser process could be started: ${String(error)}`, 'fault', undefined, 'missing')
      for (const waiting of this.#waiting)
        if (waiting.item.snippet.language === language && this.#waiting.delete(waiting)) waiting.item.reject(reason)
    }
    this.#loading.delete(language)
    if (child !== undefined) this.#free(child)
  }

  #free(child: ParserProcess): void {
    // One that is over is replaced when it has ended, so that there are never more than allowed.
    if (child.isOver) return
    this.#idle.push(child)
    this.#next()
  }

  #start(): ParserProcess {
    const child = new ParserProcess(this.#with)
    this.#processes.add(child)
    void child.ended.then(() => {
      this.#processes.delete(child)
      this.#takeIdle((one) => one === child)
      this.#next()
    })
    return child
  }
}

function aborted(): ParserUnavailable {
  return new ParserUnavailable('parsing was aborted', 'aborted')
}

function closed(): ParserUnavailable {
  return new ParserUnavailable('the parser is closed', 'fault')
}
