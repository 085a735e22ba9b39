import { type Clock, RunnerFailure } from '@stickler/core'
import { asRunnerFailure } from '@stickler/core/runners'
import { LineReader } from '../workers/lines.ts'
import { type RunningProcess, startProcess } from '../workers/process.ts'

/** How a program is started. */
export interface RuleProgram {
  readonly run: readonly [program: string, ...arguments: string[]]
  readonly cwd: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly clock: Clock
}

/** More is not read of one line. */
const maxLine = 1024 * 1024
/** How long a process may take to end when it is asked to. */
const graceMs = 500

/** One process of a program that answers one line with one line. */
export class RuleProcess {
  /** Set when it cannot be used any more. */
  over: RunnerFailure | undefined
  /** Whether it has answered before. */
  isWarm = false
  readonly #child: RunningProcess
  #waiting: { readonly resolve: (line: string) => void; readonly reject: (reason: Error) => void } | undefined

  /** Throws when the program is not there. */
  constructor({ run: [program, ...args], cwd, env, clock }: RuleProgram) {
    const lines = new LineReader({ bytes: Number.POSITIVE_INFINITY, lineBytes: maxLine, lines: Number.POSITIVE_INFINITY }, (line) =>
      this.#take(line),
    )
    const onOutput = (bytes: Uint8Array): void => {
      lines.push(bytes)
      if (lines.excess !== undefined) this.end(new RunnerFailure('protocol', `it wrote ${lines.excess}`))
    }
    this.#child = startProcess({ command: program, args, cwd, env, onOutput, onErrorBytes: () => {}, graceMs, clock })
    this.#child.ended.then(
      ({ code, signal }) => this.end(exited(code, signal)),
      (thrown: unknown) => this.end(asRunnerFailure(thrown)),
    )
    this.#child.awaited(false)
  }

  /** The end of its error stream. */
  get stderr(): string {
    return this.#child.stderr()
  }

  /** Gives it a line and waits for its answer; one at a time. */
  async ask(line: string): Promise<string> {
    if (this.over !== undefined) throw this.over
    this.#child.awaited(true)
    try {
      const answer = new Promise<string>((resolve, reject) => {
        this.#waiting = { resolve, reject }
      })
      this.#child.write(`${line}\n`)
      return await answer
    } finally {
      this.#waiting = undefined
      if (this.over === undefined) this.#child.awaited(false)
    }
  }

  /** Gives up on it: pending requests are rejected. */
  end(failure: RunnerFailure): void {
    this.over ??= failure
    this.#waiting?.reject(this.over)
  }

  /** Ends it with everything that it has started; returns when it is gone. */
  async terminate(): Promise<void> {
    await this.#child.terminate()
  }

  #take(line: string): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    // Whose answer the next line would be is not known any more.
    if (waiting === undefined) this.end(new RunnerFailure('protocol', 'it wrote a line without a request'))
    else {
      this.isWarm = true
      waiting.resolve(line)
    }
  }
}

function exited(code: number | null, signal: string | null): RunnerFailure {
  return code === null
    ? new RunnerFailure('exit', `it was ended by ${signal ?? 'a signal'}`)
    : new RunnerFailure('exit', `it ended with exit code ${code}`, { exitCode: code })
}
