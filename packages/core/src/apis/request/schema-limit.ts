import { checkSchemaSize as check } from '../../answer/request/schema-size.ts'
import { isEndless } from '../../schema/read/endless.ts'
import { wrongParameter } from './read-fields.ts'

/** Rejects a client's schema that is too large to check answers against, or refers to itself without end; `written` is the enclosing value, if that is larger. */
export function checkSchemaSize(schema: unknown, param: string, written: unknown = schema): void {
  if (check(written, param, wrongParameter) && isEndless(schema))
    throw wrongParameter(param, 'refers to itself without end', 'endless_schema')
}
