import type { Price } from '@stickler/core/internal/apis'
import * as z from 'zod'
import { listPricesDate } from '../list-prices.ts'
import { durationSchema, nameSchema } from './scalars.ts'

const tokenPrice = z
  .strictObject({
    prompt: z.number().nonnegative().describe('Dollars for a million tokens of the prompt.'),
    completion: z.number().nonnegative().describe('Dollars for a million tokens of the answer.'),
  })
  .transform(({ prompt, completion }): Price => ({ promptPerMillion: prompt, completionPerMillion: completion }))

/** Keys that several kinds of upstreams share. */
export const sharedKeys = {
  name: nameSchema.describe('Name for routes and for `--upstream`.'),
  model: z.string().min(1).exactOptional().describe('The model if neither a route nor `--model` names one.'),
  models: z
    .record(z.string().min(1).max(200), tokenPrice)
    .transform((models): ReadonlyMap<string, Price> => new Map(Object.entries(models)))
    .exactOptional()
    .describe('Additional models, each with its price; questions may name these and `model`.'),
  provider: z.string().min(1).max(100).exactOptional().describe('Name of the provider, such as ollama; sets its default capabilities.'),
  capabilities: z
    .strictObject({
      citations: z.boolean().exactOptional().describe('Cites reliably with [^N] markers.'),
      seed: z.boolean().exactOptional().describe('Supports a seed; by default as its provider and the model do.'),
      temperature: z.boolean().exactOptional().describe('Supports a temperature; by default as the model does.'),
      streaming: z.boolean().exactOptional().describe('Streams answers.'),
      finishReason: z
        .boolean()
        .exactOptional()
        .describe('Sends a finish reason with every answer: an answer without one is then unchecked, otherwise it gets a warning.'),
      structuredOutput: z
        .boolean()
        .exactOptional()
        .describe(
          'Takes the JSON Schema of a contract in the field that its API has for it; otherwise the schema goes into the prompt. True for OpenAI, Anthropic and Ollama.',
        ),
    })
    .exactOptional()
    .describe("The provider's capabilities, where they differ from its defaults."),
  price: tokenPrice
    .exactOptional()
    .describe(`Price of tokens; by default that of the provider's list of ${listPricesDate}, for its usual models.`),
  answerLimit: z
    .int()
    .min(1024)
    .max(1024 ** 3)
    .default(16 * 1024 * 1024)
    .describe('Maximum bytes of an answer: its text, calls and other fields, without the framing of a stream.'),
  total: durationSchema.exactOptional().describe('Seconds for the whole answer.'),
} as const

type Shared = Pick<typeof sharedKeys, 'name' | 'provider' | 'capabilities' | 'price' | 'model' | 'models'>

/** An upstream in the configuration file: the keys that all kinds may have. */
export type WrittenUpstream = z.output<z.ZodObject<Shared>> & { readonly kind: string }
