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
    const { data: open, problems: secrets } = takeOutSecrets(written, this.#schema)
    const { data, problems, used } = expandData(open, this.#env, this.#schema)
    this.#problems.push(...secrets, ...problems)
    this.#settled = new Set(problems.map(({ path }) => pathKey(path)))
    this.#used = used
    this.#data = data
    return data
  }
}

function isVariable(name: string | number): boolean {
  return typeof name === 'string' && /^[A-Z][A-Z0-9_]*$/.test(name)
}
