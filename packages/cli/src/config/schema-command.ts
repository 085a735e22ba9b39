import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { configName } from './config.ts'
import { loadPlugins } from './files.ts'
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
    .option('--config <file>', 'the configuration whose plugins are known too, in place of ./stickler.yaml')
    .option('--json', 'it is JSON either way')
    .action(async (flags: { readonly config?: string }) =>
      cli.stdout.write(configSchemaText((await loadPlugins(flags.config, cli.io)).catalogue)),
    )
}
