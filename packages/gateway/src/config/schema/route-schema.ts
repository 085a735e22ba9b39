import * as z from 'zod'
import { nameSchema } from '../../upstreams/settings/scalars.ts'

/** What one name of a model, as clients use it, leads to. */
export const routeSchema = z.strictObject({
  model: z
    .string()
    .min(1)
    .max(200)
    .regex(/^(?:\*|[^*\p{Cc}]+)$/u, 'must be the name of a model; only * alone stands for any')
    .describe('The model that clients ask for; * for every other.'),
  upstream: nameSchema.describe('The upstream that answers.'),
  upstreamModel: z
    .string()
    .min(1)
    .optional()
    .describe('The model that the upstream is asked for; its own `model`, else what the client says.'),
  contract: nameSchema.optional().describe('The contract of every answer; without one, answers are passed on and marked as unenforced.'),
  pipeline: nameSchema
    .optional()
    .describe('The pipeline that finds passages for every query and chooses its contract; in place of `contract`, and needs `retrieval`.'),
  fallback: z
    .array(
      z
        .union([
          nameSchema,
          z.strictObject({
            upstream: nameSchema.describe('The upstream to ask next.'),
            model: z.string().min(1).optional().describe('The model to ask it for; its own `model` when absent.'),
          }),
        ])
        .describe('The name of an upstream, or the keys below.'),
    )
    .max(10)
    .default([])
    .describe('Upstreams to ask when the ones before cannot be reached, with their own `model`.'),
  errorsAs: z
    .enum(['frame', 'text'])
    .default('frame')
    .describe('How an error in a running stream is told: as an error object, or as text.'),
  exemptTasks: z
    .array(z.string().min(1).max(100))
    .default([])
    .describe('Tasks of Open WebUI that are not enforced, by the header x-stickler-task, such as title_generation.'),
  exemptApis: z
    .array(z.enum(['completions']))
    .default([])
    .describe('APIs on which answers pass unenforced although the route has a contract; without an entry, /v1/completions is refused.'),
  messages: z
    .strictObject({
      count: z
        .int()
        .positive()
        .optional()
        .describe('Most messages of a request; what the preset of the contract declares, otherwise 2000.'),
      characters: z.int().positive().optional().describe('Most characters of each; what the preset declares, otherwise 1 000 000.'),
    })
    .prefault({})
    .describe('How much clients may send.'),
  root: z.string().min(1).optional().describe('Folder for checks of files, relative to this file.'),
})

/** A route as it is written. */
export type WrittenRoute = z.output<typeof routeSchema>
