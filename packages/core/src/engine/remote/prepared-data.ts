import type { RepairClass } from '../../contract/certificate.ts'
import { prepareCheck } from '../../contract/configuration/read-checks.ts'
import type { ConfigurationProblem } from '../../contract/configuration-error.ts'
import { type Locale, locales } from '../../contract/locale.ts'
import type { ValidatorDefinition } from '../../contract/validator.ts'
import { plainLine } from './plain-line.ts'

/** A validator with its options bound, as plain data, or what is wrong with the options. */
export type PreparedData =
  | { readonly problems: readonly ConfigurationProblem[] }
  | {
      readonly problems?: undefined
      readonly instructions: Readonly<Record<Locale, string>>
      readonly repairs: boolean
      /** What the contract calls it, where the options say so. */
      readonly name?: string
      /** Codes that the options give. */
      readonly codes?: readonly string[]
      readonly ports?: readonly string[]
      readonly allow?: readonly RepairClass[]
      readonly optedIn?: true
      readonly lastResort?: readonly RepairClass[]
      /** The classes of changes that are made whatever else is wrong. */
      readonly edits?: RepairClass | readonly RepairClass[]
      readonly secret?: true
      readonly readsPrompt?: true
      /** The JSON Schema of the value that it requires. */
      readonly schema?: unknown
    }

/** A longer instruction would crowd out the prompt of the user. */
const longestInstruction = 4000

/** Binds a validator to its options and describes the result to another thread. */
export function describePrepared(definition: ValidatorDefinition, options: unknown): PreparedData {
  const problems: ConfigurationProblem[] = []
  const written = options === undefined ? {} : { options }
  const [first, ...others] = locales.map((locale) => [locale, bind(definition, written, locale, problems)] as const)
  const prepared = first?.[1]?.prepared
  if (prepared === undefined || problems.length > 0)
    return { problems: problems.slice(0, 20).map(({ message, path }) => ({ message: plainLine(message), path: path.slice(3) })) }
  const { name, codes, ports, allow, optedIn, lastResort, edits, secret, readsPrompt, repair, schema } = prepared
  const instructions = Object.fromEntries([first, ...others].flatMap((one) => (one ? [[one[0], textOf(one[1]?.instruction)]] : [])))
  return structuredClone({
    instructions: instructions as Record<Locale, string>,
    repairs: typeof repair === 'function',
    ...(typeof name === 'string' ? { name: name.slice(0, 64) } : {}),
    ...(codes === undefined ? {} : { codes: [...codes] }),
    ...(ports === undefined ? {} : { ports: [...ports] }),
    ...(allow === undefined ? {} : { allow: [...allow] }),
    ...(optedIn === true ? { optedIn } : {}),
    ...(lastResort === undefined ? {} : { lastResort: [...lastResort] }),
    ...(edits === undefined ? {} : { edits }),
    ...(secret === true ? { secret } : {}),
    ...(readsPrompt === true ? { readsPrompt } : {}),
    ...(schema === undefined ? {} : { schema: JSON.parse(JSON.stringify(schema)) }),
  })
}

function bind(definition: ValidatorDefinition, written: { readonly options?: unknown }, locale: Locale, problems: ConfigurationProblem[]) {
  if (problems.length > 0) return undefined
  const bound = prepareCheck({ name: definition.name, definition, at: 0, ...written }, locale, problems)
  if (bound !== undefined && typeof bound.prepared?.check !== 'function')
    problems.push({ message: 'prepare must return an object with a function check', path: [] })
  return bound
}

function textOf(instruction: unknown): string {
  return typeof instruction === 'string' ? instruction.slice(0, longestInstruction) : ''
}
