import * as z from 'zod/mini'
import type { Check } from '../validator.ts'

/** The APIs over which a request can come. */
const apiNames = ['chat', 'responses', 'messages', 'check'] as const

const mostNames = 100
const name = z.string().check(z.minLength(1), z.maxLength(200))
const oneOrMore = <Name extends z.ZodMiniType>(one: Name) => z.union([one, z.array(one).check(z.minLength(1), z.maxLength(mostNames))])

/** When a check applies: what the request must be, by everything that is given. */
const conditionSchema = z
  .strictObject({
    api: z.optional(oneOrMore(z.enum(apiNames))).check(z.describe('The API of the request, or several.')),
    model: z
      .optional(oneOrMore(name))
      .check(z.describe('The requested model, or several; `*` stands for any characters, and case does not matter.')),
    tag: z.optional(oneOrMore(name)).check(z.describe('A tag of the request, or several of which it has one.')),
  })
  .check(z.refine((given) => Object.keys(given).length > 0, 'has no condition; give api, model or tag'))

/** What a check may be given beside its options. */
export const termsSchema = z.strictObject({
  name: z
    .optional(z.string().check(z.regex(/^[a-z][a-z0-9_]{0,63}$/, 'must be a name in snake case')))
    .check(z.describe('What issues and records call the check; a contract may then have its validator more than once.')),
  severity: z
    .optional(z.enum(['warning']))
    .check(z.describe('warning: what the check finds never makes an answer invalid; by default, its codes say what does.')),
  when: z.optional(conditionSchema).check(z.describe('The requests for which the check applies: `{ api, model, tag }`; by default all.')),
})

/** When a check applies. */
export type Condition = NonNullable<Check['when']>

/** What a check may be given beside its options: a name, a severity, and the requests for which it applies. */
export type CheckTerms = Pick<Check, 'name' | 'severity' | 'when'>

/** What is known of the request that an answer belongs to; a condition on something unknown is not met. */
export interface RequestFacts {
  readonly api?: string
  readonly model?: string
  readonly tags?: readonly string[]
  readonly task?: string | undefined
}

/** Whether a check applies to a request. */
export function isMet({ api, model, tag }: Condition, request: RequestFacts): boolean {
  const { tags = [] } = request
  return (
    (api === undefined || [api].flat().some((one) => one === request.api)) &&
    (model === undefined || [model].flat().some((one) => isNamedBy(one, request.model))) &&
    (tag === undefined || [tag].flat().some((one) => tags.includes(one)))
  )
}

/** Whether a pattern stands for the name of a model: `*` for any characters, in upper or lower case. */
export function isNamedBy(pattern: string, model: string | undefined): boolean {
  if (model === undefined) return false
  const text = model.toLowerCase()
  // Each part between stars is looked for once, after the one before it: linear time.
  const parts = pattern.toLowerCase().split('*')
  if (parts.length === 1) return text === parts[0]
  const first = parts[0] as string
  const last = parts.at(-1) as string
  if (!text.startsWith(first)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
