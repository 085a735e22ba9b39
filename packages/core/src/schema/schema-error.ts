/** Why a schema was refused, or a value could not be checked against it. */
export type SchemaErrorReason =
  | 'invalid'
  | 'remote-reference'
  | 'unresolved-reference'
  | 'endless-reference'
  | 'pattern'
  | 'too-large'
  | 'too-costly'

/** Thrown for a schema that cannot be used, and for a check that would cost too much: never a verdict about the value. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
  readonly reason: SchemaErrorReason

  constructor(reason: SchemaErrorReason, message: string) {
    super(message)
    this.reason = reason
  }
}
