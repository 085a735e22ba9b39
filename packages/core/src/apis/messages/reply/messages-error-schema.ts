import * as z from 'zod'

/** An error in Anthropic's format. */
export const messagesErrorSchema = z
  .looseObject({ type: z.literal('error'), error: z.looseObject({ type: z.string(), message: z.string() }) })
  .describe("An error in Anthropic's format.")
