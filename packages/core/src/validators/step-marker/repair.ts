import { Answer } from '../../answer/answer.ts'
import { isMarkdown } from '../../answer/markdown/fence.ts'
import type { Certificate } from '../../contract/certificate.ts'
import { lastStepMarker, nearStep, type Step } from './extract.ts'
import { inferStep } from './infer-step.ts'

/** Replaces an invalid marker where it is, or appends a missing one; nothing the reader sees is changed. */
export function* repairStepMarker(answer: Answer, options: { readonly default: Step }): Generator<Certificate> {
  const { text } = answer
  // A marker does not make an answer of nothing.
  if (!answer.visible) return
  const marker = lastStepMarker(answer)
  if (marker && marker.step === undefined) {
    const near = nearStep(marker.name)
    const step = near ?? inferStep(answer, options.default)
    yield {
      rule: near ? 'correct-step-name' : 'infer-step-name',
      class: 'lossless',
      span: marker.span,
      before: text.slice(marker.span.start, marker.span.end),
      after: write(step),
    }
    return
  }
  const step = marker?.step ?? stepInDocument(answer) ?? inferStep(answer, options.default)
  const span = { start: text.length, end: text.length }
  yield { rule: 'append-step-marker', class: 'lossless', span, before: '', after: `${separator(answer)}${write(step)}` }
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
