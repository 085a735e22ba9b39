import type { TextSpan } from '@stickler/core'
import { closest } from '@stickler/core/internal'

/** The steps of a consultation, in their order. */
export const steps = ['what', 'why', 'constraints', 'generate', 'finalize', 'done'] as const

/** A step of a consultation. */
export type Step = (typeof steps)[number]

/** A comment of the form `<!-- STEP: name -->`. */
export interface StepMarker {
  /** The name as it is written, in lower case. */
  readonly name: string
  /** The step, when the name is one. */
  readonly step: Step | undefined
  readonly span: TextSpan
}

/** A longer comment is not a marker, so that no stream waits for the end of an open one. */
export const longestMarker = 256

const head = /^<!--+\s*step\s*:/i

/** The markers in a text that name no step: a stream reports them as they come. */
// backtracks: what follows the colon has no sign that a marker begins with
export const invalidMarkers = new RegExp(`<!--+\\s*step\\s*:(?!\\s*(?:${steps.join('|')})\\s*-*-->)[^|{}<>]*-->`, 'gi')

/** The end of a text that may become a marker. */
// backtracks: at most 256 characters
export const openMarker = /<(?:!(?:-(?:-+\s*(?:s(?:t(?:e(?:p\s*(?::[^|{}<>]*)?)?)?)?)?)?)?)?$/i

/** Reads the marker at the start of a text. */
function readMarker(text: string, start: number): StepMarker | undefined {
  const piece = text.slice(0, longestMarker)
  const opening = head.exec(piece)?.[0].length
  if (opening === undefined) return undefined
  const close = piece.indexOf('-->', opening)
  const body = piece.slice(opening, Math.max(opening, close))
  // `{step}` or `what|why` is a template, not a marker.
  if (close < 0 || /[|{}<>]/.test(body)) return undefined
  let end = body.length
  while (body.charCodeAt(end - 1) === 45) end--
  const name = body.slice(0, end).trim().toLowerCase()
  return { name, step: steps.find((step) => step === name), span: { start, end: start + close + 3 } }
}

/** What the steps are called in German. */
const germanNames: Readonly<Record<string, Step>> = {
  was: 'what',
  warum: 'why',
  rahmenbedingungen: 'constraints',
  randbedingungen: 'constraints',
  einschränkungen: 'constraints',
  generieren: 'generate',
  erzeugen: 'generate',
  erstellen: 'generate',
  finalisieren: 'finalize',
  abschließen: 'finalize',
  fertig: 'done',
  erledigt: 'done',
}

/** The step of this name, in English or German. */
export function namedStep(name: string): Step | undefined {
  const lower = name.toLowerCase()
  return steps.find((step) => step === lower) ?? (Object.hasOwn(germanNames, lower) ? germanNames[lower] : undefined)
}

/** The step that a misspelt name probably means. */
export function nearStep(name: string): Step | undefined {
  const letters = name.replace(/[^\p{L}\p{N}]+/gu, '')
  return namedStep(letters) ?? namedStep(closest(letters, [...steps, ...Object.keys(germanNames)]) ?? '')
}

/** What the marker is looked for in. */
interface MarkedText {
  readonly text: string
  /** Where reasoning ends. */
  readonly bodyStart: number
  inCode(offset: number): boolean
}

/** The marker that counts: the last one outside of code and reasoning. */
export function lastStepMarker(answer: MarkedText): StepMarker | undefined {
  const { text, bodyStart } = answer
  // From the end: the first one that is found counts.
  for (let at = text.lastIndexOf('<!--'); at >= bodyStart; at = at === 0 ? -1 : text.lastIndexOf('<!--', at - 1)) {
    const found = readMarker(text.slice(at, at + longestMarker), at)
    if (found && !answer.inCode(at)) return found
  }
  return undefined
}
