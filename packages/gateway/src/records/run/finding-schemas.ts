import { certificateSchema, issueSchema } from '@stickler/core/internal'
import * as z from 'zod'

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
