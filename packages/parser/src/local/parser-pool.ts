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

interface Waiting {
  readonly snippet: Snippet
  readonly resolve: (faults: Faults) => void
  readonly reject: (failure: unknown) => void
}

/** Parses snippets in a bounded number of processes, which are started when they are first needed and replaced when they end. */
export class ParserPool {
  readonly #with: PoolSettings
  readonly #idle: ParserProcess[] = []
  readonly #processes = new Set<ParserProcess>()
  readonly #waiting = new Set<Waiting>()
  #isClosed = false

  constructor(settings: PoolSettings) {
    this.#with = settings
  }

  /** Finds the faults of a snippet; rejects with ParserUnavailable when there is no result. A snippet whose caller leaves while it waits is not parsed. */
  run(snippet: Snippet, signal: AbortSignal | undefined): Promise<Faults> {
    const { queue } = this.#with
    if (signal?.aborted) return Promise.reject(aborted())
    if (this.#isClosed) return Promise.reject(closed())
    if (this.#waiting.size >= queue && !this.#hasRoom)
      return Promise.reject(new ParserUnavailable(`${queue} snippets are waiting to be parsed already`, 'fault'))
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(waiting)
        settle(() => reject(aborted()))
      }
      const settle = (how: () => void): void => {
        signal?.removeEventListener('abort', leave)
        how()
      }
      const waiting: Waiting = {
        snippet,
        resolve: (faults) => settle(() => resolve(faults)),
        reject: (failure) => settle(() => reject(failure)),
      }
      signal?.addEventListener('abort', leave)
      this.#waiting.add(waiting)
      this.#next()
    })
  }

  /** Ends all processes; what they parse has no result. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { reject } of this.#waiting) reject(closed())
    this.#waiting.clear()
    const processes = [...this.#processes]
    for (const child of processes) child.end(closed())
    await Promise.all(processes.map(({ ended }) => ended))
  }

  /** One process starts at a time: another one would only slow it down, and may not be needed when it is ready. */
  get #hasRoom(): boolean {
    if (this.#idle.length > 0) return true
    return this.#processes.size < this.#with.processes && [...this.#processes].every(({ isReady }) => isReady)
  }

  /** An idle process, one that has the grammar if there is such a one. */
  #takeIdle({ language }: Snippet): ParserProcess | undefined {
    const at = this.#idle.findIndex((child) => child.hasLoaded(language))
    return this.#idle.splice(at, 1)[0]
  }

  #next(): void {
    for (const waiting of this.#waiting) {
      if (!this.#hasRoom) return
      this.#waiting.delete(waiting)
      void this.#perform(waiting)
    }
  }

  async #perform({ snippet, resolve, reject }: Waiting): Promise<void> {
    let child: ParserProcess | undefined
    try {
      child = this.#takeIdle(snippet) ?? this.#start()
      resolve(await child.run(snippet))
    } catch (error) {
      reject(
        error instanceof ParserUnavailable ? error : new ParserUnavailable(`no parser process could be started: ${String(error)}`, 'fault'),
      )
    }
    // One that is over is replaced when it has ended, so that there are never more than allowed.
    if (child === undefined || child.isOver) return
    this.#idle.push(child)
    this.#next()
  }

  #start(): ParserProcess {
    const child = new ParserProcess(this.#with, () => this.#next())
    this.#processes.add(child)
    void child.ended.then(() => {
      this.#processes.delete(child)
      const at = this.#idle.indexOf(child)
      if (at >= 0) this.#idle.splice(at, 1)
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
