import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import type { Doors } from './serve/doors.ts'

/** The context for adding a command. */
export interface CommandParts {
  readonly program: Command
  readonly cli: Cli
  end(exitCode: number): void
  /** The gateway, which only some commands load. */
  doors(): Promise<Doors>
}

type AddCommand = (parts: CommandParts) => Promise<void>

/** Every command in the order of the help; each is loaded on demand to keep startup fast. */
const commands: Readonly<Record<string, AddCommand>> = {
  check: async ({ program, cli, end }) => (await import('./check/check-command.ts')).addCheckCommand(program, cli, end),
  run: async ({ program, cli, end }) => (await import('./run/run-command.ts')).addRunCommand(program, cli, end),
  index: async ({ program, cli, end }) => (await import('./indexing/index-command.ts')).addIndexCommand(program, cli, end),
  ask: async ({ program, cli, end }) => (await import('./asking/ask-command.ts')).addAskCommand(program, cli, end),
  serve: async ({ program, cli, end, doors }) =>
    (await import('./serve/serve-command.ts')).addServeCommand(program, cli, end, await doors()),
  runs: async ({ program, cli, doors }) => (await import('./history/runs-command.ts')).addRunsCommand(program, cli, (await doors()).today),
  stats: async ({ program, cli, doors }) =>
    (await import('./history/stats-command.ts')).addStatsCommand(program, cli, (await doors()).today),
  parser: async ({ program, cli, end }) => (await import('./parser/parser-command.ts')).addParserCommand(program, cli, end),
  doctor: async ({ program, cli, end, doors }) =>
    (await import('./doctor/doctor-command.ts')).addDoctorCommand(program, cli, end, await doors()),
  list: async ({ program, cli }) => (await import('./list.ts')).addListCommand(program, cli),
  explain: async ({ program, cli }) => (await import('./explain.ts')).addExplainCommand(program, cli),
  init: async ({ program, cli }) => (await import('./init.ts')).addInitCommand(program, cli),
  new: async ({ program, cli }) => (await import('./new/new-command.ts')).addNewCommand(program, cli),
  schema: async ({ program, cli }) => (await import('./config/schema-command.ts')).addSchemaCommand(program, cli),
}

/** Adds the command that the arguments start with, or all of them for help and for unknown names. */
export async function addCommands([first = '']: readonly string[], parts: CommandParts): Promise<void> {
  const asked = Object.hasOwn(commands, first) ? commands[first] : undefined
  // Sequential: the help shows them in this order.
  for (const add of asked === undefined ? Object.values(commands) : [asked]) await add(parts)
}
