import { type Catalogue, type CodeEntry, engineCodes, knowsRepair, unknownName } from '@stickler/core'
import type { Command } from 'commander'
import type { Cli } from './cli.ts'
import { loadPlugins } from './config/files.ts'
import { safeJson } from './terminal/printable.ts'
import { table } from './terminal/table.ts'
import { UsageError } from './usage-error.ts'

/** Adds `stickler explain`. */
export function addExplainCommand(program: Command, cli: Cli): void {
  program
    .command('explain')
    .summary('explain the code of an issue')
    .description('Explains the code of an issue: when it is reported, and what to do about it.')
    .argument('<code>', 'the code, such as MISSING_STEP_MARKER')
    .option('--config <file>', 'configuration file that names plugins; default: ./stickler.yaml')
    .option('--json', 'as one JSON object')
    .action(async (code: string, flags: { readonly json?: true; readonly config?: string }) => {
      const explained = explain(code, (await loadPlugins(flags.config, cli.io)).catalogue)
      // A validator and the engine may report the same code, for different reasons.
      const data = explained.length === 1 ? explained[0] : explained
      await cli.stdout.write(flags.json ? `${safeJson(data, 2)}\n` : explained.map((one) => describe(one, cli)).join(''))
    })
}

interface Explained extends Omit<CodeEntry, 'repaired'> {
  readonly code: string
  /** The validator that reports it; absent for the engine. */
  readonly validator?: string
  /** Whether the validator may repair it; null when that depends on its options. */
  readonly repairs: boolean | null
  /** Where to read more: a page in the repository, or the plugin itself. */
  readonly docs: string
}

function explain(written: string, catalogue: Catalogue): Explained[] {
  const all = listCodes(catalogue)
  const found = all.filter(({ code }) => code === written.toUpperCase().replaceAll('-', '_'))
  if (found.length > 0) return found
  throw new UsageError(
    unknownName(
      'code',
      written,
      all.map(({ code }) => code),
    ),
  )
}

function listCodes(catalogue: Catalogue): Explained[] {
  const ofValidators = catalogue.validators.flatMap(({ definition }) =>
    Object.entries(definition.codes).map(([code, { repaired, ...entry }]) => ({
      code,
      validator: definition.name,
      ...entry,
      repairs: repaired ?? knowsRepair(definition) ?? null,
      docs: definition.module ?? `docs/reference/validators/${definition.name.replaceAll('_', '-')}.md`,
    })),
  )
  const ofEngine = Object.entries(engineCodes).map(([code, entry]) => ({
    code,
    ...entry,
    repairs: false,
    docs: 'docs/reference/codes.md',
  }))
  return [...ofValidators, ...ofEngine]
}

function describe({ code, validator, severity, when, fix, repairs, docs }: Explained, { paintOut: paint }: Cli): string {
  const colour = severity === 'error' ? paint.red : paint.yellow
  const repair =
    validator === undefined
      ? 'none'
      : repairs === true
        ? `${validator} may repair it; \`stickler check\` shows the change`
        : repairs === false
          ? 'none; the model must be asked again'
          : 'depends on the options'
  const rows = [
    ['when', when],
    ['fix', fix],
    ['repair', repair],
    ['docs', docs],
  ]
  return [`${paint.bold(code)}: ${colour(severity)}, reported by ${validator ?? 'the engine'}`, ...table(rows, '  '), ''].join('\n')
}
