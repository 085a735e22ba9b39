import type { Readable, Writable } from 'node:stream'
import type { CommandPlugins } from './plugins.ts'

/** A stream that may be a terminal. */
export type OutputStream = Writable & { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined }

/** The outside world, injected so that tests can run the command in-process. */
export interface Io {
  readonly stdin: Readable & { readonly isTTY?: boolean | undefined }
  readonly stdout: OutputStream
  readonly stderr: OutputStream
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Milliseconds on a monotonic clock. */
  now(): number
  /** The date, for reports that carry one. */
  date?(): Date
  /** Fires on Ctrl-C, with the name of the signal as its reason. */
  readonly signal: AbortSignal
  /** Sets how long the command may take to exit after a signal before it is killed; 5 s by default. */
  allowToEnd?(ms: number): void
  /** The plugins of the configuration, for as long as the command runs. */
  readonly plugins?: CommandPlugins
}
