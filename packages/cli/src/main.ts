import { createRequire } from 'node:module'
import { ConfigurationError } from '@stickler/core'
import { Command, CommanderError } from 'commander'
import { type Cli, openCli } from './cli.ts'
import { addCommands } from './commands.ts'
import { exitCode } from './exit-code.ts'
import { UnreachableError } from './history/unreachable-error.ts'
import type { Io } from './io.ts'
import { OutputClosed } from './output.ts'
import type { Doors } from './serve/doors.ts'
import { printable } from './terminal/printable.ts'
import { UsageError } from './usage-error.ts'

export type { Io, OutputStream } from './io.ts'
export type { CommandPlugins } from './plugins/command-plugins.ts'
export { processIo } from './process-io.ts'
export type { Doors, Probe, UpstreamProbe } from './serve/doors.ts'

/** Runs the command with the arguments after its name; resolves to the exit code when all output is written. */
export async function main(argv: readonly string[], io: Io, doors?: Doors): Promise<number> {
  const cli = openCli(io)
  let ended: number = exitCode.ok
  try {
    const end = (code: number): void => {
      ended = code
    }
    const program = buildProgram(cli)
    const loadDoors = async (): Promise<Doors> => doors ?? (await import('./serve/gateway-doors.ts')).gatewayDoors()
    await addCommands(argv, { program, cli, end, doors: loadDoors })
    await program.parseAsync(argv, { from: 'user' })
    await cli.stdout.flush()
  } catch (error) {
    ended = endOf(error, cli)
  }
  await cli.io.plugins?.close()
  await cli.stderr.flush().catch(() => {})
  return ended
}

function buildProgram(cli: Cli): Command {
  return new Command('stickler')
    .description('Makes every answer of a language model meet its contract, or reports exactly why it does not.')
    .version(version(), '-V, --version', 'print the version')
    .helpCommand(false)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => cli.stdout.say(text),
      writeErr: (text) => cli.stderr.say(text),
      // Errors are printed in one place, below.
      outputError: () => {},
      getOutHelpWidth: () => Math.min(cli.stdout.columns, 120),
      getErrHelpWidth: () => Math.min(cli.stderr.columns, 120),
    })
    .addHelpText(
      'after',
      '\nExit codes: 0 valid, 1 contract violated, 2 usage or configuration, 3 upstream.\nData goes to standard output, messages to standard error.',
    )
}

function version(): string {
  const manifest: unknown = createRequire(import.meta.url)('stickler/package.json')
  return String((manifest as { version?: unknown }).version)
}

/** Prints each error on one line and returns the exit code. */
function endOf(error: unknown, cli: Cli): number {
  if (error instanceof OutputClosed) return exitCode.brokenPipe
  if (cli.io.signal.aborted) return cli.io.signal.reason === 'SIGTERM' ? exitCode.terminated : exitCode.interrupted
  if (error instanceof CommanderError && error.exitCode === 0) return exitCode.ok
  // Without arguments, help has been shown.
  if (error instanceof CommanderError && error.code === 'commander.help') return exitCode.usage
  if (error instanceof Error && cli.io.env.STICKLER_DEBUG) cli.stderr.say(`${error.stack ?? ''}\n`)
  if (error instanceof ConfigurationError) {
    for (const line of error.message.split('\n')) cli.stderr.say(`${printable(line)}\n`)
    return exitCode.usage
  }
  if (error instanceof CommanderError || error instanceof UsageError) {
    for (const line of wordsOf(error).split('\n')) cli.note(line)
    return exitCode.usage
  }
  if (error instanceof UnreachableError) {
    cli.note(error.message)
    return exitCode.upstream
  }
  cli.note(`internal error: ${error instanceof Error ? error.message : String(error)} (STICKLER_DEBUG=1 shows the stack trace)`)
  return exitCode.internal
}

/** Commander puts its suggestion on a line of its own. */
function wordsOf({ message }: Error): string {
  return message.replace(/^error: /, '').replace(/\n\(/, ' (')
}

export type { Channel } from './serve/metrics-message.ts'
export type { Worker, WorkerAddress, WorkerPort } from './serve/workers.ts'
