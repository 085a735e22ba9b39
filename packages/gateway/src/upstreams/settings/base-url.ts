import * as z from 'zod'
import { readAddress } from '../address.ts'
import { complaintsOf } from './complaints-of.ts'

/** The address of a provider; errors do not repeat it, because it may have a secret. */
export const baseUrlSchema = z.string().superRefine((written, context) => {
  for (const message of complaintsOf(() => readAddress(written))) context.addIssue({ code: 'custom', message })
})

/** An address without its query, which may have a secret. */
export function shownUrl(url: string): string {
  const { origin, path, search } = readAddress(url)
  return `${origin}${path}${search === '' ? '' : '?…'}`
}
