import * as z from 'zod'
import type { RouteDescription } from '../../front/route-description.ts'
import { certificateSchema, findingNames, issueSchema, uncheckedSchema } from '../../records/run/finding-schemas.ts'

/** The route that checks a given answer. */
export function checkDescription(): RouteDescription {
  const body = z.looseObject({
    contract: z.string().optional().describe('Name of a contract; the only one when absent.'),
    preset: z.string().optional().describe('In place of a contract.'),
    text: z.string().optional(),
    message: z.looseObject({}).optional(),
    response: z.looseObject({}).optional(),
    tool_calls: z.array(z.unknown()).optional(),
    repair: z.enum(['first', 'last', 'never']).optional(),
    session: z.string().optional(),
  })
  const verdict = z.looseObject({
    status: z.string(),
    contract: z.string(),
    issues: z.array(issueSchema.partial({ validator: true })),
    fixed: z.array(issueSchema.partial({ validator: true })).optional(),
    repairs: z.array(certificateSchema),
    text: z.string(),
    facts: z.looseObject({}),
    unchecked: z.array(uncheckedSchema).optional(),
    validation_status: z.string().optional(),
  })
  return {
    summary: 'Check a given answer without a model.',
    notes: 'A verdict is always a 200, whatever it says.',
    group: 'Checks',
    body: { 'application/json': body },
    replies: { 200: { meaning: 'The verdict.', content: { 'application/json': verdict } } },
    names: findingNames,
  }
}
