import { Command, CommanderError } from 'commander'
import type { Cli } from './cli.ts'
import { ask } from './commands/ask.ts'
import { check } from './commands/check.ts'
import type { CommandContext, CommandRecord } from './commands/command.ts'
import { doctor } from './commands/doctor.ts'
import { evaluate } from './commands/eval.ts'
import { explain } from './commands/explain.ts'
import { hook } from './commands/hook.ts'
import { importFiles } from './commands/import.ts'
import { index } from './commands/index.ts'
import { init } from './commands/init.ts'
import { list } from './commands/list.ts'
import { mcp } from './commands/mcp.ts'
import { newFile } from './commands/new.ts'
import { parser } from './commands/parser.ts'
import { replay } from './commands/replay.ts'
import { run } from './commands/run.ts'
import { runs } from './commands/runs.ts'
import { schema } from './commands/schema.ts'
import { serve } from './commands/serve.ts'
import { stats } from './commands/stats.ts'
import { suggest } from './commands/suggest.ts'
import { test } from './commands/test.ts'
import { worker } from './commands/worker.ts'
import { UsageError } from './errors.ts'
import { exitCode } from './exit-code.ts'
import { version } from './version.ts'

/** Every command, in the order of the help. */
const commands: readonly CommandRecord[] = [
  check,
  test,
  evaluate,
  worker,
  replay,
  run,
  index,
  ask,
  importFiles,
  suggest,
  serve,
  hook,
  mcp,
  runs,
  stats,
  parser,
  doctor,
  list,
  explain,
  init,
  newFile,
  schema,
]

/** Runs the command that the arguments name; resolves to its exit code. */
export async function runProgram(argv: readonly string[], context: CommandContext): Promise<number> {
  let ended: number = exitCode.ok
  try {
    const program = buildProgram(context.cli)
    for (const { name, summary, description, arguments: taken = {} } of commands) {
      const command = program.command(name).summary(summary).description(description)
      for (const [syntax, meaning] of Object.entries(taken)) command.argument(syntax, meaning)
    }
    program.hook('preSubcommand', async (_program, command) => {
      const record = commands.find(({ name }) => name === command.name())
      await record?.options(command, context)
      command.action(async () => {
        ended = (await record?.run(command.args, command.opts(), context)) ?? exitCode.ok
      })
    })
    await program.parseAsync(argv, { from: 'user' })
    await context.cli.stdout.flush()
    return ended
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    // Without arguments, help has been shown.
    if (error.exitCode !== 0 && error.code !== 'commander.help') throw new UsageError(wordsOf(error), { cause: error })
    return error.exitCode === 0 ? exitCode.ok : exitCode.usage
  }
}

function buildProgram(cli: Cli): Command {
  return (
    new Command('stickler')
      .description('Makes every answer of a language model meet its contract, or reports exactly why it does not.')
      .version(version(), '-V, --version', 'print the version')
      .helpCommand(false)
      .showSuggestionAfterError()
      .exitOverride()
      // Options are added when a command is chosen, so the usage says that there are some.
      .configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage()}` })
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
  )
}

/** Commander puts its suggestion on a line of its own. */
function wordsOf({ message }: Error): string {
  return message.replace(/^error: /, '').replace(/\n\(/, ' (')
}
