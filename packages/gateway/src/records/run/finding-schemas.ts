import { certificateSchema, issueSchema } from '@stickler/core/internal/apis'
import * as z from 'zod'
import { isGroup, isList } from './run-columns.ts'
import { type Column, type Kind, type Members, runMembers } from './run-record.ts'

/** A validator that could not run. */
export const uncheckedSchema = z.looseObject({
  validator: z.string(),
  cause: z.enum(['timeout', 'crash', 'unavailable', 'aborted']),
  message: z.string(),
  reason: z.string().optional(),
  fault: z.string().optional(),
  circuit: z.string().optional(),
})

const kinds: Readonly<Record<Kind, () => z.ZodType>> = {
  name: z.string,
  sentence: z.string,
  text: z.string,
  whole: z.int,
  real: z.number,
  flag: z.boolean,
  mark: z.boolean,
  names: () => z.record(z.string(), z.string()),
  json: z.unknown,
}

/** The schema of a stored object, with the schemas of members that its table does not describe; a list without a schema is described by its number of items. */
export function objectSchema(members: Members, inside: Readonly<Record<string, z.ZodType>> = {}): z.ZodObject {
  const entries = Object.entries(members).map(([key, member]) => {
    const schema = inside[key] ?? (isGroup(member) ? objectSchema(member.parts) : columnSchema(isList(member) ? member.count : member))
    return [key, isList(member) || !member.optional ? schema : schema.optional()] as const
  })
  return z.looseObject(Object.fromEntries(entries))
}

function columnSchema({ kind, values, says }: Column): z.ZodType {
  return values ? z.enum(values) : kinds[kind]().describe(`${says.charAt(0).toUpperCase()}${says.slice(1)}.`)
}

/** Tokens and money. */
export const usageSchema = objectSchema(runMembers.usage.parts)

/** The names that an OpenAPI document gives these schemas. */
export const findingNames = { Issue: issueSchema, Certificate: certificateSchema, Unchecked: uncheckedSchema, Usage: usageSchema }
