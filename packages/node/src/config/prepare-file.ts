import { ConfigurationError, type ConfigurationProblem, type Environment, readYamlConfig, type YamlConfig } from '@stickler/core'
import { inFileOrder } from '@stickler/core/internal'
import type * as z from 'zod'
import type { ZodMiniType } from 'zod/mini'
import { expandData, nameVariables, pathKey } from './expand-variables.ts'
import { takeOutSecrets } from './literal-secrets.ts'

/** A configuration file that was read, with all that is wrong with it so far. */
interface PreparedFile<Value> {
  /** The plain data of the file, with variables expanded. */
  readonly data: unknown
  /** Undefined when the schema rejects the file, which `finish` reports. */
  readonly value: Value | undefined
  /** The configuration, if it is valid; throws a ConfigurationError that lists further problems too, by line and column. */
  finish(further: readonly ConfigurationProblem[]): YamlConfig<Value>
}

/** Reads a configuration file so that all its problems are reported at once; invalid YAML throws. */
export function prepareFile<Schema extends z.ZodType | ZodMiniType>(
  schema: Schema,
  source: string,
  file: string,
  env: Environment,
): PreparedFile<z.output<Schema>> {
  let problems: readonly ConfigurationProblem[] = []
  let config: YamlConfig<z.output<Schema>> | undefined
  let read: (ReturnType<typeof expandData> & Pick<YamlConfig<unknown>, 'positionOf'>) | undefined
  try {
    config = readYamlConfig(source, file, schema, (written, positionOf) => {
      const { data: open, problems: secrets } = takeOutSecrets(written, schema)
      read = { ...expandData(open, env, schema), positionOf }
      problems = [...secrets, ...read.problems]
      return read.data
    })
  } catch (error) {
    if (read === undefined || !(error instanceof ConfigurationError)) throw error
    add(error.problems)
  }
  // The file is read synchronously.
  const { data, used, positionOf } = read as NonNullable<typeof read>

  /** Adds problems; a place with a missing variable is already reported. */
  function add(found: readonly ConfigurationProblem[]): void {
    const settled = new Set(read?.problems.map(({ path }) => pathKey(path)))
    problems = [...problems, ...found.filter(({ path }) => !settled.has(pathKey(path)))]
  }

  /** Problems with the environment have no place in the file. */
  function isWritten([first]: ConfigurationProblem['path']): boolean {
    return typeof first !== 'string' || !/^[A-Z][A-Z0-9_]*$/.test(first) || Object.hasOwn(Object(data), first)
  }

  return {
    data,
    value: config?.value,
    finish(further) {
      add(further)
      if (config !== undefined && problems.length === 0) return config
      throw new ConfigurationError(
        inFileOrder(
          problems.map(({ message, path, position: own }) => {
            const position = own ?? (isWritten(path) ? positionOf(path) : undefined)
            return { message: nameVariables(message, used), path, ...(position && { position }) }
          }),
        ),
      )
    },
  }
}
