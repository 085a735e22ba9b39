import { createRequire } from 'node:module'
import type { Clock } from '@stickler/core'
import { errorMessage } from '@stickler/core/internal'
import { ParserUnavailable, type SyntaxFault } from '@stickler/core/validators'
import { openProcess, Worker } from '@stickler/node/internal'
import type { FromThread, Load, Snippet, Start, ThreadData } from './messages.ts'

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
  return createRequire(import.meta.url).resolve('@stickler/parser/internal/child')
}

/** Thrown when a snippet has ended the process that parsed it: it is too much for the parser, which serves the others as before. */
export class SnippetFailure extends ParserUnavailable {
  constructor(message: string) {
    super(message, 'too-hard')
  }
}

/** One process that loads a grammar or parses a snippet, one at a time; a snippet that takes too long or crashes the parser ends with its process. */
export class ParserProcess extends Worker<Start | Load | Snippet, FromThread> {
  readonly #with: ProcessSettings
  readonly #loaded = new Set<string>()
  #isParsing = false

  constructor(settings: ProcessSettings) {
    // Grammars need neither the host's secrets nor its debugger, and what they print is not its output.
    super(settings.clock, (listener) => openProcess(findEntry(), listener))
    this.#with = settings
    const { memoryMb, modules, catalogues } = settings
    this.post({ start: { modules, catalogues, memoryMb } })
  }

  /** Whether it can parse a language without loading its grammar. */
  hasLoaded(language: string): boolean {
    return this.#loaded.has(language)
  }

  /** Loads a grammar; rejects with ParserUnavailable. */
  async load(language: string): Promise<void> {
    const { loadMs } = this.#with
    const late = new ParserUnavailable(`the grammar did not load within ${loadMs} ms`, 'fault', undefined, 'timeout')
    await this.#within(loadMs, late, { load: language })
    this.#loaded.add(language)
  }

  /** Finds the faults of a snippet in a language that is loaded; rejects with ParserUnavailable when there is no result. */
  parse({ language, source }: Snippet): Promise<readonly SyntaxFault[]> {
    const { timeoutMs } = this.#with
    return this.#within(timeoutMs, new SnippetFailure(`parsing took longer than ${timeoutMs} ms`), { language, source })
  }

  protected hear(message: FromThread): void {
    if (!this.isBusy) return
    if ('loaded' in message) this.settle([])
    else if ('faults' in message) this.settle(message.faults)
    else if (message.cause === 'load') this.fail(new ParserUnavailable(`the grammar did not load: ${message.problem}`, 'fault'))
    // A parser that has crashed may be damaged: another process takes its place.
    else void this.end(crashOf(message.cause, message.problem))
  }

  /** A process that ends while it parses was ended by the snippet: native code has no other way to report a full stack. */
  protected failureOf(thrown: unknown): ParserUnavailable {
    const how = errorMessage(thrown)
    if (!this.isBusy || !this.#isParsing) return new ParserUnavailable(`the parser process ended with ${how}`, 'fault', undefined, 'exit')
    return new SnippetFailure(`the code is too much for the parser, which ended with ${how}`)
  }

  #within(ms: number, late: ParserUnavailable, message: Load | Snippet): Promise<readonly SyntaxFault[]> {
    this.#isParsing = 'source' in message
    const faults = this.ask<readonly SyntaxFault[]>(message)
    this.limit(ms, late)
    return faults
  }
}

function crashOf(cause: 'crash' | 'stack' | 'memory', problem: string): SnippetFailure {
  if (cause === 'stack') return new SnippetFailure('the code is nested too deeply to be parsed')
  if (cause === 'memory') return new SnippetFailure('parsing took more memory than allowed')
  return new SnippetFailure(`the parser crashed: ${problem}`)
}
