/** Headers of clients that belong to the Messages API. */
export const messagesHeaders: readonly string[] = ['anthropic-beta', 'anthropic-version']
