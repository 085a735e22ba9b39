import { setMaxListeners } from 'node:events'
import type { Io } from './io.ts'
import { commandPlugins } from './plugins.ts'
import { Output } from './terminal/output.ts'
import { type Paint, paintFor } from './terminal/paint.ts'
import { printable } from './terminal/printable.ts'

/** The context of every command: the environment and ways to write output. */
export interface Cli {
  readonly io: Io
  readonly stdout: Output
  readonly stderr: Output
  readonly paintOut: Paint
  readonly paintErr: Paint
  /** Fires when the work is no longer needed: on Ctrl-C, or when the output is closed. */
  readonly signal: AbortSignal
  /** Prints one line to stderr. */
  note(text: string): void
}

/** Takes over the streams. */
export function openCli(given: Io): Cli {
  const io: Io = given.plugins === undefined ? { ...given, plugins: commandPlugins() } : given
  const stdout = new Output(io.stdout)
  const stderr = new Output(io.stderr)
  const signal = AbortSignal.any([io.signal, stdout.closed])
  // Every running check listens to it, and there are many.
  setMaxListeners(0, signal)
  return {
    io,
    stdout,
    stderr,
    paintOut: paintFor(io.stdout, io.env),
    paintErr: paintFor(io.stderr, io.env),
    signal,
    note: (text) => stderr.say(`stickler: ${printable(text)}\n`),
  }
}
