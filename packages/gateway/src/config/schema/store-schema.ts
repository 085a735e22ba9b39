import * as z from 'zod'
import { readStoreUrl } from '../../records/store-url.ts'
import { complaintsOf } from '../../upstreams/settings/complaints-of.ts'
import { environmentName } from '../../upstreams/settings/scalars.ts'

/** Where runs are recorded. */
export const storeSchema = z.strictObject({
  url: z
    .string()
    .superRefine((url, context) => {
      for (const message of complaintsOf(() => readStoreUrl(url))) context.addIssue({ code: 'custom', message })
    })
    .optional()
    .describe('sqlite:FILE, relative to this file, or postgres://…; sqlite:.stickler/stickler.db.'),
  urlEnv: environmentName.optional().describe('The environment variable that holds the address, in place of `url`.'),
  keepText: z.boolean().default(false).describe('Keep the texts of answers and feedback; without, only what was found in them.'),
  onFull: z
    .enum(['serve', 'refuse'])
    .default('serve')
    .describe(
      'What happens to answers that cannot be recorded, as on a full disk: serve sends them, refuse answers 503. Questions over sources are always refused.',
    ),
  retentionDays: z.int().min(1).max(3650).default(30).describe('Days after which runs are forgotten.'),
})
