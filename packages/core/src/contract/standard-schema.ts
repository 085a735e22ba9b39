/** The part of the Standard Schema interface that Stickler uses: Zod, Valibot and ArkType all offer it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** The part of the Standard JSON Schema interface that Stickler uses; Zod and ArkType offer it beside Standard Schema, Valibot through `toStandardJsonSchema`. */
export interface StandardJsonSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly jsonSchema: { readonly input: (options: { readonly target: 'draft-2020-12' }) => Readonly<Record<string, unknown>> }
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** What a Standard Schema answers: the value, or what is wrong with it. */
export type StandardResult<Output> = { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] }

/** One complaint of a Standard Schema. */
export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** The type that goes into a schema. */
export type InputOf<Schema extends StandardSchema | StandardJsonSchema> = NonNullable<Schema['~standard']['types']>['input']

/** The type that comes out of a schema. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<Schema['~standard']['types']>['output']

/** The keys of a complaint's path, without wrappers. */
export function pathOf(issue: StandardIssue): (string | number)[] {
  return (issue.path ?? []).map((segment) => {
    const key = typeof segment === 'object' ? segment.key : segment
    return typeof key === 'number' ? key : String(key)
  })
}
