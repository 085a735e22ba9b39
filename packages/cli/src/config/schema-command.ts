import type { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { configName } from './config-name.ts'
import { loadPlugins } from './files.ts'
import { configSchemaText } from './schema-text.ts'

/** Defines `stickler schema`. */
export function defineSchemaCommand(command: Command, cli: Cli): void {
  command
    .description(
      `Prints the JSON Schema (draft 7) of ${configName}, with the options of every validator.\n` +
        'Editors use it for completion and validation when the first line of the file is: # yaml-language-server: $schema=stickler.schema.json',
    )
    .option('--config <file>', 'configuration file that names plugins; default: ./stickler.yaml')
    .option('--json', 'no effect: the output is always JSON')
    .action(async (flags: { readonly config?: string }) =>
      cli.stdout.write(configSchemaText((await loadPlugins(flags.config, cli.io)).catalogue)),
    )
}
