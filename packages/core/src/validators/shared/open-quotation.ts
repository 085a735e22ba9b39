/** Quotations that are closed, in English and German; a German one may end like an English one. */
const closed = /„[^„“”"]*[“”"]|“[^“”]*”/g

/** Whether a text ends inside a quotation with marks that differ at its start and end. */
export function endsInQuotation(text: string): boolean {
  return /[„“]/.test(text.replace(closed, ''))
}

/** Whether a line ends inside any quotation, also one with straight marks. */
export function endsQuoted(line: string): boolean {
  const rest = line.replace(closed, '')
  return /[„“]/.test(rest) || (rest.split('"').length - 1) % 2 === 1
}
