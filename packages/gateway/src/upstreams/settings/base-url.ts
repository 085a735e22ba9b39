import * as z from 'zod'
import { readAddress } from '../address.ts'
import { complaintsOf } from './complaints-of.ts'

/** The address of a provider; what is wrong with it is told without repeating it, because it may hold a secret. */
export const baseUrlSchema = z.string().superRefine((written, context) => {
  for (const message of complaintsOf(() => readAddress(written))) context.addIssue({ code: 'custom', message })
})

/** An address as it may be shown: what stands in a query may be a secret. */
export function shownUrl(url: string): string {
  const { origin, path, search } = readAddress(url)
  return `${origin}${path}${search === '' ? '' : '?…'}`
}
