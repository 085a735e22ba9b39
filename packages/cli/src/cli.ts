import { setMaxListeners } from 'node:events'
import type { Io } from './io.ts'
import { Output } from './output.ts'
import { commandPlugins } from './plugins/command-plugins.ts'
import { type Paint, paintFor } from './terminal/paint.ts'
import { printable } from './terminal/printable.ts'

/** What every command is given: the outside world, and ways to speak to it. */
export interface Cli {
  readonly io: Io
  readonly stdout: Output
  readonly stderr: Output
  readonly paintOut: Paint
  readonly paintErr: Paint
  /** Fires when the work is of no use any more: Ctrl-C, or nobody reads the output. */
  readonly signal: AbortSignal
  /** Tells people something on stderr, one line. */
  note(text: string): void
}

/** Gets hold of the streams. */
export function openCli(given: Io): Cli {
  const io: Io = { ...given, plugins: given.plugins ?? commandPlugins() }
  const stdout = new Output(io.stdout)
  const stderr = new Output(io.stderr)
  const signal = AbortSignal.any([io.signal, stdout.closed])
  // Every check under way listens to it, and there are many at a time.
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
