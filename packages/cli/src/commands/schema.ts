import type { Catalogue } from '@stickler/core'
import { configName } from '../config/config-name.ts'
import { exitCode } from '../exit-code.ts'
import type { CommandRecord } from './command.ts'

/** `stickler schema`. */
export const schema: CommandRecord = {
  name: 'schema',
  summary: `print the JSON Schema of ${configName}`,
  description:
    `Prints the JSON Schema (draft 7) of ${configName}, with the options of every validator.\n` +
    'Editors use it for completion and validation when the first line of the file is: # yaml-language-server: $schema=stickler.schema.json',
  options: (command) =>
    command
      .option('--config <file>', 'configuration file that names plugins; default: ./stickler.yaml')
      .option('--json', 'no effect: the output is always JSON'),
  async run(_args, { config }: { readonly config?: string }, { cli }) {
    const { loadPlugins } = await import('../config/files.ts')
    await cli.stdout.write(await configSchemaText((await loadPlugins(config, cli.io)).catalogue))
    return exitCode.ok
  },
}

/** The JSON Schema of a configuration, as it is written to a file. */
export async function configSchemaText(catalogue?: Catalogue): Promise<string> {
  const { configJsonSchema } = await import('@stickler/gateway/internal/config')
  return `${JSON.stringify(configJsonSchema(catalogue), undefined, 2)}\n`
}
