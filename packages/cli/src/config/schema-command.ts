import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { configName } from './config.ts'
import { configSchemaText } from './schema-text.ts'

/** Adds `stickler schema`. */
export function addSchemaCommand(program: Command, cli: Cli): void {
  program
    .command('schema')
    .summary(`print the JSON Schema of ${configName}`)
    .description(
      `Prints the JSON Schema (draft 7) of ${configName}, with the options of every validator.\n` +
        'Editors complete and check the file with it when its first line is: # yaml-language-server: $schema=stickler.schema.json',
    )
    .option('--json', 'it is JSON either way')
    .action(async () => cli.stdout.write(configSchemaText()))
}
