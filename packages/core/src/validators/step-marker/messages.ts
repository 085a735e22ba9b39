import type { Locale } from '../../contract/locale.ts'
import { quote } from '../../contract/quote.ts'
import { steps } from './extract.ts'

interface StepMarkerMessages {
  readonly instruct: string
  readonly missing: string
  readonly notAtEnd: string
  readonly addHint: string
  invalid(name: string): string
  readonly validHint: string
}

const example = `<!-- STEP: ${steps.join('|')} -->`
const sorted = [...steps].sort().join(', ')

/** What the step marker's messages say, by language. */
export const stepMarkerMessages: Readonly<Record<Locale, StepMarkerMessages>> = {
  en: {
    instruct: `End the answer with the marker of the step it belongs to: ${example}, with one of these names.`,
    missing: 'Add a STEP marker; the answer has none.',
    notAtEnd: 'Put the STEP marker at the very end; other text follows it.',
    addHint: `Add at the end: ${example}`,
    invalid: (name) => `Use a valid step in the STEP marker, not ${quote(name)}.`,
    validHint: `Valid steps: ${sorted}`,
  },
  de: {
    instruct: `Beende die Antwort mit dem Marker des Schritts, zu dem sie gehört: ${example}, mit einem dieser Namen.`,
    missing: 'Response enthält keinen STEP-Marker',
    notAtEnd: 'Der STEP-Marker steht nicht am Ende der Response',
    addHint: `Füge am Ende hinzu: ${example}`,
    invalid: (name) => `Ungültiger Step: ${quote(name)}`,
    validHint: `Gültige Steps: ${sorted}`,
  },
}
