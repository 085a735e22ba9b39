import { closeSync, writeSync } from 'node:fs'
import { escapeMarkup } from '@stickler/core/internal'
import type { Cli } from '../cli.ts'
import { whyNot } from '../files/why-not.ts'
import { openToAppend } from '../files/write-file.ts'
import { clip } from '../terminal/text.ts'
import type { FileResult } from './file-result.ts'
import { LineIndex } from './line-index.ts'
import type { Ending, OpenReport } from './report-writer.ts'
import { describeSummary } from './tally.ts'

/** GitHub accepts 1 MiB per step, and nobody reads that much. */
const mostRows = 200

/** Appends a table of failures to the step summary of a GitHub workflow run. */
export function stepSummary(file: string, cli: Cli): OpenReport<FileResult, Ending> {
  const rows: string[] = []
  let more = 0
  let heading = ''
  const addRow = (row: string): string => {
    if (rows.length < mostRows) rows.push(row)
    else more++
    return ''
  }
  return {
    writer: {
      add: (result) => (result.failed ? rowsOf(result).map(addRow).join('') : ''),
      addFault: (message) => addRow(`| | | ${escapeCell(message)} |`),
      end: ({ counts }) => {
        heading = describeSummary(counts)
        return ''
      },
    },
    write: async () => {},
    finish: async () => {
      const table = rows.length === 0 ? [] : ['', '| place | code | message |', '| --- | --- | --- |', ...rows]
      const lines = ['### stickler check', '', heading, ...table, ...(more > 0 ? ['', `… and ${more} more`] : []), '']
      appendSummary(file, `${lines.join('\n')}\n`, cli)
    },
  }
}

/** Appends to the step summary; the verdict is in the log, so failing to write does not change it. */
export function appendSummary(file: string, text: string, cli: Cli): void {
  try {
    const descriptor = openToAppend(file)
    try {
      writeSync(descriptor, text)
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    cli.note(`cannot write the step summary: ${whyNot(error)}`)
  }
}

function rowsOf({ name, answer, settled }: FileResult): string[] {
  const lines = new LineIndex(answer.text)
  const unchecked = settled.unchecked.map(
    ({ validator, message }) => `| ${escapeCell(name)} | unchecked | ${escapeCell(`${validator}: ${message}`)} |`,
  )
  const issues = settled.found.issues.map(({ span, code, message }) => {
    const place = span === undefined ? undefined : lines.positionAt(span.start)
    return `| ${escapeCell(place === undefined ? name : `${name}:${place.line}:${place.column}`)} | ${escapeCell(code)} | ${escapeCell(message)} |`
  })
  return [...issues, ...unchecked]
}

/** Escapes text that a model may have written: no markup, links or mentions. */
export function escapeCell(text: string): string {
  return escapeMarkup(clip(text, 300)).replace(/[\\`*_{}[\]()#+!|~@:]/g, (character) => `&#${character.charCodeAt(0)};`)
}
