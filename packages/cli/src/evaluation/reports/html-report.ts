import { createHash } from 'node:crypto'
import { escapeMarkup, settledStatuses } from '@stickler/core/internal'
import type { Section } from '../../terminal/sections.ts'
import { clip } from '../../terminal/text.ts'
import type { Evaluation } from '../evaluation.ts'
import { pageScript, pageStyle } from './html-page.ts'
import { intervalPlot, statusPlot } from './plots.ts'
import { sectionsOf } from './sections.ts'

/** An evaluation as one page that loads nothing and runs only its own script, whatever answers and ids hold. */
export function htmlReport(evaluation: Evaluation, version: string): string {
  const { cases, at } = evaluation
  const [first, ...rest] = sectionsOf(evaluation)
  const policy = `default-src 'none'; script-src '${hashOf(pageScript)}'; style-src '${hashOf(pageStyle)}'; base-uri 'none'; form-action 'none'`
  const hidden = cases.total - cases.rows.length
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${safe(evaluation.name)}</title>
<style>${pageStyle}</style>
<body>
<h1>${safe(first?.title ?? '')}</h1>
${first === undefined ? '' : content(first)}
${statusPlot(evaluation)}
${intervalPlot(evaluation)}
${rest.map((section) => `<h2>${safe(section.title)}</h2>\n${content(section)}`).join('\n')}
<h2>Answers</h2>
<form id="filter">
<input name="text" type="search" placeholder="id, rule, text" aria-label="Search">
<select name="status" aria-label="Status"><option value="">any status</option>${settledStatuses.map((status) => `<option>${status}</option>`).join('')}</select>
<select name="change" aria-label="Change"><option value="">changed or not</option><option>changed</option><option>worse</option><option>better</option></select>
<output id="shown"></output>${hidden > 0 ? ` ${hidden} more answers are not listed` : ''}
</form>
<div class="wide"><div id="table" role="table" aria-label="Answers">
<div class="row head" role="row" aria-rowindex="1"><span role="columnheader">id</span><span role="columnheader">before</span><span role="columnheader">after</span><span role="columnheader">rules, repairs</span><span role="columnheader">label</span></div>
<div id="rows" tabindex="0"><div id="space" role="rowgroup"></div></div>
</div></div>
<div id="detail" aria-live="polite">Choose an answer.</div>
<p>stickler ${safe(version)}, ${new Date(at).toISOString()}</p>
<script type="application/json" id="data">${dataOf(cases)}</script>
<script>${pageScript}</script>
</html>
`
}

function content({ lines = [], head = [], rows = [] }: Section): string {
  const list = lines.length === 0 ? '' : `<ul>${lines.map((line) => `<li>${safe(line.trim())}</li>`).join('')}</ul>`
  if (rows.length === 0) return list
  const cells = (row: readonly string[], tag: 'td' | 'th'): string =>
    `<tr>${row.map((cell) => `<${tag}>${safe(cell)}</${tag}>`).join('')}</tr>`
  return `${list}<div class="wide" tabindex="0"><table><thead>${cells(head, 'th')}</thead><tbody>${rows.map((row) => cells(row, 'td')).join('')}</tbody></table></div>`
}

function safe(text: string): string {
  return escapeMarkup(clip(text))
}

/** JSON that cannot end its element. */
function dataOf(value: unknown): string {
  return JSON.stringify(value).replace(/[<\u2028\u2029]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
