import { affixes } from './affixes/index.ts'
import { boilerplate } from './boilerplate/index.ts'
import { casing } from './casing/index.ts'
import { citations } from './citations/index.ts'
import { codeSyntax } from './code-syntax/index.ts'
import { command } from './command/index.ts'
import { complete } from './complete/index.ts'
import { contains } from './contains/index.ts'
import { contextRelevance } from './context-relevance/index.ts'
import { json } from './json/index.ts'
import { language } from './language/index.ts'
import { leaks } from './leaks/index.ts'
import { length } from './length/index.ts'
import { links } from './links/index.ts'
import { markdown } from './markdown/index.ts'
import { maxWords } from './max-words.ts'
import { oneOf } from './one-of/index.ts'
import { pattern } from './pattern/index.ts'
import { placeholders } from './placeholders/index.ts'
import { remote } from './remote/index.ts'
import { repetition } from './repetition/index.ts'
import { sensitive } from './sensitive/index.ts'
import { toolCalls } from './tool-calls/index.ts'
import { toolSequence } from './tool-sequence/index.ts'

/** The validators that ship with Stickler. */
export const validators = [
  affixes,
  boilerplate,
  casing,
  citations,
  codeSyntax,
  command,
  complete,
  contains,
  contextRelevance,
  json,
  language,
  leaks,
  length,
  markdown,
  maxWords,
  links,
  pattern,
  oneOf,
  placeholders,
  remote,
  repetition,
  sensitive,
  toolCalls,
  toolSequence,
] as const
