import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { configName } from '../config/config-name.ts'
import { UsageError } from '../errors.ts'
import { exitCode } from '../exit-code.ts'
import { systemErrorCode, whyNot } from '../files/why-not.ts'
import { starter } from '../templates/starter.ts'
import type { CommandRecord } from './command.ts'
import { configSchemaText } from './schema.ts'

/** The schema file for editors, next to the configuration. */
const schemaName = 'stickler.schema.json'

/** `stickler init`. */
export const init: CommandRecord = {
  name: 'init',
  summary: `write a first ${configName}`,
  description: `Writes a commented ${configName} with a scripted model, so that \`stickler run\` works right away, and its JSON Schema for editors.`,
  options: (command) => command.option('--force', 'overwrite an existing file').option('--json', 'print what was written as JSON'),
  async run(_args, flags: { readonly force?: true; readonly json?: true }, { cli }) {
    const { replaceFile } = await import('../files/write-file.ts')
    const write = async (name: string, text: string, mayExist: boolean): Promise<void> => {
      try {
        const path = resolve(cli.io.cwd, name)
        await (flags.force ? replaceFile(path, text) : writeFile(path, text, { flag: 'wx' }))
      } catch (error) {
        const exists = systemErrorCode(error) === 'EEXIST'
        if (exists && mayExist) return
        throw new UsageError(`cannot write ${name}: ${whyNot(error)}${exists ? '; --force overwrites it' : ''}`)
      }
    }
    await write(configName, starter, false)
    await write(schemaName, await configSchemaText(), true)
    if (flags.json) await cli.stdout.write(`${JSON.stringify({ written: configName, schema: schemaName })}\n`)
    cli.stderr.say(`wrote ${configName}, and ${schemaName} for editors; try: stickler run "Nobody can log in."\n`)
    return exitCode.ok
  },
}
