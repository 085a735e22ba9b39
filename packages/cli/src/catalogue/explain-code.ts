import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Catalogue, CodeEntry } from '@stickler/core'
import { closest, engineCodes, unknownName } from '@stickler/core/internal'
import type { OutsideRuleName } from '@stickler/node/internal/config'
import type { Cli } from '../cli.ts'
import { loadVocabulary } from '../config/files.ts'
import { UsageError } from '../errors.ts'
import { safeJson } from '../terminal/printable.ts'
import { table } from '../terminal/text.ts'

/** The options of `stickler explain`. */
export interface ExplainFlags {
  readonly json?: true
  readonly config?: string
}

/** What a code means, by each validator that reports it. */
export async function explainedCode(
  code: string,
  config: string | undefined,
  io: Parameters<typeof loadVocabulary>[1],
): Promise<readonly (Explained | ExplainedError)[]> {
  const { catalogue, rules } = await loadVocabulary(config, io)
  return explain(code, catalogue, rules)
}

/** Prints what a code means. */
export async function explainCode(code: string, flags: ExplainFlags, cli: Cli): Promise<void> {
  const explained = await explainedCode(code, flags.config, cli.io)
  // A validator and the engine may report the same code, for different reasons.
  const data = explained.length === 1 ? explained[0] : explained
  await cli.stdout.write(flags.json ? `${safeJson(data, 2)}\n` : explained.map((one) => describe(one, cli)).join(''))
}

/** The code of an error that the gateway replies with. */
interface ExplainedError {
  readonly code: string
  /** The HTTP status; `its own` where the error has the one of its cause. */
  readonly status: string
  readonly type: string
  readonly when: string
  readonly fix: string
  readonly docs: string
}

interface Explained extends Omit<CodeEntry, 'repaired'> {
  readonly code: string
  /** The validator that reports it; absent for the engine. */
  readonly validator?: string
  /** Whether the validator may repair it. */
  readonly repairs: boolean
  /** Where to read more: a page that is installed with the command, or the plugin itself. */
  readonly docs: string
}

/** A code with its explanation, which is made for those that are asked for. */
interface KnownCode {
  readonly code: string
  explained(): Explained | ExplainedError
}

function explain(written: string, catalogue: Catalogue, rules: readonly OutsideRuleName[]): (Explained | ExplainedError)[] {
  const all: readonly KnownCode[] = [...listCodes(catalogue), ...gatewayErrors()]
  const wanted = written.toUpperCase().replaceAll('-', '_')
  const found = all.filter(({ code }) => code.toUpperCase() === wanted)
  if (found.length > 0) return found.map(({ explained }) => explained())
  const known = [...new Set(all.map(({ code }) => code))]
  // A misspelt code of ours resembles one; any other may be that of a rule.
  if (rules.length > 0 && closest(written, known) === undefined && /^[A-Z][A-Z0-9_]{0,63}$/.test(wanted))
    return rules.map((rule) => passedOn(wanted, rule))
  throw new UsageError(unknownName('code', written, known))
}

/** A code that a rule outside of this process gave: only the rule knows more. */
function passedOn(code: string, { name, kind, contract }: OutsideRuleName): Explained {
  return {
    code,
    validator: name,
    severity: 'error',
    when: `The rule ${name} (${kind}) of the contract ${contract} may report it: codes of such rules are their own, and are passed on.`,
    fix: 'Follow the message of the issue; the authors of the rule know more.',
    repairs: false,
    docs: pageOf(kind),
  }
}

/** The errors of the gateway, as the page of the reference lists them. */
function gatewayErrors(): KnownCode[] {
  const docs = referencePage('errors.md')
  return readFileSync(docs, 'utf8')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, status = '']) => /^(?:\d{3}|its own)$/.test(status))
    .map(([, status = '', written = '', type = '', when = '', fix = '']) => {
      const code = written.replaceAll('`', '')
      return { code, explained: () => ({ code, status, type: type.replaceAll('`', ''), when, fix, docs }) }
    })
}

function pageOf(validator: string): string {
  return referencePage(`validators/${validator.replaceAll('_', '-')}.md`)
}

function listCodes(catalogue: Catalogue): KnownCode[] {
  const ofValidators = catalogue.validators.flatMap(({ definition }) =>
    Object.entries(definition.codes).map(([code, { repaired, ...entry }]) => ({
      code,
      explained: () => ({
        code,
        validator: definition.name,
        ...entry,
        repairs: repaired ?? definition.repairs === true,
        docs: definition.module ?? pageOf(definition.name),
      }),
    })),
  )
  const ofEngine = Object.entries(engineCodes).map(([code, entry]) => ({
    code,
    explained: () => ({ code, ...entry, repairs: false, docs: referencePage('codes.md') }),
  }))
  return [...ofValidators, ...ofEngine]
}

function describe(explained: Explained | ExplainedError, { paintOut: paint }: Cli): string {
  const { code, when, fix, docs } = explained
  if ('status' in explained) {
    const rows = [
      ['when', when],
      ['fix', fix],
      ['docs', docs],
    ]
    const status = explained.status === 'its own' ? 'with the status of its cause' : paint.red(explained.status)
    return [`${paint.bold(code)}: ${status} ${explained.type}, an error of the gateway`, ...table(rows, '  '), ''].join('\n')
  }
  const { validator, severity, repairs } = explained
  const colour = severity === 'error' ? paint.red : paint.yellow
  const repair =
    validator === undefined
      ? 'none'
      : repairs
        ? `${validator} may repair it; \`stickler check\` shows the change`
        : 'none; the model must be asked again'
  const rows = [
    ['when', when],
    ['fix', fix],
    ['repair', repair],
    ['docs', docs],
  ]
  return [`${paint.bold(code)}: ${colour(severity)}, reported by ${validator ?? 'the engine'}`, ...table(rows, '  '), ''].join('\n')
}

/** The full path of a page of the reference: that of the checkout, or the one that is installed with the command. */
function referencePage(page: string): string {
  const folder = packageFolder(dirname(fileURLToPath(import.meta.url)))
  const places = [join(folder, '../../docs/reference', page), join(folder, 'dist/reference', page)]
  return places.find((place) => existsSync(place)) ?? join(folder, 'README.md')
}

/** The folder of this package, whether it runs from its sources, its build or its bundle. */
function packageFolder(from: string): string {
  return existsSync(join(from, 'package.json')) || dirname(from) === from ? from : packageFolder(dirname(from))
}
