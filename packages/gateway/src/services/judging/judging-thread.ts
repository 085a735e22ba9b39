import { createRequire } from 'node:module'
import type { Clock, StopSignal } from '@stickler/core'
import { errorMessage } from '@stickler/core/internal'
import { type Job, type JobResult, RemoteFailure } from '@stickler/core/internal/remote'
import type { SyntaxParser } from '@stickler/core/validators'
import { type ChannelListener, openThread, type ThreadChannel, Worker } from '@stickler/node/internal'
import { answerCall, type RulePorts } from './message-ports.ts'
import type { FromThread, PortCall, ToThread } from './messages.ts'

/** What a thread is started with. */
export interface ThreadSettings {
  readonly clock: Clock
  /** Milliseconds that one job may take. */
  readonly deadlineMs: number
  /** Megabytes of memory for one thread. */
  readonly memoryMb: number
  /** The parser, for checks that need it. */
  readonly parser?: SyntaxParser
  /** For checks that call external rules. */
  readonly rules?: RulePorts
}

/** Importing the validators takes longer than most jobs, and is not the answer's fault. */
const startMs = 30_000
/** A module may read files before it is ready, on a busy machine. */
const loadMs = 15_000
/**
 * How long a job whose client has disconnected may continue before its thread is terminated:
 * starting another one costs more.
 */
const leftMs = 250

/** Output of a job beyond this many bytes is dropped. */
const mostPrinted = 65_536

/** By package name, which resolves to the built file from sources and from a build alike. */
function findEntry(): string {
  return createRequire(import.meta.url).resolve('@stickler/gateway/internal/judge')
}

/**
 * Threads keep the flags of the process, because plugins may need a loader; but a thread cannot
 * start with an input type.
 */
function flags(): { readonly execArgv?: string[] } {
  return process.execArgv.some((flag) => flag.startsWith('--input-type')) ? { execArgv: [] } : {}
}

interface Running {
  readonly id: number
  readonly kind: Job['kind']
  /** For whom the job is performed. */
  readonly caller: string
  /** Ends the calls of the parser with the job. */
  readonly over: AbortController
}

/** Starts a thread whose output does not mix with the data that a command prints. */
function open({ memoryMb }: ThreadSettings, listener: ChannelListener<FromThread>): ThreadChannel<ToThread> {
  const resourceLimits = { maxOldGenerationSizeMb: memoryMb }
  return openThread(findEntry(), { name: 'stickler-judge', resourceLimits, stdout: true, ...flags() }, listener)
}

/**
 * One thread that performs one job at a time; a job that takes too long is terminated with its
 * thread.
 */
export class JudgingThread extends Worker<ToThread, FromThread, ThreadChannel<ToThread>> {
  readonly #with: ThreadSettings
  #isReady = false
  #running: Running | undefined
  #lastId = 0
  #mayPrint = mostPrinted
  /** Whether the job was abandoned. */
  #isLeft = false

  constructor(settings: ThreadSettings) {
    super(settings.clock, (listener) => open(settings, listener))
    this.#with = settings
    this.channel.thread.stdout.on('data', (printed: Buffer) => this.#print(printed))
  }

  /** Performs a job; rejects with a RemoteFailure when it has no result. */
  async run(job: Job, stop: StopSignal | undefined, caller: string): Promise<JobResult> {
    const id = ++this.#lastId
    this.#mayPrint = mostPrinted
    this.#isLeft = false
    const over = new AbortController()
    const leave = (): void => {
      this.#isLeft = true
      this.post({ abort: id })
      this.limit(leftMs, new RemoteFailure('aborted', 'the client disconnected'))
    }
    this.#running = { id, kind: job.kind, caller, over }
    try {
      const result = this.ask<JobResult>({ id, job })
      this.#limitJob()
      stop?.addEventListener('abort', leave)
      return await result
    } finally {
      stop?.removeEventListener('abort', leave)
      this.#running = undefined
      over.abort()
    }
  }

  protected hear(message: FromThread): void {
    // A check can send anything.
    if (typeof message !== 'object' || message === null) return
    if ('ready' in message) {
      this.#isReady = true
      this.#limitJob()
      return
    }
    // Loading has its own limit: it is not the answer's fault.
    if ('loaded' in message) {
      if (message.loaded === this.#running?.id) this.#limitJob()
      return
    }
    if ('call' in message) return void this.#answer(message.call, message.asks)
    if (message.id !== this.#running?.id) return
    if ('error' in message) this.fail(new RemoteFailure('crash', message.error))
    else this.settle(message.result)
    if ('heavy' in message) void this.end(new RemoteFailure('crash', 'the judging thread used too much memory'))
  }

  protected failureOf(thrown: unknown = 'the judging thread ended'): RemoteFailure {
    return new RemoteFailure('crash', errorMessage(thrown))
  }

  #limitJob(): void {
    if (this.#isLeft) return
    const deadlineMs = this.#running?.kind === 'describe' ? loadMs : this.#with.deadlineMs
    if (this.#isReady) this.limit(deadlineMs, new RemoteFailure('timeout', `judging took longer than ${deadlineMs} ms`))
    else this.limit(startMs, new RemoteFailure('unavailable', `the judging thread did not start within ${startMs} ms`))
  }

  #print(printed: Buffer): void {
    process.stderr.write(printed.subarray(0, this.#mayPrint))
    this.#mayPrint = Math.max(0, this.#mayPrint - printed.length)
  }

  async #answer(answered: number, asks: PortCall): Promise<void> {
    const { over, caller } = this.#running ?? {}
    const signal = over?.signal
    if (signal === undefined) return
    const { parser, rules } = this.#with
    const answer = await answerCall({ ...rules, ...(parser && { parser }) }, asks, signal, caller)
    if (!signal.aborted) this.post({ answered, answer })
  }
}
