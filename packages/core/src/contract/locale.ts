/** The languages that feedback and messages are written in. */
export const locales = ['en', 'de'] as const

/** One of the languages that feedback and messages are written in. */
export type Locale = (typeof locales)[number]
