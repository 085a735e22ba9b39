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
  urlEnv: environmentName.optional().describe('The environment variable that holds the address, instead of `url`.'),
  keepText: z.boolean().default(false).describe('Store the texts of answers and feedback; otherwise only issues without quoted text.'),
  onFull: z
    .enum(['serve', 'refuse'])
    .default('serve')
    .describe(
      'What happens to answers that cannot be recorded, for example because the disk is full: serve sends them, refuse rejects with 503. Requests to /ask are always rejected.',
    ),
  retentionDays: z.int().min(1).max(3650).default(30).describe('Days after which runs are deleted.'),
})
