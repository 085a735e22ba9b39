import type { Price } from '@stickler/core/internal/apis'
import * as z from 'zod'
import { listPricesDate } from '../list-prices.ts'
import { durationSchema, nameSchema } from './scalars.ts'

const tokenPrice = z.strictObject({
  prompt: z.number().nonnegative().describe('Dollars for a million tokens of the prompt.'),
  completion: z.number().nonnegative().describe('Dollars for a million tokens of the answer.'),
})

/** Keys that several kinds of upstreams share. */
export const sharedKeys = {
  name: nameSchema.describe('Name for routes and for `--upstream`.'),
  model: z.string().min(1).optional().describe('The model if neither a route nor `--model` names one.'),
  models: z
    .record(z.string().min(1).max(200), tokenPrice)
    .optional()
    .describe('Additional models, each with its price; questions may name these and `model`.'),
  provider: z.string().min(1).max(100).optional().describe('Name of the provider, such as ollama; sets its default capabilities.'),
  capabilities: z
    .strictObject({
      citations: z.boolean().optional().describe('Cites reliably with [^N] markers.'),
      seed: z.boolean().optional().describe('Supports a seed; by default as its provider and the model do.'),
      temperature: z.boolean().optional().describe('Supports a temperature; by default as the model does.'),
      streaming: z.boolean().optional().describe('Streams answers.'),
      finishReason: z
        .boolean()
        .optional()
        .describe('Sends a finish reason with every answer: an answer without one is then unchecked, otherwise it gets a warning.'),
      structuredOutput: z
        .boolean()
        .optional()
        .describe(
          'Takes the JSON Schema of a contract in the field that its API has for it; otherwise the schema goes into the prompt. True for OpenAI, Anthropic and Ollama.',
        ),
    })
    .optional()
    .describe("The provider's capabilities, where they differ from its defaults."),
  price: tokenPrice
    .optional()
    .describe(`Price of tokens; by default that of the provider's list of ${listPricesDate}, for its usual models.`),
  answerLimit: z
    .int()
    .min(1024)
    .max(1024 ** 3)
    .default(16 * 1024 * 1024)
    .describe('Maximum bytes of an answer: its text, calls and other fields, without the framing of a stream.'),
  total: durationSchema.optional().describe('Seconds for the whole answer.'),
} as const

/** An upstream in the configuration file: the keys that all kinds may have. */
export interface WrittenUpstream {
  readonly name: string
  readonly kind: string
  readonly provider?: string | undefined
  readonly capabilities?: z.output<typeof sharedKeys.capabilities>
  readonly price?: z.output<typeof tokenPrice> | undefined
  readonly model?: string | undefined
  readonly models?: Readonly<Record<string, z.output<typeof tokenPrice>>> | undefined
  /** The environment variable with its key. */
  readonly apiKeyEnv?: string | undefined
  /** The environment variables with values of headers. */
  readonly headersEnv?: Readonly<Record<string, string>> | undefined
  /** Environment variables that its command gets. */
  readonly env?: readonly string[] | undefined
}

/** A price in dollars per million tokens. */
export function priceIn({ prompt, completion }: { readonly prompt: number; readonly completion: number }): Price {
  return { promptPerMillion: prompt, completionPerMillion: completion }
}
