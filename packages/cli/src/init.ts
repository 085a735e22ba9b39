import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { configName } from './config/config-name.ts'
import { configSchemaText, schemaName } from './config/schema-text.ts'
import { whyNot } from './config/why-not.ts'
import { replaceFile } from './replace-file.ts'
import { starter } from './starter.ts'
import { UsageError } from './usage-error.ts'

/** Defines `stickler init`. */
export function defineInitCommand(command: Command, cli: Cli): void {
  command
    .description(
      `Writes a commented ${configName} with a scripted model, so that \`stickler run\` works right away, and its JSON Schema for editors.`,
    )
    .option('--force', 'overwrite an existing file')
    .option('--json', 'print what was written as JSON')
    .action(async (flags: { readonly force?: true; readonly json?: true }) => {
      const write = async (name: string, text: string, mayBeThere: boolean): Promise<void> => {
        try {
          const path = resolve(cli.io.cwd, name)
          await (flags.force ? replaceFile(path, text) : writeFile(path, text, { flag: 'wx' }))
        } catch (error) {
          if (isThere(error) && mayBeThere) return
          const advice = isThere(error) ? '; --force overwrites it' : ''
          throw new UsageError(`cannot write ${name}: ${whyNot(error)}${advice}`)
        }
      }
      await write(configName, starter, false)
      await write(schemaName, configSchemaText(), true)
      if (flags.json) await cli.stdout.write(`${JSON.stringify({ written: configName, schema: schemaName })}\n`)
      cli.stderr.say(`wrote ${configName}, and ${schemaName} for editors; try: stickler run "Nobody can log in."\n`)
    })
}

function isThere(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EEXIST'
}
