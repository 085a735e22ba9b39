import { certificateSchema, issueSchema } from '@stickler/core/internal'
import * as z from 'zod'
import { findingNames, uncheckedSchema, usageSchema } from '../../records/run/finding-schemas.ts'

const shared = {
  id: z.string().describe('Sorts by time.'),
  requestId: z.string(),
  choice: z.int(),
  session: z.string().optional(),
  at: z.number().describe('Milliseconds since 1970.'),
  ms: z.number(),
  firstTextMs: z.number().optional(),
  api: z.string(),
  stream: z.boolean(),
  model: z.string().describe('The model that the client asked for.'),
  upstream: z.string(),
  upstreamModel: z.string(),
  contract: z.string(),
  key: z.string().describe('Name of the key; empty without keys.'),
  status: z.enum(['valid', 'repaired', 'unresolved', 'unchecked', 'failed', 'unenforced']),
  reason: z.string(),
  httpStatus: z.int(),
  usage: usageSchema,
  facts: z.record(z.string(), z.string()).optional(),
  failure: z.looseObject({ kind: z.string(), message: z.string(), status: z.int().optional() }).optional(),
  delivered: z.boolean().optional(),
}

/** A run as lists show it. */
export const runSummarySchema = z.looseObject({
  ...shared,
  attempts: z.int(),
  issues: z.int(),
  fixed: z.int(),
  repairs: z.int(),
})

const attemptSchema = z.looseObject({
  number: z.int(),
  call: z.enum(['run', 'continue']),
  ms: z.number(),
  finishReason: z.string().optional(),
  usage: usageSchema.optional(),
  issues: z.array(issueSchema),
  stoppedAt: z.int().optional(),
  decision: z.string().optional(),
  failure: z.string().optional(),
  text: z.string().optional().describe('Only when the store keeps text.'),
})

/** The full record of a run. */
export const runSchema = z.looseObject({
  ...shared,
  attempts: z.array(attemptSchema),
  issues: z.array(issueSchema),
  fixed: z.array(issueSchema),
  repairs: z.array(certificateSchema),
  unchecked: z.array(uncheckedSchema),
  counts: z.looseObject({ attempts: z.int(), issues: z.int(), fixed: z.int(), repairs: z.int() }),
  text: z.string().optional().describe('Only when the store keeps text.'),
})

const session = {
  session: z.string(),
  firstAt: z.number(),
  lastAt: z.number(),
  runs: z.int(),
  statuses: z.record(z.string(), z.int()),
}

/** A session as lists show it. */
export const sessionSummarySchema = z.looseObject(session)

/** A session with its newest runs. */
export const sessionSchema = z.looseObject({
  ...session,
  step: z.string().optional(),
  steps: z.array(z.looseObject({ step: z.string(), at: z.number() })),
  status: z.enum(['active', 'done']),
  firstRequest: z.string().optional(),
  newest: listOf(runSummarySchema),
})

const codeCount = { validator: z.string(), code: z.string(), runs: z.int() }

/** Numbers over time. */
export const statsSchema = z.looseObject({
  since: z.number(),
  until: z.number(),
  bucketMs: z.number(),
  runs: z.int(),
  buckets: z.array(
    z.looseObject({
      at: z.number(),
      runs: z.int(),
      statuses: z.record(z.string(), z.int()),
      attempts: z.int(),
      retries: z.int(),
      repairs: z.int(),
      promptTokens: z.number(),
      completionTokens: z.number(),
      cost: z.number(),
      p50Ms: z.number().optional(),
      p95Ms: z.number().optional(),
    }),
  ),
  codes: z.array(z.looseObject(codeCount)),
  codesByContract: z.array(z.looseObject({ ...codeCount, contract: z.string() })),
  codesByModel: z.array(z.looseObject({ ...codeCount, model: z.string() })),
})

const totals = {
  runs: z.int(),
  statuses: z.record(z.string(), z.int()),
  attempts: z.int(),
  retries: z.int(),
  repairs: z.int(),
  promptTokens: z.number(),
  completionTokens: z.number(),
  cost: z.number(),
}

/** What happened, what failed and why, and what it cost. */
export const summarySchema = z.looseObject({
  since: z.number(),
  until: z.number(),
  ...totals,
  contracts: z.array(z.looseObject({ contract: z.string(), ...totals })),
  keys: z.array(z.looseObject({ key: z.string(), ...totals })),
  failures: z.array(z.looseObject({ status: z.string(), reason: z.string(), failure: z.string().optional(), runs: z.int() })),
  codes: z.array(z.looseObject(codeCount)),
  validators: z.array(z.looseObject({ validator: z.string(), runs: z.int(), retries: z.int(), tokens: z.number(), cost: z.number() })),
})

/** A row of the audit of questions. */
export const auditSchema = z.looseObject({ id: z.string(), at: z.number(), row: z.looseObject({}) })

/** The one shape of all lists. */
export function listOf(item: z.ZodType): z.ZodObject {
  return z.looseObject({
    items: z.array(item),
    next: z.string().optional().describe('The `cursor` of the next page; absent on the last page.'),
  })
}

/** The names under which a document lists them. */
export const runNames = { ...findingNames, RunSummary: runSummarySchema, Run: runSchema }
