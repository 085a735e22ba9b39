import * as z from 'zod'

const path = z.array(z.union([z.string(), z.number()]))
const span = z.looseObject({ start: z.int(), end: z.int() }).describe('Offsets in UTF-16 code units.')

/** One thing that is wrong with an answer. */
export const issueSchema = z.looseObject({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  validator: z.string(),
  message: z.string().describe('One imperative sentence to the model.'),
  hint: z.string().optional(),
  span: span.optional(),
  path: path.optional(),
  suggestion: z.string().optional(),
})

/** One change that a repair made. */
export const certificateSchema = z.looseObject({
  rule: z.string(),
  class: z.enum(['lossless', 'lossy', 'guess']),
  span: span.optional(),
  before: z.string().optional(),
  after: z.string().optional(),
  path: path.optional(),
})

/** A validator that could not run. */
export const uncheckedSchema = z.looseObject({
  validator: z.string(),
  cause: z.enum(['timeout', 'crash', 'unavailable', 'aborted']),
  message: z.string(),
  reason: z.string().optional(),
  circuit: z.string().optional(),
})

/** Tokens and money. */
export const usageSchema = z.looseObject({
  promptTokens: z.number(),
  completionTokens: z.number(),
  cost: z.number().optional().describe('In dollars; absent where no price is known.'),
  estimated: z.boolean().optional(),
})

/** The names under which a document lists them. */
export const findingNames = { Issue: issueSchema, Certificate: certificateSchema, Unchecked: uncheckedSchema, Usage: usageSchema }
