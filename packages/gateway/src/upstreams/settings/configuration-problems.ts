import { ConfigurationError } from '@stickler/core'

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
