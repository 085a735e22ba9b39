import { SchemaError } from '../schema-error.ts'

/** Thrown when a text would have to be read too often, or takes too many steps. */
export class TooManyReads extends SchemaError {
  constructor(message: string) {
    super('too-costly', message)
  }
}
