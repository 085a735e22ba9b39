import type { Catalogue, Preset } from '@stickler/core'
import { describeOptions, type OptionEntry } from '@stickler/core/internal'
import type { Cli } from '../cli.ts'
import { loadPlugins } from '../config/files.ts'
import { printable, safeJson } from '../terminal/printable.ts'
import { table } from '../terminal/text.ts'

/** The options of `stickler list`. */
export interface ListFlags {
  readonly json?: true
  readonly config?: string
}

/** Prints the validators and presets. */
export async function listCatalogue(flags: ListFlags, cli: Cli): Promise<void> {
  const listed = listAll((await loadPlugins(flags.config, cli.io)).catalogue)
  await cli.stdout.write(flags.json ? `${safeJson(listed, 2)}\n` : describe(listed, cli))
}

interface Listed {
  readonly validators: readonly ListedValidator[]
  readonly presets: readonly ({ readonly name: string } & Preset)[]
}

interface ListedValidator {
  readonly name: string
  readonly summary: string
  readonly options: readonly OptionEntry[]
  readonly codes: readonly string[]
  readonly repairs: boolean
}

function listAll(catalogue: Catalogue): Listed {
  return {
    validators: catalogue.validators.map(({ definition }) => ({
      name: definition.name,
      summary: definition.summary,
      options: describeOptions(definition) ?? [],
      codes: Object.keys(definition.codes),
      repairs: definition.repairs === true,
    })),
    presets: Object.entries(catalogue.presets).map(([name, { validators: _own, ...preset }]) => ({ name, ...preset })),
  }
}

function describe({ validators, presets }: Listed, { paintOut: paint }: Cli): string {
  const lines = [
    paint.bold('Validators'),
    ...validators.flatMap(({ name, summary, options, codes, repairs }) => [
      '',
      `${paint.bold(name)}${repairs ? paint.dim(' (can repair)') : ''}`,
      `  ${summary}`,
      ...table(options.map(optionRow), '    '),
      `    ${paint.dim(`codes: ${codes.join(', ')}`)}`,
    ]),
    '',
    paint.bold('Presets'),
    ...presets.flatMap((preset) => ['', paint.bold(preset.name), ...describePreset(preset)]),
  ]
  return `${lines.join('\n')}\n`
}

function optionRow({ name, type, required, default: standard, description }: OptionEntry): readonly string[] {
  const given = required ? 'required' : standard === undefined ? '' : `default ${JSON.stringify(standard)}`
  return [name, type, given, printable(description)]
}

function describePreset({ name: _name, summary, checks, declares: _declares, ...policy }: Listed['presets'][number]): string[] {
  const names = checks.map((check) => (typeof check === 'string' ? check : Object.keys(check).join()))
  const rules = Object.entries(policy).map(([key, value]) => `${key} ${shown(value)}`)
  return [`  ${summary}`, `    checks: ${names.join(', ')}`, `    ${rules.join(', ')}`]
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return value.join('/')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
