import * as z from 'zod'
import type { RouteDescription } from '../../front/route-description.ts'
import type { PassingPath } from './passing-path.ts'

/** What a route takes and gives whose bodies are passed on as they are. */
export function passingDescription({ summary, takesForms = false, errorSchema }: PassingPath): RouteDescription {
  const body = z.looseObject({ model: z.string() })
  return {
    summary,
    notes: 'Passed on to the provider as it is, and marked with `x-stickler-status: unenforced`.',
    group: 'Models',
    body: { 'application/json': body, ...(takesForms ? { 'multipart/form-data': body } : {}) },
    replies: {
      200: {
        meaning: 'The answer of the provider.',
        content: { 'application/json': z.looseObject({}), 'text/event-stream': z.unknown(), '*/*': z.unknown() },
      },
    },
    ...(errorSchema && { errors: { 'application/json': errorSchema } }),
  }
}
