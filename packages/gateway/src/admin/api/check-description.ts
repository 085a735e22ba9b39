import { bodySchema } from '@stickler/core/runners'
import * as z from 'zod'
import type { RouteDescription } from '../../front/route-description.ts'
import { certificateSchema, findingNames, issueSchema, uncheckedSchema } from '../../records/run/finding-schemas.ts'
import { checkShape } from './check-request.ts'

/** The route that checks a given answer. */
export function checkDescription(): RouteDescription {
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
    body: { 'application/json': bodySchema(checkShape) },
    replies: { 200: { meaning: 'The verdict.', content: { 'application/json': verdict } } },
    names: findingNames,
  }
}
