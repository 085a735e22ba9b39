import * as z from 'zod'

/** An error as Anthropic writes it. */
export const messagesErrorSchema = z
  .looseObject({ type: z.literal('error'), error: z.looseObject({ type: z.string(), message: z.string() }) })
  .describe('An error as Anthropic writes it.')
