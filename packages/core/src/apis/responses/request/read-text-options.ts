import { type Fields, isFields } from '../../../answer/tool-shapes/fields.ts'
import { checkFields, type FieldTable, refuse, requireField } from '../../request/read-fields.ts'
import { checkSchemaSize } from '../../request/schema-size.ts'
import { given } from '../../shared/fields.ts'

const textFields: FieldTable = new Map([
  ['format', 'object'],
  ['verbosity', 'text'],
])

const schemaFields: FieldTable = new Map([
  ['description', 'text'],
  ['strict', 'boolean'],
])

/** `text` as in chat completions: `response_format` and `verbosity`. */
export function readTextOptions(text: unknown): Fields {
  if (!isFields(text)) return {}
  checkFields(text, textFields, 'text.')
  return given({ response_format: isFields(text.format) ? responseFormat(text.format) : undefined, verbosity: text.verbosity })
}

function responseFormat(format: Fields): Fields | undefined {
  switch (format.type) {
    case 'text':
      return undefined
    case 'json_object':
      return { type: 'json_object' }
    case 'json_schema': {
      requireField(format, 'name', 'name', 'text.format.')
      requireField(format, 'schema', 'object', 'text.format.')
      checkFields(format, schemaFields, 'text.format.')
      const { name, schema, strict, description } = format
      checkSchemaSize(schema, 'text.format.schema')
      return { type: 'json_schema', json_schema: given({ name, description, schema, strict }) }
    }
    default:
      return refuse('text.format.type', 'text.format.type must be text, json_object or json_schema.')
  }
}
