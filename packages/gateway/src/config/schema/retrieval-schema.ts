import { collectionProblem, indexAddresses, readIndexAddress } from '@stickler/ask/internal/config'
import * as z from 'zod'
import { baseUrlSchema } from '../../upstreams/settings/base-url.ts'
import { textFor } from '../../upstreams/settings/configuration-problems.ts'
import { durationSchema, modelKeyName, variableName } from '../../upstreams/settings/scalars.ts'
import { upstreamName } from './scalars.ts'

const model = z.string().min(1).exactOptional().describe('The model to call; by default that of the upstream.')
const upstream = upstreamName.describe('The upstream to call.')
const modelChoice = z.strictObject({ upstream, model })
const threshold = z
  .number()
  .min(0)
  .max(1)
  .exactOptional()
  .describe('Context that scores less is insufficient; each strategy has its own default.')

const embeddingsService = z
  .strictObject({
    baseUrl: baseUrlSchema.describe('Everything before `/embeddings`.'),
    model: z.string().min(1).describe('The embedding model.'),
    apiKeyEnv: modelKeyName.exactOptional().describe('The environment variable that holds the key.'),
    dimensions: z.int().min(1).max(16_384).exactOptional().describe('Number of dimensions of a vector, if the model supports it.'),
    timeout: durationSchema.prefault(10).describe('Seconds for one call.'),
  })
  .transform((keys) => ({ ...keys, kind: 'service' as const }))

/** The message for a value that is not a mapping; undefined for other problems. */
const unlessMapping =
  (message: string) =>
  ({ code }: { readonly code?: string | undefined }): string | undefined =>
    code === 'invalid_type' ? message : undefined

const relevance = z.discriminatedUnion(
  'strategy',
  [
    z.strictObject({ strategy: z.literal('lexical').describe('lexical, embedding or llm.'), threshold }),
    z.strictObject({ strategy: z.literal('embedding').describe('lexical, embedding or llm.'), threshold }),
    z.strictObject({ strategy: z.literal('llm').describe('lexical, embedding or llm.'), upstream, model }),
  ],
  { error: unlessMapping('write { strategy: lexical }, { strategy: embedding } or { strategy: llm, upstream: NAME }') },
)

/** Where passages for pipelines come from, and how queries are understood. */
export const retrievalSchema = z
  .strictObject(
    {
      index: textFor(readIndexAddress)
        .exactOptional()
        .describe(`A file, relative to this file, or ${indexAddresses.slice(1).join(', ')}; index.db in the folder of the store.`),
      indexEnv: variableName({ read: readIndexAddress })
        .exactOptional()
        .describe('The environment variable that holds the address, instead of `index`.'),
      collection: z
        .string()
        .superRefine((name, context) => {
          const message = collectionProblem(name)
          if (message !== undefined) context.addIssue({ code: 'custom', message })
        })
        .default('default')
        .describe('Which passages of the index are searched.'),
      chunks: z.int().min(1).max(50).default(8).describe('Maximum passages per query.'),
      embeddings: z
        .union([z.enum(['none', 'local']).transform((kind) => ({ kind })), embeddingsService])
        .prefault('local')
        .describe('Source of vectors: none (full text only), local (built in, without a model), or an OpenAI-compatible service.'),
      relevance: relevance.prefault({ strategy: 'lexical' }).describe('How relevance of the passages is decided.'),
      classifier: z
        .union([z.literal('rules').transform(() => undefined), modelChoice])
        .prefault('rules')
        .describe('How to classify queries: with rules, or with a model.'),
      reformulation: z
        .union([z.literal('rules').transform(() => undefined), modelChoice])
        .prefault('rules')
        .describe('How to reword queries for the search: with rules, or with a model.'),
    },
    { error: unlessMapping('write retrieval: {} for the defaults, or settings such as retrieval: { index: .stickler/index.db }') },
  )
  .superRefine(({ index, indexEnv, embeddings, relevance: { strategy } }, context) => {
    if (index !== undefined && indexEnv !== undefined)
      context.addIssue({ code: 'custom', message: 'index and indexEnv are mutually exclusive', path: ['indexEnv'] })
    if (strategy === 'embedding' && embeddings.kind === 'none')
      context.addIssue({
        code: 'custom',
        message: 'the strategy embedding compares vectors; embeddings: none makes none',
        path: ['relevance', 'strategy'],
      })
  })

/** Retrieval as it is written. */
export type WrittenRetrieval = z.output<typeof retrievalSchema>
