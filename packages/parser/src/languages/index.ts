import { json } from './json.ts'
import type { Language } from './language.ts'

/** Every language that can be parsed. */
export const languages: readonly Language[] = [json]
