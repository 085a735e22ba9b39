import { adrStructure } from './adr-structure.ts'
import { fileExistence } from './file-existence.ts'
import { maxWords } from './max-words.ts'
import { stepMarker } from './step-marker.ts'

/** The validators that ship with Stickler. */
export const validators = [adrStructure, fileExistence, maxWords, stepMarker] as const
