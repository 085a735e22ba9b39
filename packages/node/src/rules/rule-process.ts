import { type Clock, RunnerFailure } from '@stickler/core'
import { asRunnerFailure } from '@stickler/core/internal'
import { LineReader } from '../workers/lines.ts'
import { type RunningProcess, startProcess } from '../workers/process.ts'
import { type Channel, type ChannelListener, Worker } from '../workers/worker.ts'

/** How a program is started. */
interface RuleProgram {
  readonly run: readonly [program: string, ...arguments: string[]]
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly clock: Clock
}

/** More is not read of one line. */
const maxLine = 1024 * 1024
/** How long a process may take to end when it is asked to. */
const graceMs = 500

interface CommandChannel extends Channel<string> {
  readonly child: RunningProcess
}

/** Starts a program that reads and writes lines; throws when it is not there. */
function openCommand({ run: [command, ...args], cwd, env, clock }: RuleProgram, listener: ChannelListener<string>): CommandChannel {
  const limits = { bytes: Number.POSITIVE_INFINITY, lineBytes: maxLine, lines: Number.POSITIVE_INFINITY }
  const lines = new LineReader(limits, listener.heard)
  const onOutput = (bytes: Uint8Array): void => {
    lines.push(bytes)
    if (lines.excess !== undefined) listener.failed(new RunnerFailure('protocol', `it wrote ${lines.excess}`))
  }
  const child = startProcess({ command, args, cwd, env, onOutput, onErrorBytes: () => {}, graceMs, clock })
  child.ended.then(({ code, signal }) => listener.ended(exited(code, signal)), listener.ended)
  child.awaited(false)
  let isStopped = false
  return {
    child,
    send: (line) => child.write(`${line}\n`),
    hold: (isHeld) => child.awaited(isHeld || isStopped),
    stop() {
      isStopped = true
      void child.terminate()
    },
  }
}

/** One process of a program that answers one line with one line. */
export class RuleProcess extends Worker<string, string, CommandChannel> {
  /** Whether it has answered before. */
  isWarm = false

  /** Throws when the program is not there. */
  constructor(program: RuleProgram) {
    super(program.clock, (listener) => openCommand(program, listener))
  }

  /** The end of its error stream. */
  get stderr(): string {
    return this.channel.child.stderr()
  }

  /** Gives it a line and waits for its answer. */
  answer(line: string, ms: number, late: Error): Promise<string> {
    const answer = this.ask<string>(line)
    this.limit(ms, late)
    return answer
  }

  protected hear(line: string): void {
    // Whose answer the next line would be is not known any more.
    if (!this.isBusy) void this.end(new RunnerFailure('protocol', 'it wrote a line without a request'))
    this.isWarm = true
    this.settle(line)
  }

  protected failureOf(thrown: unknown): Error {
    return asRunnerFailure(thrown)
  }
}

function exited(code: number | null, signal: string | null): RunnerFailure {
  return code === null
    ? new RunnerFailure('exit', `it was ended by ${signal ?? 'a signal'}`)
    : new RunnerFailure('exit', `it ended with exit code ${code}`, { exitCode: code })
}
