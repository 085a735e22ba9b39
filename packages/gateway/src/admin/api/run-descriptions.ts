import * as z from 'zod'
import type { RouteDescription } from '../../front/route-description.ts'
import {
  auditSchema,
  listOf,
  runNames,
  runSchema,
  runSummarySchema,
  sessionSchema,
  sessionSummarySchema,
  statsSchema,
  summarySchema,
} from './run-schemas.ts'

const time = z.string().optional().describe('Milliseconds since 1970, or a time in ISO 8601.')
const page = {
  limit: z.int().positive().optional().describe('Maximum items per page.'),
  cursor: z.string().optional().describe('The `next` of the previous page.'),
}
const filter = {
  ...page,
  since: time,
  until: time,
  status: z.string().optional(),
  api: z.string().optional(),
  contract: z.string().optional(),
  model: z.string().optional(),
  session: z.string().optional(),
  code: z.string().optional().describe('Code of an issue.'),
  key: z.string().optional().describe('Name of a key.'),
}

/** The routes for runs, by path. */
export const runDescriptions: Readonly<Record<string, () => RouteDescription>> = {
  '/api/v1/runs': () => described('List runs, the newest first.', listOf(runSummarySchema), filter),
  '/api/v1/runs/:id': () => described('Get the full record of one run.', runSchema),
  '/api/v1/sessions': () => described('List sessions, the last active first.', listOf(sessionSummarySchema), page),
  '/api/v1/sessions/:id': () => described('Get one session with its newest runs.', sessionSchema),
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

/** The route that exports runs. */
export function exportDescription(): RouteDescription {
  const content = { 'text/csv': z.string() }
  return {
    summary: 'Export runs for spreadsheets.',
    group: 'Runs',
    query: z.object(filter),
    replies: { 200: { meaning: 'One line for each run, with a header.', content } },
  }
}

/** The route that sends runs as they are committed. */
export function liveDescription(): RouteDescription {
  const event = z.union([runSummarySchema, z.looseObject({})])
  return {
    summary: 'Follow runs as they are recorded.',
    notes: 'Server-sent events; the id of each is a cursor to resume from.',
    group: 'Runs',
    query: z.object({ cursor: z.string().optional() }),
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
