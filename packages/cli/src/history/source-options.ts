import type { Command } from 'commander'
import { readMoment } from './read-moment.ts'

/** Where runs are read from. */
export interface SourceFlags {
  readonly config?: string
  readonly store?: string
  readonly url?: string
  readonly keyEnv: string
}

/** Which runs are wanted. */
export interface FilterFlags extends SourceFlags {
  readonly contract?: string
  readonly model?: string
  readonly key?: string
  readonly since?: number
  readonly until?: number
  readonly json?: true
}

/** The default environment variable for the key of a gateway. */
export const usualKeyVariable = 'STICKLER_API_KEY'

/** Adds the options that `runs` and `stats` share. */
export function addFilterOptions(command: Command, now: () => number): Command {
  const moment = (written: string): number => readMoment(written, now())
  return command
    .option('--contract <name>', 'only runs of this contract')
    .option('--model <name>', 'only runs of this model, as clients name it')
    .option('--key <name>', 'only runs of the key with this name')
    .option(
      '--since <time>',
      'from this time on: today, yesterday, 24h, 7d, a date or a time in ISO 8601; days begin at midnight UTC',
      moment,
    )
    .option('--until <time>', 'before this time', moment)
    .option('--config <file>', 'the configuration that names the store, in place of ./stickler.yaml')
    .option('--store <url>', 'the store, in place of store.url: sqlite:FILE or postgres://…')
    .option('--url <address>', 'query a running gateway instead of its store')
    .option('--key-env <name>', 'the environment variable with the key for --url', usualKeyVariable)
    .option('--json', 'as JSON, in the format of the admin API')
}
