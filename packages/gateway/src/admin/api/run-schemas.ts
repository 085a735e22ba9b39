import { certificateSchema, issueSchema } from '@stickler/core/internal/apis'
import * as z from 'zod'
import { findingNames, objectSchema, uncheckedSchema, usageSchema } from '../../records/run/finding-schemas.ts'
import { attemptMembers, type Column, type Group, type List, runMembers } from '../../records/run/run-record.ts'

type RunKey = keyof typeof runMembers

/** The schemas of what is JSON, and of the items of lists. */
const inside: {
  readonly [Key in RunKey as (typeof runMembers)[Key] extends { kind: 'json' } | { count: object } ? Key : never]: z.ZodType
} = {
  attempts: z.array(objectSchema(attemptMembers, { issues: z.array(issueSchema), usage: usageSchema })),
  issues: z.array(issueSchema),
  fixed: z.array(issueSchema),
  repairs: z.array(certificateSchema),
  unchecked: z.array(uncheckedSchema),
  pipeline: z.array(z.looseObject({ node: z.string(), ms: z.number() })),
}

const isShown = ([, member]: readonly [string, Column | Group | List]): boolean => !('isDetail' in member)
const summaryMembers = Object.fromEntries(Object.entries(runMembers).filter(isShown))

/** A run as lists show it. */
export const runSummarySchema = objectSchema(summaryMembers, { usage: usageSchema })

/** The full record of a run. */
export const runSchema = objectSchema(runMembers, { ...inside, usage: usageSchema }).extend({
  counts: z.looseObject({ attempts: z.int(), issues: z.int(), fixed: z.int(), repairs: z.int() }),
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
