import { adrStructure } from './adr-structure.ts'
import { citations } from './citations.ts'
import { fileExistence } from './file-existence.ts'
import { json } from './json.ts'
import { maxWords } from './max-words.ts'
import { phantomTools } from './phantom-tools.ts'
import { stepMarker } from './step-marker.ts'
import { toolCalls } from './tool-calls.ts'
import { toolSequence } from './tool-sequence.ts'

/** The validators that ship with Stickler. */
export const validators = [
  adrStructure,
  citations,
  fileExistence,
  json,
  maxWords,
  phantomTools,
  stepMarker,
  toolCalls,
  toolSequence,
] as const
