import * as z from 'zod'
import type { RouteDescription } from '../../front/route-description.ts'

/** What `/ask` takes and gives. */
export function askDescription(): RouteDescription {
  const body = z.strictObject({
    question: z.string(),
    sources: z.array(z.looseObject({ urn: z.string(), payload: z.string() })).nullish(),
    type: z.string().nullish().describe('Decides the way through the pipeline, where there is one.'),
    strict: z.boolean().nullish(),
    provider: z.string().nullish(),
    model: z.string().nullish(),
    temperature: z.number().nullish(),
    seed: z.union([z.int(), z.string()]).nullish(),
    stream: z.boolean().nullish(),
    cache: z.unknown().optional(),
  })
  const span = z.tuple([z.int(), z.int()]).describe('UTF-8 bytes of the answer.')
  const finding = z.looseObject({ kind: z.string(), detail: z.string() })
  const validation = z.looseObject({ ok: z.boolean(), warnings: z.array(finding), errors: z.array(finding) })
  const envelope = z.looseObject({
    answer: z.string(),
    cache_hit: z.boolean(),
    citations: z.array(z.looseObject({ marker: z.int(), source_index: z.int(), span, urn: z.string().nullable() })),
    completion_tokens: z.number(),
    cost_usd: z.number().nullable(),
    mode: z.enum(['strict', 'lenient']),
    model: z.string(),
    prompt_tokens: z.number(),
    provider: z.string(),
    retry_count: z.int(),
    sources_flat: z.array(z.looseObject({ urn: z.string() })),
    validation,
  })
  const errors = { 'application/json': z.looseObject({ ok: z.literal(false), error: z.string() }) }
  const refused = { 'application/json': z.looseObject({ ok: z.literal(false), validation }) }
  return {
    summary: 'Answer a question over sources.',
    group: 'Questions',
    body: { 'application/json': body },
    replies: {
      200: {
        meaning: 'The answer with its citations, or with `stream` frames named `sources`, `answer_token`, `validation` and `error`.',
        content: { 'application/json': envelope, 'text/event-stream': z.looseObject({}) },
      },
      404: { meaning: 'Questions are not configured.', content: errors },
      422: { meaning: 'The citations stayed wrong.', content: refused },
    },
    errors,
    names: { Answer: envelope },
  }
}
