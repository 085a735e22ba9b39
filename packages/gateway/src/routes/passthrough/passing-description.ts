import * as z from 'zod'
import type { RouteDescription } from '../../front/route-description.ts'
import type { PassingPath } from './passing-path.ts'

/** The description of a pass-through route. */
export function passingDescription({ summary, takesForms = false, errorSchema }: PassingPath): RouteDescription {
  const body = z.looseObject({ model: z.string() })
  return {
    summary,
    notes: 'Passed to the provider unchanged, and marked with `x-stickler-status: unenforced`.',
    group: 'Models',
    body: { 'application/json': body, ...(takesForms ? { 'multipart/form-data': body } : {}) },
    replies: {
      200: {
        meaning: "The provider's answer.",
        content: { 'application/json': z.looseObject({}), 'text/event-stream': z.unknown(), '*/*': z.unknown() },
      },
    },
    ...(errorSchema && { errors: { 'application/json': errorSchema } }),
  }
}
