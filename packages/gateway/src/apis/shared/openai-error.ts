import type { Fields } from './fields.ts'
import type { ClientError } from './protocol.ts'

/** The body of an error as OpenAI writes it; all four keys are always there. */
export function openaiErrorBody({ message, type, param, code, body }: ClientError): Fields {
  return { ...body, error: { message, type, param, code } }
}
