/** The fields of a run's `context` that show that tools were offered to the model. */
type ToolOffer = 'tools' | 'functions' | 'toolChoice'

/** The options that determine, for the compiler, whether a run may end without a value. */
export interface Narrowing<Context, Only> {
  readonly context?: Context
  readonly only?: Only
}

/**
 * The type of a run's value: `undefined` too where the model may call tools in place of answering, because the context offers some or may do so, and
 * where not all validators run.
 */
export type ValueIn<Value, Context, Only> =
  | Value
  | (string extends keyof Context ? undefined : Extract<keyof Context, ToolOffer> extends never ? never : undefined)
  | ([Only] extends [never] ? never : undefined)
