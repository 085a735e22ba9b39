import { Command, CommanderError } from 'commander'
import type { Cli } from './cli.ts'
import { addCommands, type CommandParts } from './commands.ts'
import { exitCode } from './exit-code.ts'
import { UsageError } from './usage-error.ts'
import { version } from './version.ts'

/** Runs the command that the arguments name. */
export async function runProgram(argv: readonly string[], parts: CommandParts): Promise<void> {
  try {
    const program = buildProgram(parts.cli)
    addCommands(program, parts)
    await program.parseAsync(argv, { from: 'user' })
    await parts.cli.stdout.flush()
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Without arguments, help has been shown.
    if (error.exitCode !== 0 && error.code !== 'commander.help') throw new UsageError(wordsOf(error), { cause: error })
    parts.end(error.exitCode === 0 ? exitCode.ok : exitCode.usage)
  }
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
      // Errors are printed in one place, by `main`.
      outputError: () => {},
      getOutHelpWidth: () => Math.min(cli.stdout.columns, 120),
      getErrHelpWidth: () => Math.min(cli.stderr.columns, 120),
    })
    .addHelpText(
      'after',
      '\nExit codes: 0 valid, 1 contract violated, 2 usage or configuration, 3 upstream.\nData goes to standard output, messages to standard error.',
    )
}

/** Commander puts its suggestion on a line of its own. */
function wordsOf({ message }: Error): string {
  return message.replace(/^error: /, '').replace(/\n\(/, ' (')
}
