import * as z from 'zod'
import { certificateSchema, findingNames, issueSchema } from '../../records/run/finding-schemas.ts'

/** What the `stickler` member of a reply says about one answer. */
export const verdictSchema = z.looseObject({
  status: z.enum(['valid', 'repaired', 'unresolved', 'unchecked', 'failed', 'unenforced']),
  contract: z.string().describe('Name of the contract; empty without one.'),
  attempts: z.int(),
  issues: z.array(issueSchema),
  fixed: z.array(issueSchema),
  repairs: z.array(certificateSchema),
  unchecked: z.array(z.string()),
})

/** One verdict, or with several choices a list that names them. */
export const verdictsSchema = z.union([verdictSchema, z.array(verdictSchema.extend({ choice: z.int() }))])

/** The names under which a document lists them. */
export const verdictNames = { ...findingNames, Verdict: verdictSchema }
