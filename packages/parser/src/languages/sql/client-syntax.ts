/** Commands of psql that also end the statement before them. */
const sends = /^\\(?:g|gx|gdesc|gexec|gset|bind|watch|crosstabview)\b/

/**
 * The text without the syntax of a client at the place where PostgreSQL stopped: a psql command, the data of `COPY … FROM stdin`,
 * or a placeholder of a driver. Every character keeps its place; undefined when there is none.
 */
export function allowClientSyntax(text: string, at: number): string | undefined {
  return (
    withoutCopiedRows(text, at) ??
    withoutCommand(text, at) ??
    withoutNamed(text, at) ??
    withoutFormat(text, at) ??
    withoutQuestionMark(text, at)
  )
}

/** `\d users`, `\gset` … up to the end of the line. */
function withoutCommand(text: string, at: number): string | undefined {
  if (text[at] !== '\\' || !/^\\[a-z!?]/i.test(text.slice(at, at + 2))) return undefined
  const lineBreak = text.indexOf('\n', at)
  const end = lineBreak < 0 ? text.length : lineBreak
  const isSent = sends.test(text.slice(at, at + 16))
  return replaced(text, at, end, isSent ? ';' : '')
}

/** `:name`, `:'name'` and `:"name"`. */
function withoutNamed(text: string, at: number): string | undefined {
  const name = /^:(?:[A-Za-z_]\w{0,62}|'\w{1,63}'|"\w{1,63}")/.exec(text.slice(at, at + 66))?.[0]
  return name === undefined ? undefined : replaced(text, at, at + name.length, '$1')
}

/** `%s` and `%(name)s`; after `IN` they stand for a whole list. */
function withoutFormat(text: string, at: number): string | undefined {
  const format = /^%(?:\(\w{1,63}\))?[sbt](?!\w)/.exec(text.slice(at, at + 68))?.[0]
  if (format === undefined) return undefined
  const value = replaced(text, at, at + format.length, '$1')
  const list = /\b(?:not\s{1,8})?in\s{0,8}$/i.exec(text.slice(Math.max(0, at - 32), at))?.[0]
  return list === undefined ? value : replaced(value, at - list.length, at, ' =')
}

/** `?`, which is an operator of PostgreSQL, so that it stops after it. */
function withoutQuestionMark(text: string, at: number): string | undefined {
  let before = at - 1
  while (before >= 0 && /\s/.test(text[before] ?? '')) before--
  return text[before] === '?' ? replaced(text, before, before + 1, '1') : undefined
}

/** The rows between `COPY … FROM stdin;` and `\.`. */
function withoutCopiedRows(text: string, at: number): string | undefined {
  const statementEnd = text.lastIndexOf(';', at)
  const statement = text.slice(text.lastIndexOf(';', statementEnd - 1) + 1, statementEnd)
  if (statementEnd < 0 || statement.length > 4000 || !/\bcopy\b/i.test(statement) || !/\bfrom\s+stdin\b/i.test(statement)) return undefined
  const end = /^\\\.[ \t\r]*$/m.exec(text.slice(at))
  return end === null ? undefined : replaced(text, statementEnd + 1, at + end.index + 2, '')
}

function replaced(text: string, start: number, end: number, by: string): string {
  return text.slice(0, start) + by + text.slice(start + by.length, end).replace(/[^\r\n]/g, ' ') + text.slice(end)
}
