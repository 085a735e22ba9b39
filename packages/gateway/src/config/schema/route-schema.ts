import * as z from 'zod'
import { nameSchema } from '../../upstreams/settings/scalars.ts'
import { contractName, pipelineName, upstreamName } from './scalars.ts'

const tagsSchema = z.array(nameSchema).max(100).default([])

/** The route of one model name, as clients use it. */
export const routeSchema = z
  .strictObject({
    model: z
      .string()
      .min(1)
      .max(200)
      .regex(/^\P{Cc}+$/u, 'must be the name of a model, or a pattern such as claude-*')
      .describe(
        'The model that clients request, or a pattern such as claude-*, where * stands for any characters; * alone matches every other model.',
      ),
    upstream: upstreamName.describe('The upstream that answers.'),
    upstreamModel: z
      .string()
      .min(1)
      .exactOptional()
      .describe('The model to request from the upstream; by default its `model`, or else that of the client.'),
    contract: contractName
      .exactOptional()
      .describe('The contract of every answer; without one, answers are passed on and marked as unenforced.'),
    contracts: z
      .array(contractName)
      .min(1, 'must name at least one contract')
      .max(100)
      .exactOptional()
      .describe(
        'Contracts in place of `contract`, among which clients choose by the header x-stickler-contract; the first holds where they name none.',
      ),
    shadow: contractName
      .exactOptional()
      .describe(
        'A second contract that judges the first answer of each request after the reply: its verdict is recorded, and changes nothing.',
      ),
    pipeline: pipelineName
      .exactOptional()
      .describe('The pipeline that finds passages for every query and chooses its contract; replaces `contract` and needs `retrieval`.'),
    fallback: z
      .array(
        z
          .union([
            upstreamName.transform((upstream) => ({ upstream })),
            z.strictObject({
              upstream: upstreamName.describe('The upstream to try next.'),
              model: z.string().min(1).exactOptional().describe('The model to request from it; by default its `model`.'),
            }),
          ])
          .describe('The name of an upstream, or the keys below.'),
      )
      .max(10)
      .default([])
      .describe('Upstreams to try when the previous ones cannot be reached, with their own `model`.'),
    errorsAs: z
      .enum(['frame', 'text'])
      .default('frame')
      .describe('How the error of a streamed request is reported: as an error object, or as text.'),
    refusalStatus: z
      .literal([400, 406, 422], 'must be 400, 406 or 422')
      .exactOptional()
      .describe(
        'The HTTP status of an answer that is withheld; by default 422 when it violates the contract and 424 when it could not be checked.',
      ),
    tags: tagsSchema.describe('Tags of every request of the route, for checks with `when: { tag }`.'),
    clientTags: tagsSchema.describe(
      'Tags that clients may add to a request, by the header x-stickler-tags or the field `stickler.tags`; others are rejected.',
    ),
    exemptTasks: z
      .array(z.string().min(1).max(100))
      .default([])
      .describe('Open WebUI tasks exempt from the contract, by the header x-stickler-task, such as title_generation.'),
    exemptApis: z
      .array(z.enum(['completions']))
      .default([])
      .describe('APIs exempt from the contract of the route; without an entry, /v1/completions is rejected.'),
    messages: z
      .strictObject({
        count: z.int().positive().exactOptional().describe('Maximum messages per request; by default that of the preset, otherwise 2000.'),
        characters: z
          .int()
          .positive()
          .exactOptional()
          .describe('Maximum characters of each message; by default that of the preset, otherwise 1 000 000.'),
      })
      .prefault({})
      .describe('How much clients may send.'),
    root: z.string().min(1).exactOptional().describe('Folder for checks that read files, relative to this file.'),
  })
  .superRefine(({ contract, contracts = [], shadow, pipeline, exemptApis }, context) => {
    const complain = (message: string, ...path: (string | number)[]): void => context.addIssue({ code: 'custom', message, path })
    contracts.forEach((name, at) => {
      if (contracts.indexOf(name) < at) complain(`the contract ${JSON.stringify(name)} is listed twice`, 'contracts', at)
    })
    if (contract !== undefined && contracts.length > 0)
      complain('contract and contracts are mutually exclusive: list the default first', 'contracts')
    if (shadow !== undefined && [contract, ...contracts].includes(shadow))
      complain('the shadow contract is the contract of the route itself; name another one', 'shadow')
    if (pipeline === undefined) return
    for (const [key, written] of Object.entries({ contract, contracts: contracts[0] }))
      if (written !== undefined)
        complain('contract and pipeline are mutually exclusive: the pipeline has a contract for each type of query', key)
    if (exemptApis.length > 0) complain('a route with a pipeline cannot list other APIs: their answers would bypass it', 'exemptApis')
  })
