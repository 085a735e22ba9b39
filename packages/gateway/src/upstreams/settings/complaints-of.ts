import { ConfigurationError } from '@stickler/core'

/** What a ConfigurationError says that is thrown by reading something; other errors pass. */
export function complaintsOf(read: () => unknown): string[] {
  try {
    read()
    return []
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    return error.problems.map(({ message }) => message)
  }
}
