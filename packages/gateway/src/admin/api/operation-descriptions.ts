import * as z from 'zod'
import type { RouteDescription } from '../../front/route-description.ts'

/** The route for liveness. */
export function healthDescription(): RouteDescription {
  return probe('Report whether the process is alive.', { 200: { meaning: 'It is.', content: { 'text/plain': z.string() } } })
}

/** The route for readiness. */
export function readyDescription(): RouteDescription {
  const content = {
    'application/json': z.looseObject({
      status: z.enum(['ready', 'degraded', 'draining', 'unready']),
      checks: z.record(z.string(), z.enum(['ok', 'failed'])),
    }),
  }
  return probe('Report whether requests can be served.', {
    200: { meaning: 'They can.', content },
    503: { meaning: 'They cannot at the moment.', content },
  })
}

/** The route for Prometheus. */
export function metricsDescription(): RouteDescription {
  return probe('Get metrics for Prometheus.', {
    200: { meaning: 'All metrics.', content: { 'text/plain': z.string() } },
    404: { meaning: 'Metrics are disabled.', content: { 'text/plain': z.string() } },
  })
}

const model = z.looseObject({ id: z.string(), object: z.literal('model'), created: z.int(), owned_by: z.string() })

/** The route that lists models. */
export function modelsDescription(): RouteDescription {
  const content = { 'application/json': z.looseObject({ object: z.literal('list'), data: z.array(model) }) }
  return { summary: 'List the models that clients may name.', group: 'Models', replies: { 200: { meaning: 'All models.', content } } }
}

/** The route of one model. */
export function modelDescription(): RouteDescription {
  return { summary: 'Get one model.', group: 'Models', replies: { 200: { meaning: 'The model.', content: { 'application/json': model } } } }
}

/** The route that shows contracts. */
export function contractsDescription(): RouteDescription {
  const validator = z.looseObject({
    name: z.string(),
    summary: z.string(),
    options: z.unknown(),
    codes: z.looseObject({}),
    repairs: z.boolean(),
    incremental: z.boolean(),
    severity: z.literal('warning').optional(),
    when: z.looseObject({}).optional(),
    instruction: z.string(),
  })
  const contract = z.looseObject({
    name: z.string(),
    validators: z.array(validator),
    policy: z.looseObject({}),
    yaml: z.string().optional().describe('The contract as it is configured, without secrets.'),
    instructions: z.string(),
  })
  const content = { 'application/json': z.looseObject({ items: z.array(contract) }) }
  return operation('List contracts with what they check.', { 200: { meaning: 'All contracts.', content } })
}

/** The route that shows the parser. */
export function parserDescription(): RouteDescription {
  const change = z.looseObject({ at: z.number(), state: z.string() })
  const parser = z.looseObject({ kind: z.string(), url: z.string().optional(), state: z.string().optional(), changes: z.array(change) })
  const content = { 'application/json': z.looseObject({ parser: parser.nullable() }) }
  return operation('Show the parser of code.', { 200: { meaning: 'The parser; null when no contract needs one.', content } })
}

/** A file of the dashboard. */
export function pageDescription(type: string): RouteDescription {
  return {
    summary: 'Get a file of the dashboard.',
    group: 'Page',
    replies: { 200: { meaning: 'The file; it holds no data.', content: { [type]: z.string() } } },
  }
}

function probe(summary: string, replies: RouteDescription['replies']): RouteDescription {
  return { ...operation(summary, replies), errors: { 'text/plain': z.string() } }
}

function operation(summary: string, replies: RouteDescription['replies']): RouteDescription {
  return { summary, group: 'Operation', replies }
}
