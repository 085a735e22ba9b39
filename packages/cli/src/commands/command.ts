import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import type { Platform } from '../serve/node-platform.ts'

/** What every command gets. */
export interface CommandContext {
  readonly cli: Cli
  /** The gateway, which only some commands load. */
  platform(): Promise<Platform>
}

/** A command. The files of this folder are loaded at every start, so that `options` and `run` import other packages when they are called. */
export interface CommandRecord {
  readonly name: string
  /** Its line in the list of commands. */
  readonly summary: string
  /** Its arguments, with their descriptions. */
  readonly arguments?: Readonly<Record<string, string>>
  /** The first lines of its own help. */
  readonly description: string
  /** Adds its options, when it is the command to run or to explain. */
  options(command: Command, context: CommandContext): unknown
  /** Runs it with its arguments and options; resolves to the exit code. */
  run(args: readonly string[], flags: object, context: CommandContext): Promise<number>
}
