/** Larger answers are rejected, in bytes: a text must fit in memory several times. */
export const largestText = 64 * 1024 * 1024

/** Larger configurations, contracts and schemas are rejected, in bytes. */
export const largestFile = 16 * 1024 * 1024
