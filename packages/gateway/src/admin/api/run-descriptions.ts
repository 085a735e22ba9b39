import { certificateSchema, issueSchema } from '@stickler/core/internal/apis'
import * as z from 'zod'
import type { RouteDescription } from '../../front/route-description.ts'
import { findingNames, objectSchema, uncheckedSchema, usageSchema } from '../../records/run/finding-schemas.ts'
import { attemptMembers, type Column, type Group, type List, runMembers } from '../../records/run/run-record.ts'

type RunKey = keyof typeof runMembers

/** Tool calls as they are kept. */
const callsSchema = z.array(
  z.looseObject({
    name: z.string(),
    arguments: z.string(),
    kind: z.literal('custom').optional().describe('Of a tool that takes free text, which is the argument `input`.'),
    namespace: z.string().optional().describe('The group of tools that it names.'),
    cut: z.int().optional().describe('Length of the arguments when not all of them are kept.'),
    more: z.int().optional().describe('How many calls after it are not kept.'),
  }),
)

/** The schemas of what is JSON, and of the items of lists. */
const inside: {
  readonly [Key in RunKey as (typeof runMembers)[Key] extends { kind: 'json' } | { count: object } ? Key : never]: z.ZodType
} = {
  attempts: z.array(objectSchema(attemptMembers, { issues: z.array(issueSchema), usage: usageSchema, toolCalls: callsSchema })),
  issues: z.array(issueSchema),
  fixed: z.array(issueSchema),
  repairs: z.array(certificateSchema),
  unchecked: z.array(uncheckedSchema),
  toolCalls: callsSchema,
  prompt: z.array(
    z.looseObject({
      role: z.string(),
      text: z.string(),
      cut: z.int().optional().describe('Length of the text when not all of it is kept.'),
      more: z.int().optional().describe('How many messages after it are not kept.'),
      added: z.literal(true).optional().describe('Whether it was added for the contract.'),
    }),
  ),
  context: z.looseObject({}),
  pipeline: z.array(z.looseObject({ node: z.string(), ms: z.number() })),
}

const isShown = ([, member]: readonly [string, Column | Group | List]): boolean => !('isDetail' in member)
const summaryMembers = Object.fromEntries(Object.entries(runMembers).filter(isShown))

/** A run without its details. */
const runSummarySchema = objectSchema(summaryMembers, { usage: usageSchema })

/** A run with all that its row in a list shows. */
export const listedRunSchema = runSummarySchema.extend({
  codes: z.array(z.string()).describe('The first codes of its issues, each after its validator and a slash.'),
  classes: z.array(z.string()).describe('The classes of its repairs.'),
  label: z.enum(['good', 'bad']).optional(),
  question: z.string().optional().describe('The beginning of the question; only with `store.keepText`.'),
  answer: z.string().optional().describe('The beginning of the answer; only with `store.keepText`.'),
})

/** The full record of a run. */
export const runSchema = objectSchema(runMembers, { ...inside, usage: usageSchema }).extend({
  label: z
    .looseObject({ label: z.enum(['good', 'bad']), note: z.string().optional(), by: z.string().optional(), at: z.number() })
    .optional()
    .describe('What an operator says of it.'),
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
const sessionSummarySchema = z.looseObject(session)

/** A session with its newest runs. */
const sessionSchema = z.looseObject({
  ...session,
  step: z.string().optional(),
  steps: z.array(z.looseObject({ step: z.string(), at: z.number(), inferred: z.literal(true).optional() })),
  status: z.enum(['active', 'done']),
  firstRequest: z.string().optional(),
  newest: listOf(listedRunSchema),
})

const codeCount = { validator: z.string(), code: z.string(), runs: z.int() }

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

/** Numbers over time. */
const statsSchema = z.looseObject({
  since: z.number(),
  until: z.number(),
  bucketMs: z.number(),
  runs: z.int(),
  buckets: z.array(
    z.looseObject({
      at: z.number(),
      ...totals,
      p50Ms: z.number().optional(),
      p95Ms: z.number().optional(),
    }),
  ),
  codes: z.array(z.looseObject(codeCount)),
  codesByContract: z.array(z.looseObject({ ...codeCount, contract: z.string() })),
  codesByModel: z.array(z.looseObject({ ...codeCount, model: z.string() })),
})

/** What happened, what failed and why, and what it cost. */
const summarySchema = z.looseObject({
  since: z.number(),
  until: z.number(),
  ...totals,
  contracts: z.array(z.looseObject({ contract: z.string(), ...totals })),
  keys: z.array(z.looseObject({ key: z.string(), ...totals })),
  failures: z.array(z.looseObject({ status: z.string(), reason: z.string(), failure: z.string().optional(), runs: z.int() })),
  codes: z.array(z.looseObject(codeCount)),
  validators: z.array(z.looseObject({ validator: z.string(), runs: z.int(), retries: z.int(), tokens: z.number(), cost: z.number() })),
})

const runTotals = {
  ...totals,
  retried: z.int().describe('Runs with a retry.'),
  retryTokens: z.number(),
  retryCost: z.number(),
  savedTokens: z.number().describe('Tokens of another call for each run that repairs saved from a retry.'),
  savedCost: z.number(),
  p50Ms: z.number().optional().describe('Percentiles are within 5 %.'),
  p95Ms: z.number().optional(),
  addedP50Ms: z.number().optional().describe('Of the duration less that of the last call of a model.'),
  addedP95Ms: z.number().optional(),
  firstTextP50Ms: z.number().optional(),
}
const ruleCount = { ...codeCount, fixed: z.int(), remaining: z.int(), retries: z.int(), cost: z.number() }
const repairCounts = z.array(z.looseObject({ rule: z.string(), class: z.string(), count: z.int(), runs: z.int() }))
const behind = z.literal(true).optional().describe('Set while runs wait to be counted.')
const rows = (name: string) => z.array(z.looseObject({ [name]: z.string(), other: z.literal(true).optional(), ...runTotals }))

/** Everything about some time. */
const overviewSchema = z.looseObject({
  since: z.number().describe('Times are widened to whole buckets.'),
  until: z.number(),
  bucketMs: z.number(),
  now: z.number(),
  totals: z.looseObject(runTotals),
  before: z.looseObject(runTotals).describe('The same length of time just before.'),
  buckets: z.array(z.looseObject({ at: z.number(), partial: z.literal(true).optional(), ...runTotals })),
  contracts: rows('contract'),
  models: rows('model'),
  upstreams: rows('upstream'),
  keys: rows('key'),
  rules: z.array(z.looseObject(ruleCount)),
  repairs: repairCounts,
  unchecked: z.array(z.looseObject({ validator: z.string(), cause: z.string(), runs: z.int() })),
  failures: z.array(z.looseObject({ status: z.string(), reason: z.string(), failure: z.string().optional(), runs: z.int() })),
  behind,
})

const labelled = z.looseObject({ good: z.int(), bad: z.int() })

/** What the rules of each contract found. */
const contractSumsSchema = z.looseObject({
  since: z.number(),
  until: z.number(),
  items: z.array(
    z.looseObject({
      contract: z.string(),
      totals: z.looseObject(runTotals),
      rules: z.array(z.looseObject({ ...ruleCount, labelled: labelled.describe('A run that is labelled good is a false alarm.') })),
      repairs: repairCounts,
      labelled,
    }),
  ),
  behind,
})

/** A row of the audit of questions. */
const auditSchema = z.looseObject({ id: z.string(), at: z.number(), row: z.looseObject({}) })

/** The one shape of all lists. */
function listOf(item: z.ZodType): z.ZodObject {
  return z.looseObject({
    items: z.array(item),
    next: z.string().optional().describe('The `cursor` of the next page; absent on the last page.'),
  })
}

/** The names under which a document lists them. */
const runNames = { ...findingNames, RunSummary: listedRunSchema, Run: runSchema }

const time = z.string().optional().describe('Milliseconds since 1970, or a time in ISO 8601.')
const page = {
  limit: z.int().positive().optional().describe('Maximum items per page.'),
  cursor: z.string().optional().describe('The `next` of the previous page.'),
}
/** A parameter that may be repeated. */
const anyOf = (says: string) => z.string().optional().describe(`${says} Repeat it for any of several.`)
const filter = {
  ...page,
  since: time,
  until: time,
  status: anyOf('Status of the run.'),
  api: anyOf('Route of the run.'),
  contract: anyOf('Name of a contract.'),
  model: anyOf('Model that the client requested.'),
  upstream: anyOf('Upstream that answered.'),
  session: anyOf('Session that the client named.'),
  key: anyOf('Name of a key.'),
  code: anyOf('Code of an issue, in any attempt.'),
  validator: anyOf('Validator of an issue, in any attempt.'),
  rule: anyOf('Rule of a repair.'),
  class: anyOf('Class of a repair.'),
  label: anyOf('What an operator says of the run: `good` or `bad`.'),
}
const { limit: _limit, ...followed } = filter
const q = z.string().optional().describe('Words of question and answer; only with `store.keepText`.')

/** The routes for runs, by path. */
export const runDescriptions: Readonly<Record<string, () => RouteDescription>> = {
  '/api/v1/runs': () => described('List runs, the newest first.', listOf(listedRunSchema), { ...filter, q }),
  '/api/v1/runs/:id': () => described('Get the full record of one run.', runSchema),
  '/api/v1/sessions': () =>
    described('List sessions, the last active first.', listOf(sessionSummarySchema), {
      ...page,
      since: time.describe('Only sessions whose last run is not earlier.'),
      until: time.describe('Only sessions whose last run is earlier.'),
      ...{ status: filter.status, api: filter.api, contract: filter.contract, model: filter.model },
      ...{ upstream: filter.upstream, key: filter.key },
    }),
  '/api/v1/sessions/:id': () => ({
    ...described('Get one session with its newest runs.', sessionSchema),
    notes:
      'A name with a slash, a backslash or control characters, `.`, `..`, and one that begins with a tilde are encoded twice, after a tilde: `~a%252Fb` for `a/b`.',
  }),
  '/api/v1/overview': () =>
    described('Sum runs over time, by name, rule and repair; the last day by default.', overviewSchema, {
      ...{ since: time, until: time, contract: filter.contract, model: filter.model, upstream: filter.upstream },
      ...{ key: filter.key, api: filter.api, status: filter.status },
    }),
  '/api/v1/contracts/stats': () =>
    described('Sum what the rules of each contract found and repaired; the last day by default.', contractSumsSchema, {
      ...{ since: time, until: time },
    }),
  '/api/v1/stats': () =>
    described('Count runs over time; the last day by default.', statsSchema, {
      since: time,
      until: time,
      bucketMs: z.int().positive().optional(),
    }),
  '/api/v1/summary': () =>
    described('Sum runs up by contract, key, cause and validator; the last day by default.', summarySchema, {
      since: time,
      until: time,
      contract: filter.contract,
      model: filter.model,
      key: filter.key,
    }),
  '/api/v1/audit': () => described('List the audit of questions, the newest first.', listOf(auditSchema), page),
}

/** The route that exports runs as lines of a content type. */
export function exportDescription(type: string, summary: string, meaning: string): RouteDescription {
  return { summary, group: 'Runs', query: z.object({ ...filter, q }), replies: { 200: { meaning, content: { [type]: z.string() } } } }
}

/** The route that sends runs as they are committed. */
export function liveDescription(): RouteDescription {
  const event = z.union([listedRunSchema, z.looseObject({})])
  return {
    summary: 'Follow runs as they are recorded.',
    notes: 'Server-sent events; the id of each is a cursor to resume from.',
    group: 'Runs',
    query: z.object(followed),
    replies: { 200: { meaning: 'Runs, as events.', content: { 'text/event-stream': event } } },
    names: runNames,
  }
}

function described(summary: string, schema: z.ZodType, query?: z.ZodRawShape): RouteDescription {
  return {
    summary,
    group: 'Runs',
    ...(query && { query: z.object(query) }),
    replies: { 200: { meaning: 'What was asked for.', content: { 'application/json': schema } } },
    names: runNames,
  }
}
