import { Answer, type Certificate, type CheckContext, defineValidator, type Finding, fact, issue, type Locale } from '@stickler/core'
import { isFields } from '@stickler/core/internal'
import { isMarkdown, prepareMachine } from '@stickler/core/internal/validators'
import { quote } from '@stickler/core/validators'
import * as z from 'zod'
import { lastStepMarker, namedStep, nearStep, type Step, steps } from './extract.ts'
import { inferStep } from './infer-step.ts'
import { StepMarkerMachine } from './stream.ts'

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
const stepMarkerMessages: Readonly<Record<Locale, StepMarkerMessages>> = {
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
    notAtEnd: 'Setze den STEP-Marker ganz ans Ende; danach kommt noch Text.',
    addHint: `Füge am Ende hinzu: ${example}`,
    invalid: (name) => `Ungültiger Step: ${quote(name)}`,
    validHint: `Gültige Steps: ${sorted}`,
  },
}

/** Fails when the last STEP marker outside of code is missing or names no step. */
export const stepMarker = defineValidator({
  name: 'step_marker',
  summary: 'The answer has a marker `<!-- STEP: … -->` that names the step of the consultation.',
  get options() {
    return z.strictObject({
      requireAtEnd: z.boolean().default(false).describe('Only white space may follow the marker.'),
      default: z.enum(steps).default('done').describe('The step that a repair assumes if it cannot infer one from the answer.'),
    })
  },
  repairs: true,
  codes: {
    MISSING_STEP_MARKER: {
      severity: 'error',
      when: 'There is no STEP marker outside code, or with `requireAtEnd` text follows the last one.',
      fix: 'End the answer with `<!-- STEP: name -->`; a repair infers the step from the answer and appends the marker.',
    },
    INVALID_STEP: {
      severity: 'error',
      when: 'The last STEP marker names an unknown step.',
      fix: `Use one of ${steps.join(', ')}; a repair replaces the name in place.`,
    },
  },
  facts: { step: { use: 'step', last: ['done'], inferredBy: ['append-step-marker', 'infer-step-name'] } },
  instruct: (_options, locale) => stepMarkerMessages[locale].instruct,
  prepare: (options) =>
    prepareMachine<StepCode>(
      (reading) => new StepMarkerMachine(reading, (answer) => inspectMarker(answer, options.requireAtEnd, reading.locale)),
      { repair: (answer, _issues, { context }) => repairStepMarker(answer, options, sessionStep(context)) },
    ),
})

type StepCode = 'MISSING_STEP_MARKER' | 'INVALID_STEP'

/** What is wrong with the marker that counts, and the step that it names. */
function inspectMarker(answer: Answer, requireAtEnd: boolean, locale: Locale): Finding<StepCode>[] {
  const say = stepMarkerMessages[locale]
  const marker = lastStepMarker(answer)
  // A turn that only calls tools says nothing to anybody yet.
  if (marker === undefined && !answer.visible && answer.isBetween) return []
  if (marker === undefined) return [issue('MISSING_STEP_MARKER', say.missing, { hint: say.addHint })]
  if (marker.step === undefined) {
    const suggestion = nearStep(marker.name)
    const advice = suggestion === undefined ? {} : { suggestion }
    return [issue('INVALID_STEP', say.invalid(marker.name), { hint: say.validHint, span: marker.span, ...advice })]
  }
  const step = fact('step', marker.step)
  if (!requireAtEnd || answer.text.slice(marker.span.end).trim() === '') return [step]
  return [step, issue('MISSING_STEP_MARKER', say.notAtEnd, { hint: say.addHint, span: marker.span })]
}

/** Replaces an invalid marker where it is, or appends a missing one; nothing the reader sees is changed. */
function* repairStepMarker(answer: Answer, options: { readonly default: Step }, current: Step | undefined): Generator<Certificate> {
  const { text } = answer
  // A marker does not make an answer of nothing.
  if (!answer.visible) return
  const marker = lastStepMarker(answer)
  if (marker && marker.step === undefined) {
    const near = nearStep(marker.name)
    const step = near ?? inferStep(answer, options.default, current)
    yield {
      rule: near ? 'correct-step-name' : 'infer-step-name',
      class: 'lossless',
      span: marker.span,
      before: text.slice(marker.span.start, marker.span.end),
      after: write(step),
    }
    return
  }
  const step = marker?.step ?? stepInDocument(answer) ?? inferStep(answer, options.default, current)
  const span = { start: text.length, end: text.length }
  yield { rule: 'append-step-marker', class: 'lossless', span, before: '', after: `${separator(answer)}${write(step)}` }
}

/** The step that the session is at, if its host says so; after the last one another consultation begins. */
function sessionStep({ session_state: state }: CheckContext['context']): Step | undefined {
  const step = isFields(state) && typeof state.step === 'string' ? namedStep(state.step) : undefined
  return step === 'done' ? undefined : step
}

/** The step that a document in a fence ends with, where nothing follows the fence: the model has wrapped all that it says. */
function stepInDocument({ text, codeBlocks }: Answer): Step | undefined {
  const last = codeBlocks.at(-1)
  if (last === undefined || !isMarkdown(last.language) || text.slice(last.span.end).trim() !== '') return undefined
  return lastStepMarker(new Answer(last.content))?.step
}

function write(step: string): string {
  return `<!-- STEP: ${step} -->`
}

/** What must occur before an appended marker: the end of an open fence, and a blank line. */
function separator({ text, unclosedFence }: Answer): string {
  const newline = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n'
  const onNewLine = /[\r\n]$/.test(text)
  if (unclosedFence) return `${onNewLine ? '' : newline}${unclosedFence.join(newline)}${newline}${newline}`
  if (!onNewLine) return newline + newline
  return /(?:\r\n|\n|\r)[ \t]*(?:\r\n|\n|\r)$/.test(text) ? '' : newline
}
