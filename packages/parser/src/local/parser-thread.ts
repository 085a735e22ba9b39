import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { Clock } from '@stickler/core'
import { ParserUnavailable, type SyntaxFault } from '@stickler/core/syntax'
import type { FromThread, Snippet, ThreadData } from './messages.ts'
import { SnippetFailure } from './snippet-failure.ts'

/** What a thread is started with. */
export interface ThreadSettings extends ThreadData {
  readonly clock: Clock
  /** Milliseconds that one snippet may take. */
  readonly timeoutMs: number
  /** Milliseconds for a thread to start and load a grammar, which is not the snippet's fault. */
  readonly loadMs: number
  /** Megabytes of memory for one thread. */
  readonly memoryMb: number
}

/** By the name of the package, which leads to the built file from sources and from a build alike. */
function findEntry(): string {
  return createRequire(import.meta.url).resolve('@stickler/parser/thread')
}

interface Running {
  readonly language: string
  readonly resolve: (faults: readonly SyntaxFault[]) => void
  readonly reject: (failure: ParserUnavailable) => void
}

/** One thread that parses one snippet at a time; a snippet that takes too long or crashes the parser ends with its thread. */
export class ParserThread {
  /** Settles when the thread has ended. */
  readonly ended: Promise<void>
  readonly #worker: Worker
  readonly #with: ThreadSettings
  readonly #loaded = new Set<string>()
  #isOver = false
  #running: Running | undefined
  #cancelTimer = (): void => {}

  constructor(settings: ThreadSettings) {
    this.#with = settings
    const { memoryMb, modules } = settings
    this.#worker = new Worker(findEntry(), {
      name: 'stickler-parser',
      workerData: { modules } satisfies ThreadData,
      resourceLimits: { maxOldGenerationSizeMb: memoryMb },
      // Grammars read neither, and what they print is not the host's output.
      argv: [],
      env: {},
      stdout: true,
      stderr: true,
    })
    this.#worker.unref()
    this.#worker.on('message', (message: FromThread) => this.#take(message))
    this.#worker.on('messageerror', () => this.end(new SnippetFailure('what the parser found could not be read', 'fault')))
    this.#worker.on('error', (error: unknown) => this.end(failureOf(error)))
    this.ended = new Promise((resolve) => {
      this.#worker.once('exit', () => {
        this.end(new SnippetFailure('the parser thread ended', 'fault'))
        resolve()
      })
    })
  }

  /** Whether it can take no more snippets. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Finds the faults of a snippet; rejects with ParserUnavailable when there is no result. */
  async run({ language, source }: Snippet): Promise<readonly SyntaxFault[]> {
    // A process with nothing else to do must not exit before the verdict.
    this.#worker.ref()
    try {
      return await new Promise((resolve, reject) => {
        this.#running = { language, resolve, reject }
        this.#limit(language)
        this.#worker.postMessage({ language, source } satisfies Snippet)
      })
    } finally {
      this.#cancelTimer()
      this.#running = undefined
      this.#worker.unref()
    }
  }

  /** Ends the thread, and the snippet that it parses. */
  end(failure: ParserUnavailable): void {
    this.#isOver = true
    this.#cancelTimer()
    this.#running?.reject(failure)
    void this.#worker.terminate()
  }

  #limit(language: string): void {
    const { clock, timeoutMs, loadMs } = this.#with
    this.#cancelTimer()
    this.#cancelTimer = this.#loaded.has(language)
      ? clock.after(timeoutMs, () => this.end(new SnippetFailure(`parsing took longer than ${timeoutMs} ms`, 'too-large')))
      : clock.after(loadMs, () => this.end(new ParserUnavailable(`the grammar did not load within ${loadMs} ms`, 'fault')))
  }

  #take(message: FromThread): void {
    if (this.#running === undefined) return
    if ('loaded' in message) {
      this.#loaded.add(message.loaded)
      this.#limit(message.loaded)
    } else if ('faults' in message) this.#running.resolve(message.faults)
    else if (message.cause === 'load') this.#running.reject(new ParserUnavailable(`the grammar did not load: ${message.problem}`, 'fault'))
    // A parser that has crashed may be damaged: another thread takes its place.
    else if (message.cause === 'stack') this.end(new SnippetFailure('the code is nested too deeply to be parsed', 'too-large'))
    else this.end(new SnippetFailure(`the parser crashed: ${message.problem}`, 'fault'))
  }
}

function failureOf(error: unknown): ParserUnavailable {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY')
    return new SnippetFailure('parsing took more memory than allowed', 'too-large')
  return new SnippetFailure(`the parser crashed: ${error instanceof Error ? error.message : String(error)}`, 'fault')
}
