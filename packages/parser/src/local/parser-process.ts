import { type ChildProcess, fork } from 'node:child_process'
import { createRequire } from 'node:module'
import type { Clock } from '@stickler/core'
import { ParserUnavailable, type SyntaxFault } from '@stickler/core/syntax'
import type { FromThread, Load, Snippet, Start, ThreadData } from './messages.ts'
import { SnippetFailure } from './snippet-failure.ts'

/** What a process is started with. */
export interface ProcessSettings extends ThreadData {
  readonly clock: Clock
  /** Milliseconds that one snippet may take. */
  readonly timeoutMs: number
  /** Milliseconds for a process to start and load a grammar, which is not the snippet's fault. */
  readonly loadMs: number
  /** Megabytes of memory for one process. */
  readonly memoryMb: number
}

/** By the name of the package, which leads to the built file from sources and from a build alike. */
function findEntry(): string {
  return createRequire(import.meta.url).resolve('@stickler/parser/child')
}

interface Running {
  readonly isParsing: boolean
  readonly resolve: (faults: readonly SyntaxFault[]) => void
  readonly reject: (failure: ParserUnavailable) => void
}

/** One process that loads a grammar or parses a snippet, one at a time; a snippet that takes too long or crashes the parser ends with its process. */
export class ParserProcess {
  /** Settles when the process has ended. */
  readonly ended: Promise<void>
  readonly #child: ChildProcess
  readonly #with: ProcessSettings
  readonly #loaded = new Set<string>()
  #isOver = false
  #running: Running | undefined
  #cancelTimer = (): void => {}

  constructor(settings: ProcessSettings) {
    this.#with = settings
    const { memoryMb, modules, catalogues } = settings
    // Grammars need neither the host's secrets nor its debugger, and what they print is not its output.
    this.#child = fork(findEntry(), { env: {}, execArgv: [], serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
    this.#release()
    this.#child.on('message', (message) => this.#take(message as FromThread))
    this.ended = new Promise((resolve) => {
      const over = (how: string): void => {
        this.end(this.#endedBy(how))
        resolve()
      }
      this.#child.on('error', ({ message }) => over(message))
      this.#child.once('exit', (code, signal) => over(signal ?? `code ${code}`))
    })
    this.#send({ start: { modules, catalogues, memoryMb } })
  }

  /** Whether it can parse a language without loading its grammar. */
  hasLoaded(language: string): boolean {
    return this.#loaded.has(language)
  }

  /** Whether it can take no more snippets. */
  get isOver(): boolean {
    return this.#isOver
  }

  /** Loads a grammar; rejects with ParserUnavailable. */
  async load(language: string): Promise<void> {
    const { loadMs } = this.#with
    const late = new ParserUnavailable(`the grammar did not load within ${loadMs} ms`, 'fault', undefined, 'timeout')
    await this.#ask({ load: language }, loadMs, late)
    this.#loaded.add(language)
  }

  /** Finds the faults of a snippet in a language that is loaded; rejects with ParserUnavailable when there is no result. */
  parse({ language, source }: Snippet): Promise<readonly SyntaxFault[]> {
    const { timeoutMs } = this.#with
    return this.#ask({ language, source }, timeoutMs, new SnippetFailure(`parsing took longer than ${timeoutMs} ms`))
  }

  /** Ends the process, and what it does. */
  end(failure: ParserUnavailable): void {
    this.#isOver = true
    this.#cancelTimer()
    this.#running?.reject(failure)
    this.#hold()
    this.#child.kill('SIGKILL')
  }

  /** Keeps a host that has nothing else to do from exiting before the verdict, or before the end of a process that is ended. */
  #hold(): void {
    this.#child.ref()
    this.#child.channel?.ref()
  }

  #release(): void {
    if (this.#isOver) return
    this.#child.unref()
    this.#child.channel?.unref()
  }

  async #ask(message: Load | Snippet, ms: number, late: ParserUnavailable): Promise<readonly SyntaxFault[]> {
    this.#hold()
    this.#cancelTimer = this.#with.clock.after(ms, () => this.end(late))
    try {
      return await new Promise((resolve, reject) => {
        this.#running = { isParsing: 'source' in message, resolve, reject }
        this.#send(message)
      })
    } finally {
      this.#cancelTimer()
      this.#running = undefined
      this.#release()
    }
  }

  #send(message: Start | Load | Snippet): void {
    // A dead process reports its end by itself.
    this.#child.send(message, () => {})
  }

  #take(message: FromThread): void {
    if (this.#running === undefined) return
    if ('loaded' in message) this.#running.resolve([])
    else if ('faults' in message) this.#running.resolve(message.faults)
    else if (message.cause === 'load') this.#running.reject(new ParserUnavailable(`the grammar did not load: ${message.problem}`, 'fault'))
    // A parser that has crashed may be damaged: another process takes its place.
    else this.end(crashOf(message.cause, message.problem))
  }

  /** A process that ends while it parses was ended by the snippet: native code has no other way to report a full stack. */
  #endedBy(how: string): ParserUnavailable {
    if (!this.#running?.isParsing) return new ParserUnavailable(`the parser process ended with ${how}`, 'fault', undefined, 'exit')
    return new SnippetFailure(`the code is too much for the parser, which ended with ${how}`)
  }
}

function crashOf(cause: 'crash' | 'stack' | 'memory', problem: string): SnippetFailure {
  if (cause === 'stack') return new SnippetFailure('the code is nested too deeply to be parsed')
  if (cause === 'memory') return new SnippetFailure('parsing took more memory than allowed')
  return new SnippetFailure(`the parser crashed: ${problem}`)
}
