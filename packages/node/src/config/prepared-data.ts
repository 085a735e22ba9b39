import {
  ConfigurationError,
  type ConfigurationProblem,
  type Environment,
  readYamlConfig,
  type SourcePosition,
  type YamlConfig,
} from '@stickler/core'
import { inFileOrder } from '@stickler/core/internal'
import type * as z from 'zod'
import type { ZodMiniType } from 'zod/mini'
import { expandData, nameVariables, pathKey, type UsedVariable } from './expand-variables.ts'
import { takeOutSecrets } from './literal-secrets.ts'

type Path = readonly (string | number)[]

/** A configuration file being read: collects problems, so that all are reported at once. */
export class PreparedData<Schema extends z.ZodType | ZodMiniType> {
  readonly #schema: Schema
  readonly #env: Environment
  readonly #problems: ConfigurationProblem[] = []
  #settled = new Set<string>()
  #used: readonly UsedVariable[] = []
  #positionOf: (path: Path) => SourcePosition | undefined = () => undefined
  #data: unknown

  constructor(schema: Schema, env: Environment) {
    this.#schema = schema
    this.#env = env
  }

  /** The plain data of the file, with variables expanded. */
  get data(): unknown {
    return this.#data
  }

  /**
   * Reads the file; undefined when the schema rejects it, which `finish` reports. Invalid YAML
   * throws at once.
   */
  read(source: string, file: string): YamlConfig<z.output<Schema>> | undefined {
    let hasBegun = false
    try {
      return readYamlConfig(source, file, this.#schema, (data, positionOf) => {
        hasBegun = true
        this.#positionOf = positionOf
        return this.#prepare(data)
      })
    } catch (error) {
      if (!hasBegun || !(error instanceof ConfigurationError)) throw error
      this.add(error.problems)
      return undefined
    }
  }

  /** Adds a problem; a place with a missing variable is already reported. */
  add(problems: readonly ConfigurationProblem[]): void {
    this.#problems.push(...problems.filter(({ path }) => !this.#settled.has(pathKey(path))))
  }

  /** The configuration, if it is valid. */
  finish(config: YamlConfig<z.output<Schema>> | undefined): YamlConfig<z.output<Schema>> {
    if (config !== undefined && this.#problems.length === 0) return config
    throw new ConfigurationError(
      inFileOrder(
        this.#problems.map((problem) => {
          const position = problem.position ?? (this.#isWritten(problem.path) ? this.#positionOf(problem.path) : undefined)
          return { message: nameVariables(problem.message, this.#used), path: problem.path, ...(position && { position }) }
        }),
      ),
    )
  }

  /** Problems with the environment have no place in the file. */
  #isWritten([first]: Path): boolean {
    return first === undefined || !isVariable(first) || Object.hasOwn(Object(this.#data), first)
  }

  #prepare(written: unknown): unknown {
    const { data: open, problems: secrets } = takeOutSecrets(written)
    const { data, problems, whole, used } = expandData(open, this.#env)
    this.#problems.push(...secrets, ...problems)
    this.#settled = new Set(problems.map(({ path }) => pathKey(path)))
    this.#used = used
    this.#data = readNumberTexts(data, whole, this.#schema)
    return this.#data
  }
}

function isVariable(name: string | number): boolean {
  return typeof name === 'string' && /^[A-Z][A-Z0-9_]*$/.test(name)
}

/**
 * Converts a variable where the schema expects a number or boolean: `port: ${PORT}`. Only values
 * that the schema rejects are converted, so that a name of digits stays a string.
 */
function readNumberTexts(data: unknown, whole: ReadonlySet<string>, schema: z.ZodType | ZodMiniType): unknown {
  if (whole.size === 0) return data
  const { error } = schema.safeParse(data, { jitless: true })
  const wanted = new Map(
    error?.issues.flatMap((issue) =>
      issue.code === 'invalid_type' && whole.has(pathKey(issue.path)) ? [[pathKey(issue.path), issue.expected] as const] : [],
    ),
  )
  return wanted.size === 0 ? data : replaceAt(data, [], wanted)
}

function replaceAt(value: unknown, path: readonly (string | number)[], wanted: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return readAs(value, wanted.get(pathKey(path)))
  if (Array.isArray(value)) return value.map((item, index) => replaceAt(item, [...path, index], wanted))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaceAt(inner, [...path, key], wanted)]))
}

function readAs(text: string, type: string | undefined): unknown {
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if ((type === 'number' || type === 'int') && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(text)) return Number(text)
  return text
}
