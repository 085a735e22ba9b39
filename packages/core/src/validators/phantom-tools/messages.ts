import type { Locale } from '../../contract/locale.ts'
import { quote } from '../../contract/quote.ts'

interface PhantomMessages {
  readonly instruct: string
  phantom(name: string): string
  hint(suggestion: string | undefined): string
}

/** What the messages on phantom tools say, by language. */
export const phantomMessages: Readonly<Record<Locale, PhantomMessages>> = {
  en: {
    instruct: 'Name in your text only tools that are offered.',
    phantom: (name) => `Name only tools that are offered; ${quote(name)} does not exist.`,
    hint: (suggestion) =>
      suggestion === undefined ? 'Do not claim to have used a tool that was not called' : `Did you mean ${quote(suggestion)}?`,
  },
  de: {
    instruct: 'Nenne im Text nur Tools, die angeboten werden.',
    phantom: (name) => `Nenne nur Tools, die angeboten werden; ${quote(name)} gibt es nicht`,
    hint: (suggestion) =>
      suggestion === undefined
        ? 'Behaupte nicht, ein Tool benutzt zu haben, das nicht aufgerufen wurde'
        : `Meintest du ${quote(suggestion)}?`,
  },
}
