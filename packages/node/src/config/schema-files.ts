import { dirname, resolve } from 'node:path'
import { type ConfigurationProblem, type ContractInput, readYamlConfig, type SourcePosition } from '@stickler/core'
import { anySchema, describeOptions, isFields, systemCode } from '@stickler/core/internal'
import { catalogue } from '@stickler/presets'

/** Reads a text file; rejects when it cannot be read. */
export type ReadFile = (path: string) => Promise<string>

/** A contract with the schemas of its checks read. */
export interface WithSchemas {
  readonly input: ContractInput
  /** Paths begin in the contract. */
  readonly problems: readonly ConfigurationProblem[]
  /** Gives a problem of a schema its position in the file that the schema came from. */
  place(problem: ConfigurationProblem): ConfigurationProblem
}

/** Larger schemas are rejected: they are compiled in one go. */
const largest = 1024 * 1024

/** The validators with a schema option, which may name a file instead. */
export function takesSchemaFile(name: string): boolean {
  const definition = catalogue.validators.find((validator) => validator.definition.name === name)?.definition
  return definition !== undefined && (describeOptions(definition) ?? []).some((option) => option.name === 'schema')
}

/**
 * Replaces each `schemaFile` by its content; names are relative to `base`, a file or a folder with
 * a trailing slash.
 */
export async function readSchemaFiles(input: ContractInput, base: string, readFile: ReadFile): Promise<WithSchemas> {
  if (!Array.isArray(input.checks)) return { input, problems: [], place: (problem) => problem }
  const problems: ConfigurationProblem[] = []
  const texts = new Map<number, SchemaText>()
  const folder = base.endsWith('/') ? base : dirname(base)
  const checks = await Promise.all(
    input.checks.map(async (check: unknown, at) => {
      const named = Object.entries(isFields(check) ? check : {}).find(
        ([key, value]) => isFields(value) && 'schemaFile' in value && takesSchemaFile(key),
      )
      if (named === undefined) return check
      const [name, options] = named as [string, Readonly<Record<string, unknown>>]
      const { schemaFile, ...rest } = options
      const read =
        'schema' in options ? { problem: 'schema and schemaFile are mutually exclusive' } : await readSchema(schemaFile, folder, readFile)
      if (read.problem === undefined) texts.set(at, read)
      else problems.push({ message: read.problem, path: ['checks', at, name, 'schemaFile'] })
      return { ...(check as object), [name]: read.problem === undefined ? { ...rest, schema: read.schema } : rest }
    }),
  )
  return {
    input: { ...input, checks: checks as NonNullable<ContractInput['checks']> },
    problems,
    place(problem) {
      const [first, at, name = '', option, ...inside] = problem.path
      const text = first === 'checks' && option === 'schema' ? texts.get(Number(at)) : undefined
      if (text === undefined) return problem
      const position = positionIn(text, inside)
      return { ...problem, path: [first ?? '', at ?? 0, name, 'schemaFile', ...inside], ...(position && { position }) }
    },
  }
}

interface SchemaText {
  readonly file: string
  readonly text: string
}

/** The position of a key in a JSON file; undefined where YAML cannot read what JSON allows. */
function positionIn({ file, text }: SchemaText, path: readonly (string | number)[]): SourcePosition | undefined {
  try {
    return readYamlConfig(text, file, anySchema()).positionOf(path)
  } catch {
    return undefined
  }
}

type ReadSchema = (SchemaText & { readonly schema: unknown; readonly problem?: undefined }) | { readonly problem: string }

async function readSchema(file: unknown, folder: string, readFile: ReadFile): Promise<ReadSchema> {
  if (typeof file !== 'string' || file === '') return { problem: 'must be the name of a file' }
  let text: string
  try {
    text = await readFile(resolve(folder, file))
  } catch (error) {
    const why = isAbsent(error) ? ': there is no such file' : isFileFault(error) ? `: ${error.message}` : ''
    return { problem: `cannot read ${file}${why}` }
  }
  if (text.length > largest) return { problem: `${file} is larger than ${largest} characters` }
  try {
    return { schema: JSON.parse(text.replace(/^\uFEFF/, '')) as unknown, file, text }
  } catch {
    return { problem: `${file} is not JSON` }
  }
}

function isAbsent(error: unknown): boolean {
  const code = systemCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}

/** By its name: the command has this module in its bundle, and the class outside of it. */
function isFileFault(error: unknown): error is Error {
  return error instanceof Error && error.name === 'FileFault'
}
