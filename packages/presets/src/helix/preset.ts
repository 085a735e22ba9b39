import type { Preset } from '@stickler/core'
import { adrStructure } from './adr-structure/index.ts'
import { fileExistence } from './file-existence/index.ts'
import { stepMarker } from './step-marker/index.ts'

/** The HELIX response enforcer: step marker, decision records, file references; German feedback, repairs after the last retry. */
export const helix: Preset<'step_marker' | 'adr_structure' | 'file_existence'> = {
  summary: 'HELIX consultant: step marker, decision records and file references; chat routes use `checks: [step_marker]`.',
  validators: [stepMarker, adrStructure, fileExistence],
  checks: [{ step_marker: {} }, { adr_structure: { language: 'de' } }, { file_existence: {} }],
  mode: 'strict',
  retries: 2,
  repair: 'last',
  allow: ['lossless', 'lossy', 'guess'],
  // A retry repeats the answer in other words, so nothing may be shown before the last one.
  stream: 'hold',
  // A consultation goes on when the file system cannot be read; its status says so.
  unchecked: 'deliver',
  locale: 'de',
  declares: {
    // Open WebUI asks the model of a chat for its title and tags.
    exempt: { tasks: ['title_generation', 'tags_generation'], checks: ['step_marker', 'adr_structure', 'file_existence'] },
    messages: { count: 100, characters: 100_000 },
    errorText: {
      de: {
        opening: ['[ENFORCEMENT ERROR]', 'Die LLM-Response konnte nicht validiert werden:'],
        closing: ['Bitte versuche es erneut oder kontaktiere den Administrator.'],
      },
      en: {
        opening: ['[ENFORCEMENT ERROR]', 'The LLM response could not be validated:'],
        closing: ['Please try again or contact the administrator.'],
      },
    },
  },
}
