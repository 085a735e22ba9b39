import type { Language } from '@stickler/core/validators'
import { languages as ofPresets } from '@stickler/presets/internal'
import { bash } from './bash/index.ts'
import { css } from './css/index.ts'
import { javascript, tsx, typescript } from './ecmascript/index.ts'
import { go } from './go/index.ts'
import { html } from './html/index.ts'
import { json, jsonc } from './json/index.ts'
import { python } from './python/index.ts'
import { sql } from './sql/index.ts'
import { toml } from './toml/index.ts'
import { treeSitterLanguages } from './tree-sitter/languages.ts'
import { xml } from './xml/index.ts'
import { yaml } from './yaml/index.ts'

/** Every language that can be parsed. */
export const languages: readonly Language[] = [
  ...ofPresets,
  bash,
  css,
  go,
  html,
  javascript,
  json,
  jsonc,
  python,
  sql,
  toml,
  tsx,
  typescript,
  xml,
  yaml,
  ...treeSitterLanguages,
]
