import type { Locale } from '../../contract/locale.ts'
import type { StandardResult, StandardSchema } from '../../contract/standard-schema.ts'
import type { PreparedValidator, ValidatorDefinition } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import type { DefinitionData } from './definition-data.ts'
import type { PreparedData } from './prepared-data.ts'

/** A validator that lives in another thread: it can be put into contracts here, and is run there. */
export interface StandIn extends ValidatorDefinition {
  readonly module: string
}

/** What is known of options that were bound in the other thread. */
type FindPrepared = (name: string, options: unknown) => PreparedData | undefined

/** Creates the stand-in of a validator; only options that `find` knows can be bound. */
export function standIn({ options, ...data }: DefinitionData, module: string, find: FindPrepared = () => undefined): StandIn {
  const { name } = data
  const boundTo = (given: unknown): Exclude<PreparedData, { readonly problems: object }> => {
    const found = find(name, given)
    if (found === undefined || found.problems !== undefined) throw new Error(`the options of ${name} were not bound in its thread`)
    return found
  }
  return {
    ...(data as Omit<DefinitionData, 'options' | 'ports'> & Pick<ValidatorDefinition, 'ports'>),
    module,
    options: schemaOf(options, (given) => find(name, given)),
    instruct: (given: unknown, locale: Locale) => boundTo(given).instructions[locale],
    prepare: (given: unknown) => preparedOf(boundTo(given)),
  }
}

function schemaOf(options: DefinitionData['options'], find: (given: unknown) => PreparedData | undefined): StandardSchema {
  const validate = (value: unknown): StandardResult<unknown> => {
    const found = find(value)
    return found?.problems === undefined ? { value } : { issues: found.problems }
  }
  const jsonSchema = { input: () => options, output: () => options }
  return { '~standard': { version: 1, vendor: 'stickler', validate, ...(options === undefined ? {} : { jsonSchema }) } }
}

function preparedOf({
  name,
  codes,
  ports,
  allow,
  optedIn,
  lastResort,
  edits,
  secret,
  readsPrompt,
  repairs,
  schema,
}: Exclude<PreparedData, { readonly problems: object }>): PreparedValidator {
  return {
    ...(name === undefined ? {} : { name }),
    ...(codes === undefined ? {} : { codes }),
    ...(ports === undefined ? {} : { ports: ports as NonNullable<PreparedValidator['ports']> }),
    ...(allow === undefined ? {} : { allow }),
    ...(optedIn === undefined ? {} : { optedIn }),
    ...(lastResort === undefined ? {} : { lastResort }),
    ...(edits === undefined ? {} : { edits }),
    ...(secret === undefined ? {} : { secret }),
    ...(readsPrompt === undefined ? {} : { readsPrompt }),
    ...(schema === undefined ? {} : { schema }),
    check() {
      throw new ValidatorUnavailable('a validator of a plugin runs only in a worker thread, and none is available here')
    },
    // Never called either: the whole repair runs in the thread.
    ...(repairs ? { repair: () => [] } : {}),
  }
}
