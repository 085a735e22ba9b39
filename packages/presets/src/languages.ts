import type { Language } from '@stickler/core/validators'
import { avapLanguage } from './avap/language/index.ts'

/** The languages of the presets that a parser adds to its own. */
export const languages: readonly Language[] = [avapLanguage()]
