/** What spreadsheets take for the beginning of a formula, in full width too. */
const formulaStarts: ReadonlySet<string> = new Set(['=', '+', '-', '@', '|', '%', '\uff1d', '\uff0b', '\uff0d', '\uff20'])

/** Writes one line of CSV; texts that a spreadsheet would run begin with an apostrophe. */
export function csvLine(values: readonly (string | number | boolean | undefined)[]): string {
  return `${values.map(csvValue).join(',')}\r\n`
}

function csvValue(value: string | number | boolean | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : ''
  if (typeof value === 'boolean') return String(value)
  const safe = isFormula(value) ? `'${value}` : value
  return /[",;'\s]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Blanks and control characters before it do not make a formula harmless, and some are taken for one themselves. */
function isFormula(text: string): boolean {
  let start = 0
  while (start < text.length && text.charCodeAt(start) <= 0x20) start++
  return text.startsWith('\t') || text.startsWith('\r') || formulaStarts.has(text.charAt(start))
}
