import { type Cli, openCli } from './cli.ts'
import { UnreachableError, UsageError } from './errors.ts'
import { exitCode } from './exit-code.ts'
import type { Io } from './io.ts'
import type { Platform } from './serve/node-platform.ts'
import { Output, OutputClosed } from './terminal/output.ts'
import { printable } from './terminal/printable.ts'
import { version } from './version.ts'

export type { Io, OutputStream } from './io.ts'
export type { CommandPlugins } from './plugins.ts'
export { processIo } from './process-io.ts'
export type { Platform } from './serve/node-platform.ts'

/** Runs the command with the arguments after its name; resolves to the exit code when all output is written. */
export async function main(argv: readonly string[], io: Io, platform?: Platform): Promise<number> {
  // Scripts ask for it, and it needs nothing else.
  if (argv[0] === '--version' || argv[0] === '-V') {
    new Output(io.stdout).say(`${version()}\n`)
    return exitCode.ok
  }
  const cli = openCli(io)
  let ended: number = exitCode.ok
  try {
    if (isPlainHook(argv)) {
      const { runHook } = await import('./hook/run-hook.ts')
      ended = await runHook(argv[1] === undefined ? {} : { ifConfigured: true }, cli)
      await cli.stdout.flush()
    } else {
      const { runProgram } = await import('./program.ts')
      ended = await runProgram(argv, { cli, platform: async () => platform ?? (await import('./serve/node-platform.ts')).nodePlatform() })
    }
  } catch (error) {
    ended = await endOf(error, cli)
  }
  await cli.io.plugins?.close()
  await cli.stderr.flush().catch(() => {})
  return ended
}

/** The hook of Claude Code as its plugin and the guide write it, which is run twice for each call of a tool: it needs no other option. */
function isPlainHook([command, option = '--if-configured', ...rest]: readonly string[]): boolean {
  return command === 'hook' && option === '--if-configured' && rest.length === 0
}

/** Prints each error on one line and returns the exit code. */
async function endOf(error: unknown, cli: Cli): Promise<number> {
  if (error instanceof OutputClosed) return exitCode.brokenPipe
  if (cli.io.signal.aborted) return cli.io.signal.reason === 'SIGTERM' ? exitCode.terminated : exitCode.interrupted
  if (error instanceof Error && cli.io.env.STICKLER_DEBUG) cli.stderr.say(`${error.stack ?? ''}\n`)
  if (error instanceof UsageError) {
    for (const line of error.message.split('\n')) cli.note(line)
    return exitCode.usage
  }
  if (error instanceof UnreachableError) {
    cli.note(error.message)
    return exitCode.upstream
  }
  const { ConfigurationError } = await import('@stickler/core')
  if (error instanceof ConfigurationError) {
    for (const line of error.message.split('\n')) cli.stderr.say(`${printable(line)}\n`)
    return exitCode.usage
  }
  cli.note(`internal error: ${error instanceof Error ? error.message : String(error)} (STICKLER_DEBUG=1 shows the stack trace)`)
  return exitCode.internal
}

export type { Channel, Worker, WorkerAddress, WorkerPort } from './serve/workers.ts'
