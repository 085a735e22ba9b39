import { avapLanguage } from './avap/index.ts'
import { go } from './go/index.ts'
import { json } from './json.ts'
import type { Language } from './language.ts'
import { sql } from './sql/index.ts'
import { treeSitterLanguages } from './tree-sitter/languages.ts'

/** Every language that can be parsed. */
export const languages: readonly Language[] = [avapLanguage(), go, json, sql, ...treeSitterLanguages]
