/**
 * What the runner of GitHub Actions takes for a command in what a step prints: `::name …::` at the start of a line, whatever white space is before it,
 * and `##[name …]` anywhere in a line.
 */
const lineStart = /^([^\S\n\r\u2028\u2029]*):(?=:)/gm

/** A report in which no line is a workflow command, whoever wrote the text in it: a colon or a bracket of each is written in another way. */
export function withoutCommands(text: string, colon = '\\x3a', bracket = '\\x5b'): string {
  return text.replace(lineStart, `$1${colon}`).replaceAll('##[', `##${bracket}`)
}

/** A message or, with `property`, a value of a property, as GitHub's runner unescapes them. */
export function escapeCommand(text: string, part: 'message' | 'property'): string {
  const data = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  return part === 'message' ? data : data.replaceAll(':', '%3A').replaceAll(',', '%2C')
}
