import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { configName } from './config/config-name.ts'
import type { Doors } from './serve/doors.ts'

/** What commands are defined with. */
export interface CommandParts {
  readonly cli: Cli
  end(exitCode: number): void
  /** The gateway, which only some commands load. */
  doors(): Promise<Doors>
}

/** A command as the help shows it; the rest is loaded when it is run. */
interface CommandEntry {
  readonly summary: string
  /** Its arguments, with their descriptions. */
  readonly arguments?: Readonly<Record<string, string>>
  /** Adds description, options and action. */
  define(command: Command, parts: CommandParts): Promise<void>
}

/** Every command in the order of the help. */
const commands: Readonly<Record<string, CommandEntry>> = {
  check: {
    summary: 'check answers in files',
    arguments: { '[file...]': 'files, folders, globs in quotes (!glob skips), or - for standard input' },
    define: async (command, { cli, end }) => (await import('./check/check-command.ts')).defineCheckCommand(command, cli, end),
  },
  run: {
    summary: 'call a model under a contract',
    arguments: { '[prompt]': 'what to ask, or - for standard input' },
    define: async (command, { cli, end }) => (await import('./run/run-command.ts')).defineRunCommand(command, cli, end),
  },
  index: {
    summary: 'index documents for `stickler ask` and pipelines',
    arguments: { '<folder...>': 'folders, or single files' },
    define: async (command, { cli, end }) => (await import('./indexing/index-command.ts')).defineIndexCommand(command, cli, end),
  },
  ask: {
    summary: 'answer a question from indexed documents, with sources',
    arguments: { '[question]': 'what to ask, or - for standard input' },
    define: async (command, { cli, end }) => (await import('./asking/ask-command.ts')).defineAskCommand(command, cli, end),
  },
  serve: {
    summary: 'run the gateway in front of models',
    define: async (command, { cli, end, doors }) =>
      (await import('./serve/serve-command.ts')).defineServeCommand(command, cli, end, await doors()),
  },
  runs: {
    summary: 'show recorded runs',
    arguments: { '[id]': 'the id of one run' },
    define: async (command, { cli, doors }) =>
      (await import('./history/runs-command.ts')).defineRunsCommand(command, cli, (await doors()).today),
  },
  stats: {
    summary: 'show what failed, why, and what it cost',
    define: async (command, { cli, doors }) =>
      (await import('./history/stats-command.ts')).defineStatsCommand(command, cli, (await doors()).today),
  },
  parser: {
    summary: 'serve the parser over gRPC',
    define: async (command, { cli, end }) => (await import('./parser/parser-command.ts')).defineParserCommand(command, cli, end),
  },
  doctor: {
    summary: 'diagnose gateway problems',
    define: async (command, { cli, end, doors }) =>
      (await import('./doctor/doctor-command.ts')).defineDoctorCommand(command, cli, end, await doors()),
  },
  list: {
    summary: 'list validators and presets',
    define: async (command, { cli }) => (await import('./list.ts')).defineListCommand(command, cli),
  },
  explain: {
    summary: 'explain the code of an issue',
    arguments: { '<code>': 'the code, such as MISSING_STEP_MARKER' },
    define: async (command, { cli }) => (await import('./explain.ts')).defineExplainCommand(command, cli),
  },
  init: {
    summary: `write a first ${configName}`,
    define: async (command, { cli }) => (await import('./init.ts')).defineInitCommand(command, cli),
  },
  new: {
    summary: 'write a validator of your own, and its test',
    arguments: { '<what>': 'what to write', '<name>': 'its name in snake case, such as no_hype' },
    define: async (command, { cli }) => (await import('./new/new-command.ts')).defineNewCommand(command, cli),
  },
  schema: {
    summary: `print the JSON Schema of ${configName}`,
    define: async (command, { cli }) => (await import('./config/schema-command.ts')).defineSchemaCommand(command, cli),
  },
}

/** Adds every command by name; its code is loaded when it is the one to run. */
export function addCommands(program: Command, parts: CommandParts): void {
  for (const [name, { summary, arguments: taken = {} }] of Object.entries(commands)) {
    const command = program.command(name).summary(summary)
    for (const [syntax, description] of Object.entries(taken)) command.argument(syntax, description)
  }
  program
    // Options are not known yet, so the usage says that there are some.
    .configureHelp({ subcommandTerm: (command) => `${command.name()} ${command.usage()}` })
    .hook('preSubcommand', async (_program, command) => commands[command.name()]?.define(command, parts))
}
