import type { ListFlags } from '../catalogue/list-catalogue.ts'
import { exitCode } from '../exit-code.ts'
import type { CommandRecord } from './command.ts'

/** `stickler list`. */
export const list: CommandRecord = {
  name: 'list',
  summary: 'list validators and presets',
  description: 'Lists the validators with their options, and the presets.',
  options: (command) =>
    command
      .option('--config <file>', 'configuration file that names plugins; default: ./stickler.yaml')
      .option('--json', 'as one JSON object'),
  async run(_args, flags: ListFlags, { cli }) {
    await (await import('../catalogue/list-catalogue.ts')).listCatalogue(flags, cli)
    return exitCode.ok
  },
}
