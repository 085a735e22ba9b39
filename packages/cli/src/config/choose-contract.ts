import {
  buildContract,
  type Catalogue,
  ConfigurationError,
  type ConfigurationProblem,
  type Contract,
  type ContractInput,
} from '@stickler/core'
import { applicable, isFields, type RequestFacts, readChecks, unknownName } from '@stickler/core/internal'
import { catalogue } from '@stickler/presets'
import { UsageError } from '../errors.ts'
import type { Io } from '../io.ts'
import { configName } from './config-name.ts'
import type { CheckInput, ContractFlags } from './contract-options.ts'
import { type LoadedContracts, loadContracts, noPlugins, type Plugins, readConfig, readTextFile, surroundings } from './files.ts'

/** The chosen contract, or the advice when none was chosen; with the plugins that contracts may use. */
export type ContractChoice = { readonly plugins: Plugins } & (
  | { readonly input: ContractInput; readonly catalogue: Catalogue; readonly place: Placing; readonly request?: RequestFacts }
  | { readonly input?: undefined; readonly advice: string }
)

/** Gives a problem its position in the file of its schema. */
type Placing = (problem: ConfigurationProblem) => ConfigurationProblem

/** What overrides are applied to. */
type Base = { readonly plugins?: Plugins } & ({ readonly input: ContractInput } | { readonly input?: undefined; readonly advice: string })

/** Overrides of a contract. */
type Overlay = Pick<ContractFlags, 'repair' | 'allow' | 'locale'> & { readonly check?: readonly CheckInput[] | undefined }

/** Finds the contract that the command line names; `load` reads those of the configuration. */
export async function chooseContract(
  flags: ContractFlags,
  io: Pick<Io, 'env' | 'cwd'>,
  load = () => loadContracts(flags.config, io),
): Promise<ContractChoice> {
  if (flags.contract !== undefined && flags.preset !== undefined) throw new UsageError('--contract and --preset exclude each other')
  const { plugins = noPlugins, ...base } = await findBase(flags, io, load)
  if (base.input === undefined) return { ...base, plugins }
  const { check, place } = await withSchemas(flags.check, io)
  const input = overlay(base.input, { ...flags, check })
  const { request } = flags
  return { input, place, plugins, catalogue: await plugins.catalogueFor([input]), ...(request && { request }) }
}

/** Checks on the command line may name schema files too, relative to the current folder. */
async function withSchemas(
  checks: ContractFlags['check'],
  io: Pick<Io, 'env' | 'cwd'>,
): Promise<{ readonly check: ContractFlags['check']; readonly place: Placing }> {
  if (checks === undefined || !checks.some(namesSchemaFile)) return { check: checks, place: (problem) => problem }
  const { readSchemaFiles } = await import('@stickler/node/internal/config')
  const { input, problems, place } = await readSchemaFiles({ checks }, `${io.cwd}/`, surroundings(io).readFile)
  if (problems.length > 0) throw new UsageError(problems.map(describeCheckProblem).join('\n'))
  return { check: input.checks, place }
}

function namesSchemaFile(check: CheckInput): boolean {
  return typeof check !== 'string' && Object.values(check).some((options) => isFields(options) && 'schemaFile' in options)
}

/** Builds the chosen contract and notes its warnings; errors are usage errors, because files have been validated before. */
export function buildChosen(choice: ContractChoice, note?: (line: string) => void): Contract {
  if (choice.input === undefined) throw new UsageError(choice.advice)
  try {
    const contract = applicable(buildContract(choice.input, choice.catalogue), choice.request)
    for (const { path, message } of contract.warnings ?? []) note?.(`${path.join('.')}: ${message}`)
    return contract
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    throw new UsageError(error.problems.map((problem) => describeCheckProblem(choice.place(problem))).join('\n'))
  }
}

function describeCheckProblem({ message, path: [first, _at, ...rest], position }: ConfigurationProblem): string {
  if (first !== 'checks') return `--${String(first)}: ${message}`
  const where = position === undefined ? '' : `${position.file}:${position.line}:${position.column}: `
  return `${where}${['--check', ...(rest.length > 0 ? [rest.join('.')] : [])].join(' ')}: ${message}`
}

/** Applies checks and policy to a contract: names select among its checks and set their options, or add new checks. */
export function overlay(base: ContractInput, { check, repair, allow, locale }: Overlay): ContractInput {
  return {
    ...base,
    ...(check === undefined ? {} : { checks: check.map((one) => (typeof one === 'string' ? (findCheck(base, one) ?? one) : one)) }),
    ...(repair === undefined ? {} : { repair }),
    ...(allow === undefined ? {} : { allow: [...allow] }),
    ...(locale === undefined ? {} : { locale }),
  }
}

function findCheck({ checks = [] }: ContractInput, name: string): CheckInput | undefined {
  return checks.find((check) => typeof check === 'object' && (Object.hasOwn(check, name) || ownName(check) === name))
}

/** The name that a check is given beside or in its options, if any. */
function ownName(check: object): unknown {
  if ('name' in check) return check.name
  const [options] = Object.values(check) as unknown[]
  return typeof options === 'object' && options !== null && 'name' in options ? options.name : undefined
}

async function findBase(
  flags: ContractFlags,
  io: Pick<Io, 'env' | 'cwd'>,
  load: () => Promise<LoadedContracts | undefined>,
): Promise<Base> {
  const { contract: wanted, preset, check, config: file } = flags
  if (preset !== undefined) return { input: { preset } }
  if (wanted !== undefined && isFile(wanted)) {
    const text = await readTextFile(wanted, io.cwd)
    const { readContractFile } = await import('@stickler/node/internal/config')
    return { input: await readContractFile(text, wanted, surroundings(io), () => readConfig(text, wanted, io)) }
  }
  if (wanted === undefined && check !== undefined) {
    const plugins = isOurs(check) ? undefined : (await load())?.plugins
    return { input: {}, ...(plugins === undefined ? {} : { plugins }) }
  }
  const config = await load()
  const plugins = config === undefined ? {} : { plugins: config.plugins }
  if (wanted !== undefined) return { ...plugins, input: named(wanted, config, file ?? configName) }
  return { ...plugins, ...defaultOf(config, file ?? configName) }
}

/** Whether every check is built in: then the configuration, which may be broken, is not needed. */
function isOurs(checks: readonly CheckInput[]): boolean {
  const problems: ConfigurationProblem[] = []
  readChecks(checks, catalogue.validators, problems)
  return problems.length === 0
}

/** Whether the value of --contract is a file rather than a name. */
export function isFile(written: string): boolean {
  return /[/\\]|\.(?:ya?ml|json)$/i.test(written)
}

function named(wanted: string, config: LoadedContracts | undefined, file: string): ContractInput {
  if (config === undefined)
    throw new UsageError(
      `there is no ${file} to find the contract ${JSON.stringify(wanted)} in; to name a contract file, include its extension or a slash`,
    )
  const { contracts } = config
  const found = Object.hasOwn(contracts, wanted) ? contracts[wanted] : undefined
  if (found === undefined) throw new UsageError(`${file}: ${unknownName('contract', wanted, Object.keys(contracts))}`)
  return found
}

function defaultOf(config: LoadedContracts | undefined, file: string): Base {
  const all = Object.entries(config?.contracts ?? {})
  if (all.length === 1 && all[0]) return { input: all[0][1] }
  const advice =
    all.length === 0
      ? 'choose what to check with --check NAME, --preset NAME or --contract NAME; `stickler list` shows them all'
      : `${file} has several contracts; choose with --contract: ${all.map(([name]) => name).join(', ')}`
  return { advice }
}
