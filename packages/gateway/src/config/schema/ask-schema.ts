import { parseTtl } from '@stickler/presets/internal'
import * as z from 'zod'
import { pipelineName, upstreamName } from './scalars.ts'

/** The default retention of audit rows. */
export const usualAuditDays = 90

const count = z.int().nonnegative()

/** Questions about sources: `POST /ask`. */
export const askSchema = z.strictObject({
  upstreams: z.array(upstreamName).min(1).describe('Upstreams in the order in which they are tried.'),
  pipeline: pipelineName
    .exactOptional()
    .describe('The pipeline that answers questions without sources, or with a type; needs `retrieval`.'),
  cache: z
    .strictObject({
      enabled: z.boolean().default(false).describe('Reuse the answer to the same question.'),
      ttl: z
        .string()
        .transform((written, context) => {
          const ttl = parseTtl(written)
          if (!('error' in ttl)) return ttl.seconds
          context.addIssue({ code: 'custom', message: ttl.message })
          return z.NEVER
        })
        .prefault('5m')
        .describe('How long an answer is kept, such as 90s, 5m, 2h or 1d.'),
      maxEntries: z.int().min(1).max(1_000_000).default(1000).describe('Maximum number of cached answers.'),
    })
    .prefault({}),
  limits: z
    .strictObject({
      promptTokens: count.default(8192).describe('Tokens of the prompt.'),
      completionTokens: count.default(1024).describe('Tokens of the answer.'),
      sources: z.int().min(0).max(10_000).default(1000).describe('Number of sources.'),
      sourceBytes: count.default(262_144).describe('Bytes of one source.'),
      sourcesBytes: count.default(262_144).describe('Bytes of all sources together.'),
      timeMs: count.default(30_000).describe('Milliseconds for the whole question.'),
      dailyCostUsd: z.number().nonnegative().exactOptional().describe('Maximum dollars per day (UTC).'),
    })
    .prefault({})
    .describe('What one question may use; a value at its limit is allowed.'),
  audit: z
    .strictObject({
      answer: z.boolean().default(false).describe('Store the text of answers in the audit.'),
      question: z.boolean().default(false).describe('Store the text of questions in the audit.'),
      retentionDays: z
        .int()
        .min(1)
        .max(3650)
        .default(usualAuditDays)
        .describe('Days after which audit rows are deleted; independent of runs.'),
    })
    .prefault({}),
})
