import * as z from 'zod'
import { runStatuses } from '../../contract/statuses.ts'

const path = z.array(z.union([z.string(), z.number()]))
const span = z.looseObject({ start: z.int(), end: z.int() }).describe('Offsets in UTF-16 code units.')

/** One thing that is wrong with an answer. */
export const issueSchema = z.looseObject({
  code: z.string(),
  severity: z.enum(['error', 'warning']),
  validator: z.string(),
  message: z.string().describe('One imperative sentence to the model.'),
  hint: z.string().optional(),
  span: span.optional(),
  path: path.optional(),
  suggestion: z.string().optional(),
})

/** One change that a repair made. */
export const certificateSchema = z.looseObject({
  rule: z.string(),
  class: z.enum(['lossless', 'lossy', 'guess']),
  span: span.optional(),
  before: z.string().optional(),
  after: z.string().optional(),
  path: path.optional(),
})

/** What the `stickler` member of a reply says about one answer. */
export const verdictSchema = z.looseObject({
  status: z.enum(runStatuses),
  contract: z.string().describe('Name of the contract; empty without one.'),
  attempts: z.int(),
  issues: z.array(issueSchema),
  fixed: z.array(issueSchema),
  repairs: z.array(certificateSchema),
  unchecked: z.array(z.string()),
  skipped: z.array(z.string()).optional(),
  fallback: z.literal(true).optional(),
})

/** One verdict, or with several choices a list that names them. */
export const verdictsSchema = z.union([verdictSchema, z.array(verdictSchema.extend({ choice: z.int() }))])

/** The names under which a document lists them. */
export const verdictNames = { Issue: issueSchema, Certificate: certificateSchema, Verdict: verdictSchema }
