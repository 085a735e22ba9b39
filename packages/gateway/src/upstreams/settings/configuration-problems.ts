import { ConfigurationError } from '@stickler/core'
import * as z from 'zod'

/** The schema of a text that `read` accepts; what it throws as a ConfigurationError is complained of. */
export function textFor(read: (text: string) => unknown): z.ZodString {
  return z.string().superRefine((text, context) => {
    for (const message of complaintsOf(() => read(text))) context.addIssue({ code: 'custom', message })
  })
}

/** The messages of a ConfigurationError thrown by `read`; other errors are rethrown. */
export function complaintsOf(read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.problems.map(({ message }) => message)
  }
}
